/**
 * One code cell of a page, run by the notebook of cells.js.
 *
 *   Cell         code that the page does not show at all
 *   FigureCell   code that is hidden, with an output that the reader's code can draw again
 *   CodeCell     code that the reader sees, may change and run
 *
 * When a run ends in a verdict, the cell's element fires "book:verdict", which bubbles, with
 * { label, status, message } as its detail.
 */
import { element as make } from "./element.js";
import { Memory } from "./memory.js";
import { notify } from "./notice.js";
import { editor as EDITOR } from "book:addresses"; // see build.mjs
import { Outputs } from "./outputs.js";

const SCRIPT = document.currentScript?.src; // this bundle; the editor's is beside it
let editor = null;

/** Load the editor, once; after a failure it may be tried again. */
function loadEditor() {
  editor ??= new Promise((resolve, reject) => {
    const onload = () => resolve(window.bookEditor);
    const onerror = () => reject(new Error("The editor could not be loaded. Check your connection. What you wrote is kept."));
    document.head.append(make("script", { src: new URL(EDITOR, SCRIPT).href, onload, onerror }));
  });
  editor.catch(() => (editor = null));
  return editor;
}

/** Code that the page does not show. */
export class Cell {
  outputs = null;
  ran = false; // whether its names are there
  busy = false;

  /**
   * @param {HTMLElement | null} element its `div.cell`, where the page has one
   * @param {{ name: string, code: string, exercise?: string | null }} facts
   */
  constructor(element, { name, code, exercise = null }) {
    Object.assign(this, { element, name, exercise, starter: code });
    this.isApart = exercise !== null || Boolean(element?.closest(".book-exercise"));
  }

  /** The code to run. */
  get code() {
    return this.starter;
  }

  get isEdited() {
    return this.code !== this.starter;
  }

  /**
   * Run the code. Its output is shown or, if it is not wanted, only its error.
   *
   * @returns the result of `python.run`
   */
  async execute(python, { shown = true } = {}) {
    const outputs = shown ? this.outputs : null;
    outputs?.clear();
    const onOutput = (message) => outputs?.add(message);
    const result = await python.run(this.name, this.code, { exercise: this.exercise, onOutput });
    await outputs?.drawn;
    this.ran = result.ok;
    if (result.error && !outputs) this.outputs?.clear();
    if (result.error || outputs) this.outputs?.finish(result);
    this.tell(result);
    return result;
  }

  /** Tell the page of a verdict. */
  tell({ verdict }) {
    if (verdict) this.element.dispatchEvent(new CustomEvent("book:verdict", { bubbles: true, detail: verdict }));
  }

  setBusy(busy) {
    this.busy = busy;
  }

  /** Say what is going on, where the cell has a line for it. */
  say() {}

  /** Show what is being loaded and how much of it has come. */
  showProgress() {}
}

/** A cell with an output and a line of buttons. */
class ShownCell extends Cell {
  constructor(element, facts, notebook) {
    super(element, facts);
    this.notebook = notebook;
    this.outputs = new Outputs(element);
    this.runButton = this.makeButton(this.verb, () => this.run());
    this.runButton.className = "book-run";
    this.stopButton = this.makeButton("Stop", () => notebook.stop());
    this.resetButton = this.makeButton("Start over", () => this.#reset());
    this.restartButton = this.makeButton("Restart Python", () => notebook.restart(this));
    this.restartButton.title = "Forget all variables; your text, outputs and progress are kept";
    this.status = make("span", { className: "book-status", role: "status" });
    this.progress = make("span", { className: "book-progress", "aria-hidden": "true" }); // too often to be read aloud
    const parts = [this.runButton, this.stopButton, this.resetButton, this.restartButton, this.status, this.progress];
    this.bar = make("div", { className: "book-bar" }, ...parts);
  }

  /** Make a button. Its name holds the cell's, for a page has many. */
  makeButton(text, onclick) {
    return make("button", { type: "button", textContent: text, "aria-label": `${text}: ${this.name}`, onclick });
  }

  /** Run this cell, unless it is running. */
  run() {
    return this.busy ? Promise.resolve(null) : this.notebook.run(this);
  }

  #reset() {
    this.startOver();
    this.say("Restored the original.");
    this.focus();
  }

  /** Bring back what the book has. */
  startOver() {
    this.outputs.restore();
    this.refresh();
  }

  /** Take the keyboard here, once the button that was pressed is gone. */
  focus() {
    this.runButton.focus();
  }

  /** Bring the buttons up to date. */
  refresh() {
    this.stopButton.hidden = !this.busy;
    this.resetButton.hidden = !this.isEdited && !this.outputs.isOwn;
    this.restartButton.hidden = !this.outputs.isOwn;
    this.runButton.setAttribute("aria-disabled", String(this.busy));
  }

  tell(result) {
    super.tell(result);
    this.refresh();
  }

  setBusy(busy) {
    super.setBusy(busy);
    this.refresh();
  }

  say(text) {
    this.status.textContent = text;
    this.progress.replaceChildren();
  }

  showProgress({ text, loaded, total }) {
    const bar = make("progress", total ? { max: total, value: loaded } : {});
    const amount = total ? ` ${megabytes(loaded)} of ${megabytes(total)} MB` : "";
    this.progress.replaceChildren(bar, text + amount);
  }
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}

/** Code that is hidden, with an output that the reader's code can draw again. */
export class FigureCell extends ShownCell {
  constructor(element, facts, notebook) {
    super(element, facts, notebook);
    this.isOffered = false;
    element.append(this.bar);
    this.refresh();
  }

  get verb() {
    return "Redraw with your code";
  }

  /** Offer to draw the figure again: there is code of the reader's to draw it by. */
  offer() {
    this.isOffered = true;
    this.refresh();
  }

  refresh() {
    super.refresh();
    this.bar.hidden = !this.isOffered && !this.busy && !this.outputs.isOwn;
  }
}

/** Code that the reader sees, may change and run. */
export class CodeCell extends ShownCell {
  /** @param {string} place what to remember the reader's text under */
  constructor(element, facts, notebook, place) {
    super(element, facts, notebook);
    this.memory = new Memory(place, this.starter);
    this.memory.watch((text, before) => this.#follow(text, before));
    this.input = element.querySelector(".cell_input");
    this.editor = null;
    this.editButton = this.makeButton("Edit", () => this.edit());
    this.stopButton.after(this.editButton);
    this.input.after(this.bar);
    this.refresh();
    if (this.isEdited) this.edit({ focus: false });
  }

  get verb() {
    return this.exercise ? "Run & check" : "Run";
  }

  /** The reader's text, or the book's where the reader has changed nothing. */
  get code() {
    return this.editor?.text ?? this.memory.text;
  }

  set code(text) {
    if (this.editor) this.editor.text = text;
    this.memory.text = text;
    this.refresh();
  }

  /** Open the editor in place of the printed code. */
  async edit({ focus = true } = {}) {
    try {
      const { openEditor } = await loadEditor();
      this.editor ??= this.#open(openEditor);
      if (focus) this.editor.focus();
    } catch (error) {
      notify(error.message);
    }
    this.refresh();
  }

  #open(openEditor) {
    const place = make("div", { className: "book-editor highlight" });
    this.input.after(place);
    this.input.classList.add("book-put-away");
    return openEditor(place, this.memory.text, {
      label: `Code of ${this.name}. Shift+Enter runs it; Escape, then Tab, leaves the editor.`,
      onRun: () => this.run(),
      onChange: (text) => {
        this.memory.text = text;
        this.refresh();
      },
    });
  }

  /** Take over what another tab wrote, unless this tab has a text of its own by now. */
  #follow(text, before) {
    if (this.editor?.text === before) this.editor.text = text;
    else if (!this.editor && this.isEdited) this.edit({ focus: false });
    this.refresh();
  }

  /** Bring back the book's code, output and figures; undo in the editor brings back the reader's code. */
  startOver() {
    this.code = this.starter;
    this.ran = false;
    super.startOver();
    this.notebook.figuresOf(this).forEach((figure) => figure.startOver?.());
  }

  focus() {
    (this.editor ?? this.editButton).focus();
  }

  refresh() {
    super.refresh();
    this.element.classList.toggle("book-edited", this.isEdited);
    this.editButton.hidden = this.editor !== null;
  }

  tell(result) {
    super.tell(result);
    this.editor?.markLine(result.error?.line ?? null);
  }
}
