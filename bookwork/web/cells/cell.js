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
import { editor as EDITOR } from "book:addresses"; // see build.mjs
import { Outputs } from "../outputs/outputs.js";
import { addScript } from "../site/script.js";
import { verdictIn } from "../exercises/verdict.js";

const REST = 150; // milliseconds on Run after which Python starts
const BELOW = "Run this cell, then all cells and figures below it; exercises are skipped";
const RESTART = "Forget all variables; your text, outputs and progress are kept";
const SCRIPT = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src; // this bundle; the editor's is in the same folder
const NO_EDITOR = "The editor could not be loaded. Check your connection, then press Edit again.";
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
  editor = null;
  status = make("span", { className: "book-status", role: "status" });
  loading = make("span", { className: "book-progress", "aria-hidden": "true" }); // changes too often to be read aloud
  staleNote = make("p", { className: "book-stale" }, "Computed before your change.");

  /** @param {string} verb the text of its first button */
  constructor(element, facts, notebook, verb) {
    super(element, facts);
    this.notebook = notebook;
    this.outputs = new Outputs(element);
    const title = this.exercise && element.closest(".book-exercise")?.getAttribute("aria-label");
    this.spokenName = title?.replace(/^Exercise: /, "") || this.name; // what a screen reader calls the cell
    this.runButton = this.makeButton(verb, () => this.run(), "Shift+Enter in the code does the same");
    this.runButton.classList.add("book-run");
    this.runButton.onpointerenter = () => (this.resting = setTimeout(() => notebook.prepare(), REST)); // passing over it is no intent
    this.runButton.onpointerleave = () => clearTimeout(this.resting);
    this.stopButton = this.makeButton("Stop", () => notebook.stop());
    this.belowButton = this.makeButton("Run all below", () => notebook.runBelow(this), BELOW);
    this.resetButton = this.makeButton("Start over", () => this.#reset());
    this.restartButton = this.makeButton("Restart Python", () => notebook.restart(this), RESTART);
    const buttons = [this.runButton, this.stopButton, this.belowButton, this.resetButton, this.restartButton];
    this.bar = make("div", { className: "book-bar" }, ...buttons, this.status, this.loading);
  }

  /** Make a button. Its accessible name includes the cell's, because a page has many cells. */
  makeButton(text, onclick, title = "") {
    return button(text, onclick, { title, "aria-label": `${text}: ${this.spokenName}` });
  }

  /** Run this cell, unless it is running. */
  run() {
    return this.busy ? Promise.resolve(null) : this.notebook.run(this);
  }

  async execute(python, { isShown = true } = {}) {
    let verdict = null;
    if (isShown) this.outputs.clear();
    const onOutput = (message) => {
      verdict = verdictIn(message) ?? verdict;
      if (isShown) this.outputs.add(message);
    };
    const result = { ...(await super.execute(python, { onOutput })), verdict };
    await this.outputs.drawn;
    if (result.wants) this.showBuilt();
    else if (isShown || result.error) this.#conclude(result, isShown);
    if (verdict) this.element.dispatchEvent(new CustomEvent("book:verdict", { bubbles: true, detail: verdict }));
    this.refresh();
    return result;
  }

  /** Show what ended the run, where the reader sees it. */
  #conclude(result, isShown) {
    const error = result.stopped ? null : result.error;
    if (!isShown) this.outputs.clear();
    this.outputs.finish({ ...result, error, advice: result.advice ?? this.#advise(result) });
    this.editor?.markLine(error?.line ?? null);
    if (error) this.element.querySelectorAll("details.hide").forEach((fold) => fold.setAttribute("open", "")); // of myst-nb
  }

  /** Say that an answer ran which nothing checks. */
  #advise({ ok, verdict }) {
    const [line] = (this.exercise && ok && !verdict && this.starter.match(/^check\([^]*/m)) || [];
    const isThere = new RegExp(`^[^#\\n]*\\bcheck\\(\\s*["']${this.exercise}["']`, "m").test(this.held);
    return line && !isThere ? `Your code ran, but nothing was checked: it lacks the line ${line.trim()}` : null;
  }

  #reset() {
    this.startOver();
    this.say("Restored the original.");
    (this.editor ?? this.runButton).focus(); // the button that was pressed disappears
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
    const [arrived, whole] = [loaded, total].map((bytes) => (bytes / 1e6).toFixed(1));
    const time = seconds >= 1 ? `, ${Math.floor(seconds)} s` : "";
    this.loading.replaceChildren(bar, text + (total ? ` ${arrived} of ${whole} MB` : "") + time);
  }
}

/** Code that is folded away until the reader opens it, with a figure that can be redrawn with the reader's code. */
export class FigureCell extends ShownCell {
  constructor(element, facts, notebook) {
    super(element, facts, notebook, "Redraw with your code");
    const code = make("pre", { tabIndex: 0 }, this.starter);
    const details = make("details", { className: "book-code" }, make("summary", {}, "Show the code of this figure"), code);
    element.append(this.bar, details);
    this.refresh();
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
  /** @type {Cell[]} */
  bookNeeds = []; // what it needs, as long as the reader's code needs no more

  constructor(element, facts, notebook) {
    super(element, facts, notebook, facts.exercise ? "Run & check" : "Run");
    this.memory = new Memory(this.starter, this.exercise, facts.key);
    this.memory.watch((text, before) => this.#follow(text, before));
    this.input = element.querySelector(".cell_input");
    this.editButton = this.makeButton("Edit", () => this.edit(), "Or click into the code");
    this.editButton.classList.add("book-edit");
    this.runButton.after(this.editButton);
    this.input.after(this.bar);
    this.#editOnPress();
    if (this.exercise) return;
    this.element.id ||= this.name.replace(" ", "-");
    this.bar.append(make("span", { className: "book-number", textContent: this.name })); // by which others refer to it
  }

  /** A click on printed code, or Enter, opens its editor; dragging over it selects text to copy, and links in it are links. */
  #editOnPress() {
    const label = `Code of ${this.spokenName}. Enter edits it, Shift+Enter runs it.`;
    const code = this.input.querySelector("pre");
    Object.assign(code, { tabIndex: 0, role: "group", ariaLabel: label });
    code.onclick = ({ target }) => getSelection().isCollapsed && !target.closest("a") && this.edit();
    code.onkeydown = (event) => {
      if (event.key !== "Enter" || event.target.closest("a")) return;
      event.preventDefault();
      if (event.shiftKey || event.ctrlKey || event.metaKey) this.run();
      else this.edit();
    };
  }

  /** Show the reader's text, if there is one. */
  show(text = this.memory.text) {
    if (this.editor && this.editor.text !== text) this.editor.text = text;
    if (!this.editor && this.isEdited) this.edit({ focus: false });
    this.refresh();
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
    const isLate = !window.bookEditor && !this.busy;
    if (isLate) this.say("Loading the editor…");
    const open = await loadEditor();
    if (isLate && !this.busy) this.say(open ? "" : NO_EDITOR);
    if (!open) return;
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

  refresh() {
    super.refresh();
    this.element.classList.toggle("book-edited", this.isEdited);
    this.editButton.hidden = this.editor !== null;
    this.element.dispatchEvent(new CustomEvent("book:code"));
  }
}
