/**
 * One code cell of a page, run by the notebook of notebook.js.
 *
 *   Cell         code that the page does not show at all
 *   UnrunCell    code that cannot run in a page, and says why
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
  ranCode = null; // the code that ran last
  isHeld = false; // whether Python holds its variables
  isPart = false; // whether it was stopped, so that some may be missing
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
    return this.isHeld && this.ranCode === this.code;
  }

  /** Require it to run again. */
  forgetRun() {
    this.isHeld = this.isPart = false;
  }

  /**
   * Run the code; `isShown`: whether its output is shown, or only an error.
   *
   * @param {{ isShown?: boolean, hasNewNeeds?: (result: any) => boolean, onOutput?: (message: any) => void }} [options]
   * @returns {Promise<any>} the result of `python.run`; if it `hasNewNeeds`, it is unfinished, and nothing is said of it
   */
  async execute(python, options = {}) {
    const { code, exercise } = this;
    const { onOutput, hasNewNeeds = () => false } = options;
    const result = await python.run(this.name, code, { exercise, onOutput });
    Object.assign(this, { ranCode: code, isHeld: result.ok, isPart: false });
    return { ...result, isUnfinished: hasNewNeeds(result) };
  }
}

/** A cell that cannot run in a page; in its place runs what of it can, such as its imports. */
export class UnrunCell extends Cell {
  /** @param {HTMLElement | null} element @param {{ name: string, rest: string, why: string, visible: boolean }} facts */
  constructor(element, facts) {
    super(element, { ...facts, code: facts.rest });
    const bar = make("div", { className: "book-bar", textContent: `Not run in the page: ${facts.why}.` });
    if (facts.why && facts.visible) element?.querySelector(".cell_input")?.after(bar);
  }
}

/** A cell with an output and a line of buttons. */
class ShownCell extends Cell {
  busy = false;
  status = make("span", { className: "book-status", role: "status" });
  next = make("span", { className: "book-next" });
  loading = make("span", { className: "book-progress", "aria-hidden": "true" }); // changes too often to be read aloud
  staleNote = make("p", { className: "book-stale" }, "Computed before your change.");

  constructor(element, facts, notebook) {
    super(element, facts);
    this.notebook = notebook;
    this.outputs = new Outputs(element);
    this.runButton = this.makeButton(this.verb, () => this.run());
    this.runButton.classList.add("book-run");
    this.stopButton = this.makeButton("Stop", () => notebook.stop());
    this.belowButton = this.makeButton("Run all below", () => notebook.runBelow(this));
    this.belowButton.title = "Run this cell, then all cells and figures below it; exercises are skipped";
    this.resetButton = this.makeButton("Start over", () => this.#reset());
    this.restartButton = this.makeButton("Restart Python", () => notebook.restart(this));
    this.restartButton.title = "Forget all variables; your text, outputs and progress are kept";
    const buttons = [this.runButton, this.stopButton, this.belowButton, this.resetButton, this.restartButton];
    this.bar = make("div", { className: "book-bar" }, ...buttons, this.status, this.next, this.loading);
    this.#watchIntent();
  }

  /** Say what Run will do, and start Python as soon as the reader rests there; passing over it, or tabbing past it, is no intent. */
  #watchIntent() {
    let resting;
    const leave = () => clearTimeout(resting);
    const enter = () => {
      leave();
      resting = setTimeout(() => this.notebook.prepare(), REST);
      const above = this.notebook.missing(this).length;
      const first = above ? ` Of the cells above, ${above} ${above === 1 ? "runs" : "run"} first.` : "";
      this.runButton.title = `Shift+Enter in the code does the same.${first}`;
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

  async execute(python, options = {}) {
    const { outputs } = this;
    const { isShown = true } = options;
    let verdict = null;
    if (isShown) outputs.clear();
    const onOutput = (message) => {
      verdict = verdictIn(message) ?? verdict;
      if (isShown) outputs.add(message);
    };
    const result = { ...(await super.execute(python, { ...options, onOutput })), verdict };
    if (result.isUnfinished) return result;
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
    const isThere = new RegExp(`^[^#\\n]*\\bcheck\\(\\s*["']${this.exercise}["']`, "m").test(this.ranCode);
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

  /** @param {...(string | Node)} words a sentence, links included */
  say(...words) {
    this.status.replaceChildren(...words);
    this.next.replaceChildren();
    this.loading.replaceChildren();
  }

  /** Offer a button for the next step. */
  offerNext(text, onclick) {
    this.next.append(this.makeButton(text, onclick));
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
    element.append(this.bar, this.#makeCode());
    this.refresh();
  }

  get verb() {
    return "Redraw with your code";
  }

  /** The folded code; it is filled in when it is opened, and coloured once the editor has loaded. */
  #makeCode() {
    const code = make("pre", { tabIndex: 0 }, this.starter);
    const details = make("details", { className: "book-code" }, make("summary", {}, "Show the code of this figure"), code);
    const colour = async () => {
      const open = await loadEditor();
      if (!open) return;
      const place = make("div", { className: "book-editor highlight" });
      code.replaceWith(place);
      open(place, this.starter, { label: `Code of ${this.name}`, readOnly: true });
    };
    details.addEventListener("toggle", colour, { once: true });
    return details;
  }

  /** It is offered once the reader's code has run in a cell that it needs. */
  refresh() {
    super.refresh();
    const isOffered = this.needs.some(({ ranCode, starter }) => ranCode !== null && ranCode !== starter);
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
    this.#keep(text);
  }

  #keep(text) {
    this.memory.text = text;
    this.#note();
  }

  /** The text is another one now. */
  #note() {
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
    if (this.editor?.text === before) this.editor.text = text;
    else if (!this.editor && this.isEdited) this.edit({ focus: false });
    this.#note();
  }

  /** Bring back the book's code, output and figures; undo in the editor brings back the reader's code. */
  startOver() {
    this.code = this.starter;
    this.needs = this.bookNeeds;
    this.forgetRun();
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
