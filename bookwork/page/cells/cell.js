/**
 * One code cell of a page, run by the notebook of notebook.js.
 *
 *   Cell         code that the page does not show at all, or that cannot run there
 *   FigureCell   code that is folded away, with a figure that can be redrawn with the reader's code
 *   CodeCell     code that the reader can see, change and run
 *
 * When a run ends in a verdict, the cell's element fires "book:verdict", which bubbles, with
 * { label, status, message } as its detail.
 */
import { button, element as make } from "../site/element.js";
import { Memory } from "./memory.js";
import { notify, withdraw } from "../site/notice.js";
import { editor as EDITOR } from "book:addresses"; // see build.mjs
import { Outputs } from "../outputs/outputs.js";
import { editOnPress } from "./press.js";
import { addScript } from "../site/script.js";
import { verdictIn } from "../exercises/verdict.js";

const REST = 150; // milliseconds
const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src; // this bundle; the editor's is in the same folder
const NO_EDITOR = "The editor could not be loaded. Check your connection, then press Edit again. What you wrote is kept.";
let loading = null; // promise of the editor's script, until it fails

/** Load the editor once; after a failure, the next call tries again. */
async function loadEditor() {
  await (loading ??= addScript(new URL(EDITOR, SCRIPT))).catch(() => {});
  if (!window.bookEditor) loading = null;
  return window.bookEditor?.openEditor;
}

/** A cell that the page does not show. */
export class Cell {
  outputs = null;
  /** @type {Cell[]} */
  needs = []; // cells above that it has its names from
  /** @type {Cell[]} */
  undoes = []; // cells below that give its names another value
  /** @type {string | null} */
  held = null; // the code whose variables Python holds
  /** @type {string | null} */
  source = null; // all code that the output on the page was computed from; null: the book's

  /**
   * @param {HTMLElement | null} element its `div.cell`, where the page has one
   * @param {{ name: string, code: string, exercise?: string | null }} facts
   */
  constructor(element, { name, code, exercise = null }) {
    this.element = element;
    this.name = name;
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

  /** Whether Python holds what the current code makes. */
  get isCurrent() {
    return this.held === this.code;
  }

  /**
   * Run the code; `isShown`: whether its output is shown, or only an error.
   *
   * @param {{ isShown?: boolean, onOutput?: (message: any) => void }} options
   * @returns {Promise<any>} the result of `python.run`
   */
  async execute(python, options) {
    const { code, exercise } = this;
    const result = await python.run(this.name, code, { exercise, onOutput: options.onOutput });
    this.held = result.ok || result.stopped ? code : null; // after Stop the reader may go on from there
    return result;
  }
}

/** A cell with an output and a line of buttons. */
export class ShownCell extends Cell {
  busy = false;
  status = make("span", { className: "book-status", role: "status" });
  loading = make("span", { className: "book-progress", "aria-hidden": "true" }); // changes too often to be read aloud
  staleNote = make("p", { className: "book-stale" }, "Computed before your change.");

  constructor(element, facts, notebook) {
    super(element, facts);
    this.notebook = notebook;
    this.outputs = new Outputs(element);
    this.runButton = this.makeButton(this.verb, () => this.run());
    this.runButton.classList.add("book-run");
    this.runButton.title = "Shift+Enter in the code does the same";
    this.stopButton = this.makeButton("Stop", () => notebook.stop());
    this.belowButton = this.makeButton("Run all below", () => notebook.runBelow(this));
    this.belowButton.title = "Run this cell, then all cells and figures below it; exercises are skipped";
    this.resetButton = this.makeButton("Start over", () => this.#reset());
    this.restartButton = this.makeButton("Restart Python", () => notebook.restart(this));
    this.restartButton.title = "Forget all variables; your text, outputs and progress are kept";
    const buttons = [this.runButton, this.stopButton, this.belowButton, this.resetButton, this.restartButton];
    this.bar = make("div", { className: "book-bar" }, ...buttons, this.status, this.loading);
    this.#watchIntent();
  }

  /** Start Python as soon as the reader rests on Run; passing over it, or tabbing past it, is no intent. */
  #watchIntent() {
    let resting;
    const leave = () => clearTimeout(resting);
    const enter = () => {
      leave();
      resting = setTimeout(() => this.notebook.prepare(), REST);
    };
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
    const made = button(text, onclick);
    made.setAttribute("aria-label", `${text}: ${this.spokenName}`);
    return made;
  }

  /** A link to this cell. */
  get link() {
    return make("a", { href: `#${this.element.closest("[id]").id}`, textContent: this.name });
  }

  /** Run this cell, unless it is running. */
  run() {
    return this.busy ? Promise.resolve(null) : this.notebook.run(this);
  }

  async execute(python, { isShown = true } = {}) {
    const { outputs } = this;
    let verdict = null;
    if (isShown) outputs.clear();
    const onOutput = (message) => {
      verdict = verdictIn(message) ?? verdict;
      if (isShown) outputs.add(message);
    };
    const result = { ...(await super.execute(python, { onOutput })), verdict };
    const { error, stopped, wants } = result;
    if (isShown) await outputs.drawn;
    else if (error) outputs.clear();
    if (wants) this.showBuilt();
    else if (error || isShown) outputs.finish({ ...result, advice: result.advice ?? this.#advise(result) });
    if (error && !stopped && !wants) this.#unfold();
    if (verdict) this.element.dispatchEvent(new CustomEvent("book:verdict", { bubbles: true, detail: verdict }));
    this.mark(stopped ? null : error);
    this.refresh();
    return result;
  }

  /** Say that an answer ran which nothing checks. */
  #advise({ ok, verdict }) {
    const [line] = (this.exercise && ok && !verdict && this.starter.match(/^check\([^]*/m)) || [];
    const isThere = new RegExp(`^[^#\\n]*\\bcheck\\(\\s*["']${this.exercise}["']`, "m").test(this.held);
    return line && !isThere ? `Your code ran, but nothing was checked: it lacks the line ${line.trim()}` : null;
  }

  /** Open the folds that an error would be hidden in. */
  #unfold() {
    const inside = [...this.element.querySelectorAll("details.hide")]; // of myst-nb
    for (let fold = this.element.closest("details"); fold; fold = fold.parentElement.closest("details")) inside.push(fold);
    inside.forEach((fold) => fold.setAttribute("open", ""));
  }

  /** Mark where an error is. */
  mark(_error) {}

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

  /** Show the book's output again, which its own code gave. */
  showBuilt() {
    this.outputs.restore();
    this.source = null;
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

  setBusy(busy) {
    this.busy = busy;
    this.refresh();
  }

  /** Say whether the output was computed before a change. */
  setStale(isStale) {
    const output = this.element.querySelector(".cell_output");
    if (!isStale || !output || (this.exercise && !this.outputs.isOwn)) this.staleNote.remove();
    else output.before(this.staleNote);
  }

  /** @param {...(string | Node)} words a sentence, with links and buttons */
  say(...words) {
    this.status.replaceChildren(...words);
    this.loading.replaceChildren();
  }

  /** Show what is being loaded and how much of it has arrived. */
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
    const code = make("pre", { tabIndex: 0 }, this.starter);
    const details = make("details", { className: "book-code" }, make("summary", {}, "Show the code of this figure"), code);
    element.append(this.bar, details);
    this.refresh();
  }

  get verb() {
    return "Redraw with your code";
  }

  /** It is offered while Python holds the reader's code of a cell that it needs. */
  refresh() {
    super.refresh();
    const isOffered = this.needs.some(({ held, starter }) => held !== null && held !== starter);
    this.bar.hidden = !isOffered && !this.busy && !this.outputs.isOwn;
  }
}

/** Code that the reader can see, change and run. */
export class CodeCell extends ShownCell {
  editor = null;
  /** @type {Cell[]} */
  bookNeeds = []; // what it needs, as long as the reader's code needs no more

  constructor(element, facts, notebook) {
    super(element, facts, notebook);
    this.memory = new Memory(this.starter, this.exercise, facts.key);
    this.memory.watch((text, before) => this.#follow(text, before));
    this.input = element.querySelector(".cell_input");
    this.editButton = this.makeButton("Edit", () => this.edit());
    this.editButton.classList.add("book-edit");
    this.editButton.title = "Or click into the code";
    this.runButton.after(this.editButton);
    this.input.after(this.bar);
    editOnPress(this);
    if (this.exercise) return;
    this.element.id ||= this.name.replace(" ", "-");
    this.bar.append(make("span", { className: "book-number", textContent: this.name })); // by which others refer to it
  }

  /** Show the reader's text, if there is one. */
  show(text = this.memory.text) {
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
    this.#keep(text);
  }

  #keep(text) {
    this.memory.text = text;
    this.refresh();
    this.notebook.markStale();
  }

  /** Open the editor in place of the printed code. */
  async edit({ focus = true } = {}) {
    const isSlow = focus && !this.busy && !window.bookEditor;
    if (isSlow) this.say("Loading the editor…");
    const open = await loadEditor();
    if (isSlow && !this.busy) this.say("");
    if (!open) return notify(NO_EDITOR);
    withdraw(NO_EDITOR);
    this.editor ??= this.#open(open);
    if (focus) this.input.closest("details")?.setAttribute("open", "");
    if (focus) this.editor.focus();
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
        this.#keep(text);
      },
    });
  }

  /** Adopt what another tab wrote, unless this tab has changed its text meanwhile. */
  #follow(text, before) {
    if (!this.editor || this.editor.text === before) this.show(text);
    this.notebook.markStale();
  }

  /** Bring back the book's code, output and figures; undo in the editor brings back the reader's code. */
  startOver() {
    this.code = this.starter;
    this.needs = this.bookNeeds;
    this.held = null;
    super.startOver();
    this.notebook.figuresOf(this).forEach((figure) => figure.startOver());
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

  mark(error) {
    this.editor?.markLine(error?.line ?? null);
  }
}
