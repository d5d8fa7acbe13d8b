/**
 * One code cell of a page, run by the notebook of cells.js.
 *
 *   Cell         code that the page does not show at all
 *   UnrunCell    code that cannot run in a page, and says why
 *   FigureCell   code that is folded away, with a figure that can be redrawn with the reader's code
 *   CodeCell     code that the reader can see, change and run
 *
 * When a run ends in a verdict, the cell's element fires "book:verdict", which bubbles, with
 * { label, status, message } as its detail.
 */
import { adviceOn } from "./advice.js";
import { element as make } from "../site/element.js";
import { Memory } from "./memory.js";
import { notify, withdraw } from "../site/notice.js";
import { editor as EDITOR } from "book:addresses"; // see build.mjs
import { Outputs } from "../outputs/outputs.js";
import { editOnPress } from "./press.js";
import { addScript } from "../site/script.js";
import { VERDICT, verdictIn } from "../exercises/verdict.js";

const BEFORE = "Computed before your change";
const REST = 150; // milliseconds
const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src; // this bundle; the editor's is in the same folder
const NO_EDITOR = "The editor could not be loaded. Check your connection, then press Edit again. What you wrote is kept.";
let editor = null; // promise of the editor, until it fails

/** Load the editor once; after a failure, the next call tries again. */
async function loadEditor() {
  try {
    await (editor ??= addScript(new URL(EDITOR, SCRIPT)));
    if (window.bookEditor) return window.bookEditor;
  } catch {
    // said below
  }
  editor = null;
  throw new Error(NO_EDITOR);
}

/** A cell that the page does not show. */
export class Cell {
  outputs = null;
  ranCode = null; // the code whose variables Python holds
  passedCode = null; // the code that failed and that the reader goes without
  basis = null; // cell -> the code that the output on the page was computed from; null: the book's
  busy = false;

  /**
   * @param {HTMLElement | null} element its `div.cell`, where the page has one
   * @param {{ name: string, code: string, exercise?: string | null, anew?: boolean }} facts
   */
  constructor(element, { name, code, exercise = null, anew = false }) {
    this.element = element;
    this.name = name;
    this.startsAnew = anew; // whether it and the cells below need nothing that stands above it
    this.exercise = exercise;
    this.starter = code;
    this.solution = element?.closest(".book-solution") ?? null; // which its cells share
    this.isApart = exercise !== null || this.solution !== null;
  }

  /** The cell's current code. */
  get code() {
    return this.starter;
  }

  get isEdited() {
    return this.code !== this.starter;
  }

  /** Whether Python holds its variables. */
  get ran() {
    return this.ranCode !== null;
  }

  /** Whether it was changed after it ran. */
  get isBehind() {
    return this.ran && this.ranCode !== this.code;
  }

  /** Require it to run again. */
  forgetRun() {
    this.ranCode = this.passedCode = null;
  }

  /**
   * Run the code and show its output or, if `shown` is false, only its error.
   *
   * @returns the result of `python.run`, with the last verdict that was shown
   */
  async execute(python, { shown = true } = {}) {
    const outputs = shown ? this.outputs : null;
    const code = this.code;
    let verdict = null;
    outputs?.clear();
    const onOutput = (message) => {
      verdict = verdictIn(message) ?? verdict;
      outputs?.add(message);
    };
    const result = { ...(await python.run(this.name, code, { exercise: this.exercise, onOutput })), verdict };
    await outputs?.drawn;
    this.ranCode = result.ok ? code : null;
    if (result.error && !outputs) this.outputs?.clear();
    if (result.wants) this.showBuilt();
    else if (result.error || outputs) this.outputs?.finish({ ...result, advice: result.advice ?? adviceOn(this, code, result) });
    if (result.error && !result.stopped && !result.wants) this.#unfold();
    this.tell(result);
    return result;
  }

  /** Open the folds that an error would be hidden in. */
  #unfold() {
    const inside = [...(this.element?.querySelectorAll("details.hide") ?? [])]; // of myst-nb
    for (let fold = this.element?.closest("details"); fold; fold = fold.parentElement.closest("details")) inside.push(fold);
    inside.forEach((fold) => fold.setAttribute("open", ""));
  }

  /** Show the book's output again, which its own code gave. */
  showBuilt() {
    this.outputs?.restore();
    this.basis = null;
  }

  /** Report a verdict to the page. */
  tell({ verdict }) {
    if (verdict) this.element.dispatchEvent(new CustomEvent("book:verdict", { bubbles: true, detail: verdict }));
  }

  setBusy(busy) {
    this.busy = busy;
  }

  /** Show a status message, where the cell has a status line. */
  say(..._words) {}

  /** Offer a button for the next step, where the cell has a status line. */
  offerNext(_text, _onclick) {}

  /** Say that the output was computed before `cause`, a cell, was changed; null: the output is up to date. */
  setStale(_cause) {}

  /** Show what is being loaded and how much of it has arrived. */
  showLoading(_report) {}
  endLoading() {}
}

/** A cell that cannot run in a page; in its place runs what of it can, such as its imports. */
export class UnrunCell extends Cell {
  /** @param {HTMLElement | null} element @param {{ name: string, rest: string, why: string, visible: boolean }} facts */
  constructor(element, facts) {
    super(element, { ...facts, code: facts.rest });
    const why = make("span", { className: "book-status" }, `Not run in the page: ${facts.why}.`);
    if (facts.why && facts.visible) element?.querySelector(".cell_input")?.after(make("div", { className: "book-bar" }, why));
  }
}

/** A cell with an output and a line of buttons. */
class ShownCell extends Cell {
  constructor(element, facts, notebook) {
    super(element, facts);
    this.notebook = notebook;
    this.outputs = new Outputs(element);
    this.staleNote = make("p", { className: "book-stale" });
    this.runButton = this.makeButton(this.verb, () => this.run());
    this.runButton.className = "book-run";
    this.stopButton = this.makeButton("Stop", () => notebook.stop());
    this.belowButton = this.makeButton("Run all below", () => this.runBelow());
    this.belowButton.title = "Run this cell, then all cells and figures below it; exercises are skipped";
    this.resetButton = this.makeButton("Start over", () => this.#reset());
    this.restartButton = this.makeButton("Restart Python", () => notebook.restart(this));
    this.restartButton.title = "Forget all variables; your text, outputs and progress are kept";
    this.status = make("span", { className: "book-status", role: "status" });
    this.next = make("span", { className: "book-next" });
    this.loading = make("span", { className: "book-progress", "aria-hidden": "true" }); // changes too often to be read aloud
    const buttons = [this.runButton, this.stopButton, this.belowButton, this.resetButton, this.restartButton];
    this.bar = make("div", { className: "book-bar" }, ...buttons, this.status, this.next, this.loading);
    this.bar.onpointerenter = () => this.#explainRun();
    this.runButton.onfocus = () => this.#explainRun();
    this.#watchIntent();
  }

  /** Start Python as soon as the reader rests on Run; passing over it, or tabbing past it, is no intent. */
  #watchIntent() {
    let resting;
    const leave = () => clearTimeout(resting);
    const enter = () => (leave(), (resting = setTimeout(() => this.notebook.prepare(), REST)));
    for (const name of ["pointerenter", "focus"]) this.runButton.addEventListener(name, enter);
    for (const name of ["pointerleave", "blur"]) this.runButton.addEventListener(name, leave);
  }

  /** What a screen reader calls the cell: the title of its exercise, or its name. */
  get spokenName() {
    const title = this.exercise && this.element.closest(".book-exercise")?.getAttribute("aria-label");
    return title?.replace(/^Exercise: /, "") || this.name;
  }

  /** The text of its first button. */
  get verb() {
    return "Run";
  }

  /** Make a button. Its accessible name includes the cell's, because a page has many cells. */
  makeButton(text, onclick) {
    return make("button", { type: "button", textContent: text, "aria-label": `${text}: ${this.spokenName}`, onclick });
  }

  /** A link to this cell with the given text. */
  linkAs(name) {
    return make("a", { href: `#${this.element.closest("[id]").id}`, textContent: name });
  }

  get link() {
    return this.linkAs(this.name);
  }

  /** Explain in the tooltip what Run will do. */
  #explainRun() {
    const missing = this.notebook.missingAbove(this).length;
    const first = { 0: "", 1: " The cell above runs first." }[missing] ?? ` The ${missing} cells above run first.`;
    this.runButton.title = `Shift+Enter in the code does the same.${first}`;
  }

  /** Run this cell, unless it is running. */
  run() {
    return this.busy ? Promise.resolve(null) : this.notebook.run(this);
  }

  /** Run this cell and all below it. */
  runBelow() {
    return this.notebook.runBelow(this);
  }

  #reset() {
    this.startOver();
    this.say("Restored the original.");
    this.focus();
  }

  /** Bring back the book's version. */
  startOver() {
    this.showBuilt();
    this.refresh();
    this.notebook.markStale();
  }

  /** Move the focus here when the button that was pressed disappears. */
  focus() {
    this.runButton.focus();
  }

  /** Update the buttons. */
  refresh() {
    this.stopButton.hidden = !this.busy;
    this.belowButton.hidden = this.isApart || this.busy || (!this.isEdited && !this.outputs.isOwn);
    this.resetButton.hidden = !this.isEdited && !this.outputs.isOwn;
    this.restartButton.hidden = !this.outputs.isOwn;
    this.runButton.setAttribute("aria-disabled", String(this.busy));
  }

  setStale(cause) {
    const output = this.element.querySelector(".cell_output");
    if (!cause || !output || (this.exercise && !this.outputs.isOwn)) return this.staleNote.remove();
    this.staleNote.replaceChildren(...(cause === this ? [BEFORE, "."] : [`${BEFORE} in `, cause.link, "."]));
    output.before(this.staleNote);
  }

  tell(result) {
    super.tell(result);
    this.refresh();
  }

  setBusy(busy) {
    super.setBusy(busy);
    this.refresh();
  }

  /** @param {...(string | Node)} words a sentence, links included */
  say(...words) {
    this.status.replaceChildren(...words);
    this.next.replaceChildren();
    this.loading.replaceChildren();
  }

  offerNext(text, onclick) {
    this.next.append(this.makeButton(text, onclick));
  }

  endLoading() {
    this.loading.replaceChildren();
  }

  showLoading({ text, loaded, total, seconds = 0 }) {
    const bar = make("progress", total ? { max: total, value: loaded } : {});
    const amount = total ? ` ${megabytes(loaded)} of ${megabytes(total)} MB` : "";
    const time = seconds >= 1 ? `, ${Math.floor(seconds)} s` : "";
    this.loading.replaceChildren(bar, text + amount + time);
  }
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}

/** Code that is folded away until the reader opens it, with a figure that can be redrawn with the reader's code. */
export class FigureCell extends ShownCell {
  constructor(element, facts, notebook) {
    super(element, facts, notebook);
    this.isOffered = false;
    element.append(this.bar, this.#makeCode());
    this.refresh();
  }

  get verb() {
    return "Redraw with your code";
  }

  /** The folded code; it is filled in when it is opened, and coloured once the editor has loaded. */
  #makeCode() {
    const text = make("pre", { tabIndex: 0 });
    const summary = make("summary", {}, "Show the code of this figure");
    const details = make("details", { className: "book-code" }, summary, text);
    const show = async () => {
      text.textContent = this.starter;
      const { openEditor } = await loadEditor();
      const place = make("div", { className: "book-editor highlight" });
      text.replaceWith(place);
      openEditor(place, this.starter, { label: `Code of ${this.name}`, readOnly: true });
    };
    details.addEventListener("toggle", () => show().catch(() => {}), { once: true }); // it can be read without colours, too
    return details;
  }

  /** Offer to redraw the figure, because the reader has changed some code. */
  offer() {
    this.isOffered = true;
    this.refresh();
  }

  refresh() {
    super.refresh();
    this.bar.hidden = !this.isOffered && !this.busy && !this.outputs.isOwn;
  }
}

/** Code that the reader can see, change and run. */
export class CodeCell extends ShownCell {
  constructor(element, facts, notebook) {
    super(element, facts, notebook);
    this.memory = new Memory(this.starter, this.exercise, facts.twins);
    this.memory.watch((text, before) => this.#follow(text, before));
    this.input = element.querySelector(".cell_input");
    this.editor = null;
    this.editButton = this.makeButton("Edit", () => this.edit());
    this.editButton.title = "Or click into the code";
    this.runButton.after(this.editButton);
    this.input.after(this.bar);
    editOnPress(this);
    if (!this.exercise) this.#showNumber();
  }

  /** Show the number by which messages in other cells refer to this one. */
  #showNumber() {
    this.element.id ||= this.name.replace(" ", "-");
    this.bar.append(make("span", { className: "book-number", textContent: this.name }));
  }

  /** Show the reader's text, if there is one. */
  show() {
    const { text } = this.memory;
    if (this.editor && this.editor.text !== text) this.editor.text = text;
    if (!this.editor && this.isEdited) this.edit({ focus: false });
    this.refresh();
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
    this.notebook.markStale();
  }

  /** Open the editor in place of the printed code, with the caret at an offset in the text. */
  async edit({ focus = true, at = null } = {}) {
    const isSlow = focus && !this.busy && !window.bookEditor;
    try {
      if (isSlow) this.say("Loading the editor…");
      const { openEditor } = await loadEditor();
      withdraw(NO_EDITOR);
      this.editor ??= this.#open(openEditor);
      if (focus) this.input.closest("details")?.setAttribute("open", "");
      if (at !== null) this.editor.select(at);
      if (focus) this.editor.focus();
    } catch (error) {
      notify(error.message);
    }
    if (isSlow && !this.busy) this.say("");
    this.refresh();
  }

  #open(openEditor) {
    const place = make("div", { className: "book-editor highlight" });
    this.input.after(place);
    this.input.classList.add("book-put-away");
    return openEditor(place, this.memory.text, {
      label: `Code of ${this.spokenName}. Shift+Enter runs it; Escape, then Tab, leaves the editor.`,
      onRun: () => this.run(),
      onChange: (text) => {
        if (place.contains(document.activeElement)) this.notebook.prepare(); // the reader types, and will run it
        this.memory.text = text;
        this.refresh();
        this.notebook.markStale();
      },
    });
  }

  /** Adopt what another tab wrote, unless this tab has changed its text meanwhile. */
  #follow(text, before) {
    if (this.editor?.text === before) this.editor.text = text;
    else if (!this.editor && this.isEdited) this.edit({ focus: false });
    this.refresh();
    this.notebook.markStale();
  }

  /** Bring back the book's code, output and figures; undo in the editor brings back the reader's code. */
  startOver() {
    this.code = this.starter;
    this.forgetRun();
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
    this.element.dispatchEvent(new CustomEvent("book:code"));
  }

  tell(result) {
    super.tell(result);
    this.editor?.markLine(result.error?.line ?? null);
  }

  /** Show a verdict on the current code that needed no run, and have it read aloud. */
  showVerdict(verdict) {
    this.notebook.beginOutput(this);
    this.outputs.clear();
    this.outputs.add({ kind: "display", bundle: { [VERDICT]: verdict } });
    this.say(make("span", { className: "book-heard", textContent: `${verdict.status}: ${verdict.message}` }));
    this.tell({ verdict });
  }
}
