/**
 * Makes the code cells of a page run, each in place and after those above it, in one Python.
 *
 * The built page lists the code of all its cells, hidden ones included, in `#book-cells`:
 * [{ index, visible, code, exercise, anew }, …]; what it shows of one has the class `book-cell-<index>`. A cell that cannot
 * run in a page has { why, rest } as well: the reason, and the code that runs in its place before the cells below.
 * Nothing is loaded before a reader is about to edit or run one, and without this script the page is still complete.
 */
import "./cells.css";

import { Cell, CodeCell, FigureCell, UnrunCell } from "./cell.js";
import { isAffected } from "./depends.js";
import { setUpFields } from "./text-fields.js";
import { GONE } from "./task.js";
import { Python } from "./python.js";
import { Queue } from "./queue.js";
import { bookRoot, whenParsed } from "../site/ready.js";

const AGAIN = "The cells above run again before the next one.";
const PAUSE = 250; // milliseconds after the last edit before stale outputs are marked

/** The cells of a page and the one Python that runs them, one at a time. */
export class Notebook {
  /** @param makePython makes the page's Python from { onProgress }; called at the first run */
  constructor(makePython) {
    this.makePython = makePython;
    this.python = null;
    this.cells = [];
    this.running = null; // the cell whose Run was pressed
    this.purpose = ""; // what is loaded for, if not for that cell
    this.asked = new Set(); // paths of large files that the reader has asked for
    this.queue = new Queue(); // of cells, each with those above it that have to run first
  }

  /** Run a cell after those above it that have not run; while another runs, it waits. */
  run(cell) {
    cell.setBusy(true);
    cell.say("Waiting for another cell…");
    return this.queue.add((turn) => (turn.cancelledBy ? this.#skip(cell, turn) : this.#take(cell, turn)));
  }

  /** Run a cell, then all below it, up to the first that fails; exercises are skipped. */
  async runBelow(cell) {
    const { turn } = this.queue;
    const below = this.cells.slice(this.cells.indexOf(cell) + 1).filter((each) => !each.isApart);
    for (const each of [cell, ...below]) {
      const result = await this.run(each);
      const isNeeded = each === cell || each instanceof CodeCell;
      if (turn.cancelledBy || (isNeeded && !result?.ok)) return;
    }
  }

  /** Run a cell after all above it, including those that have already run. */
  runAbove(cell) {
    this.#above(cell).forEach((each) => each.forgetRun());
    return this.run(cell);
  }

  /** Stop the running cell and cancel those that wait. */
  stop() {
    this.queue.cancel("Stop");
    this.running?.say("Stopping…");
    this.python?.stop();
  }

  /** Restart Python without any variables; cells that run or wait are cancelled. */
  restart(cell) {
    this.queue.cancel("Restart Python");
    this.python?.restart();
    this.#forget();
    cell.say(`Python was restarted. ${GONE} ${AGAIN}`);
  }

  /** The cell of an exercise. */
  ofExercise(label) {
    return this.cells.find((cell) => cell.exercise === label);
  }

  #skip(cell, { cancelledBy }) {
    cell.setBusy(false);
    cell.say(`Cancelled by ${cancelledBy}.`);
    return null;
  }

  async #take(cell, turn) {
    this.running = cell;
    try {
      await this.#start(cell);
      return await this.#runInOrder(cell, turn);
    } catch (error) {
      cell.say(turn.cancelledBy ? "Not run." : `Not run. ${error.message}`);
      return null;
    } finally {
      this.running = null;
      cell.setBusy(false);
    }
  }

  /** Start Python, once; rejects with a sentence for the reader. */
  startPython() {
    this.python ??= this.makePython({
      onProgress: (report) => this.running?.showLoading({ ...report, text: this.purpose + report.text }),
    });
    return this.python.start();
  }

  /** Start Python while the reader is about to press Run; should that fail, Run says so. */
  prepare() {
    if (!this.python) this.startPython().catch(() => {});
  }

  async #start(cell) {
    if (this.python?.state === "ready") return;
    cell.say("Starting Python…");
    await this.startPython();
  }

  /** Run the cells above that have not run, then the cell, then the figures that show what the reader changed in it. */
  async #runInOrder(cell, turn) {
    const above = this.missingAbove(cell);
    for (const [i, each] of above.entries()) {
      cell.say(`Running the cells above, ${i + 1} of ${above.length}…`);
      const { ok, wants } = await this.#execute(each, { shown: this.isChanged });
      const failed = !ok && each instanceof CodeCell;
      if (turn.cancelledBy) cell.say("Stopped before this cell.");
      else if (failed && wants) this.#offerDownload(cell, wants);
      else if (failed) this.#sayFailed(cell, each);
      if (turn.cancelledBy || failed) return null;
    }
    cell.say("Running…");
    const began = performance.now();
    const result = await this.#execute(cell);
    if (result.wants && !result.stopped) this.#offerDownload(cell, result.wants);
    else this.#sayEnd(cell, outcome(result, performance.now() - began));
    const isShown = cell.isEdited || this.figuresOf(cell).some(({ outputs }) => outputs?.isOwn);
    if (result.ok && isShown && !cell.isApart) await this.#redrawAfter(cell, turn);
    return result;
  }

  /** Offer to fetch a large file that a cell needs: it runs once that is there. */
  #offerDownload(cell, { path, title, message }) {
    cell.say(message);
    cell.offerNext(`Fetch ${title}`, () => {
      this.asked.add(path);
      cell.runButton.focus(); // the button that was pressed disappears
      return this.run(cell);
    });
  }

  /** Say that a cell above failed; the reader may run this one without it. */
  #sayFailed(cell, above) {
    cell.say("Not run: ", above.link, ", above, ended with an error.");
    cell.offerNext("Run all the same", () => {
      above.passedCode = above.code;
      return this.run(cell);
    });
  }

  /** Say how a run ended, and name a cell above whose code on the page is not what ran. */
  #sayEnd(cell, sentence) {
    const behind = this.#above(cell).find((each) => each.isBehind);
    if (behind) {
      cell.say(`${sentence} `, behind.linkAs(capital(behind.name)), ", above, was changed after it ran.");
      cell.offerNext("Run all above", () => this.runAbove(cell));
    } else cell.say(sentence);
  }

  async #execute(cell, { shown = true } = {}) {
    if (shown) this.beginOutput(cell);
    let result = await cell.execute(this.python, { shown });
    if (this.asked.has(result.wants?.path)) result = await this.#fetchFor(cell, result.wants, shown);
    if (result.restarted) this.#forget();
    if (this.isChanged) this.cells.forEach((each) => each.offer?.());
    this.markStale();
    return result;
  }

  /** Fetch a large file that the reader has asked for, and run the cell again that needs it. */
  async #fetchFor(cell, wants, shown) {
    this.running.say("");
    const fetched = await this.python.download(wants);
    this.running.say("Running…");
    if (fetched.ok && shown) this.beginOutput(cell);
    if (fetched.ok) return cell.execute(this.python, { shown });
    if (fetched.stopped) this.asked.delete(wants.path);
    return { ...fetched, wants: { ...wants, message: fetched.error?.message ?? wants.message } };
  }

  /** Note what a cell's new output is computed from, and unmark it at once: later the reader may be about to press what is below the mark. */
  beginOutput(cell) {
    cell.basis = new Map(this.#above(cell).map((each) => [each, each.ranCode ?? each.code]));
    cell.basis.set(cell, cell.code);
    cell.setStale(this.#causeOf(cell));
  }

  /** Mark the outputs that were computed before a change, once the reader has stopped typing. */
  markStale() {
    clearTimeout(this.marking);
    this.marking = setTimeout(() => this.cells.forEach((cell) => cell.setStale(this.#causeOf(cell))), PAUSE);
  }

  /** The cell that was changed after a cell's output was computed, or null. */
  #causeOf(cell) {
    const before = (each) => cell.basis?.get(each) ?? each.starter;
    if (before(cell) !== cell.code) return cell;
    const above = this.#above(cell);
    const cause = above.find((each) => before(each) !== each.code);
    if (!cause) return null;
    const changes = above.map((each) => /** @type {[string, string]} */ ([before(each), each.code]));
    return isAffected(changes, cell.code) ? cause : null;
  }

  /** Require every cell to run again. */
  #forget() {
    this.cells.forEach((each) => each.forgetRun());
  }

  /** Whether the reader's code has run in place of the book's. */
  get isChanged() {
    return this.cells.some((cell) => cell.ran && cell.ranCode !== cell.starter && !cell.isApart);
  }

  /** The cells above that may concern a cell, without answers to exercises and other solutions. */
  #above(cell) {
    const end = this.cells.indexOf(cell);
    const start = this.cells.findLastIndex((each, i) => i <= end && each.startsAnew);
    const concerns = (each) => !each.isApart || (cell.solution && each.solution === cell.solution);
    return this.cells.slice(Math.max(start, 0), end).filter(concerns);
  }

  /** The cells above that have not run, without those that failed and that the reader goes without. */
  missingAbove(cell) {
    return this.#above(cell).filter((each) => !each.ran && each.passedCode !== each.code);
  }

  /** Let every cell show the reader's saved text for it. */
  showAnswers() {
    this.cells.filter((cell) => cell instanceof CodeCell).forEach((cell) => cell.show());
    this.markStale();
  }

  async #redrawAfter(cell, turn) {
    this.purpose = "For the figures below: ";
    for (const figure of this.figuresOf(cell)) {
      const { ok } = await this.#execute(figure);
      if (turn.cancelledBy) cell.say("Done; stopped before all figures below were drawn.");
      if (!ok || turn.cancelledBy) break;
    }
    this.purpose = "";
    cell.endLoading();
  }

  /** The hidden cells between a cell and the next visible one. */
  figuresOf(cell) {
    const below = this.cells.slice(this.cells.indexOf(cell) + 1);
    const end = below.findIndex((each) => each instanceof CodeCell);
    return end < 0 ? below : below.slice(0, end);
  }
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** How a run ended, in a few words. */
function outcome({ ok, stopped, restarted }, milliseconds) {
  const end = ok ? done(milliseconds) : stopped ? "Stopped." : "Ended with an error.";
  if (restarted) return stopped ? `${end} Python had to be restarted. ${GONE} ${AGAIN}` : `${end} ${AGAIN}`;
  return stopped ? `${end} Your variables are kept.` : end;
}

/** A time that would read 0.0 s is left out. */
function done(milliseconds) {
  return milliseconds < 50 ? "Done." : `Done in ${(milliseconds / 1000).toFixed(1)} s.`;
}

/**
 * Give every code cell of the page its buttons.
 *
 * @param makePython see Notebook
 * @returns {Notebook}
 */
export function startCells(makePython) {
  const notebook = new Notebook(makePython);
  const listed = JSON.parse(document.getElementById("book-cells")?.textContent ?? "[]");
  let number = 0;
  listed.forEach((facts, i) => {
    const element = document.querySelector(`.book-cell-${facts.index}`);
    if (facts.visible) number += 1;
    const name = nameOf(facts, element, facts.visible ? number : i + 1);
    const twins = listed.slice(0, i).filter(({ visible, code }) => visible && code === facts.code).length;
    notebook.cells.push(makeCell(element, { ...facts, name, twins }, notebook));
  });
  notebook.showAnswers();
  setUpFields(notebook.cells);
  document.addEventListener("book:answers", () => notebook.showAnswers());
  return notebook;
}

/** What to call a cell: by its exercise, its number among the visible ones, its figure's number, or its place among all. */
function nameOf({ visible, exercise }, element, number) {
  if (visible) return exercise ?? `cell ${number}`;
  return element?.querySelector(".caption-number")?.textContent.trim() || `hidden cell ${number}`;
}

function makeCell(element, facts, notebook) {
  if (facts.rest !== undefined) return new UnrunCell(element, facts);
  if (facts.visible && element) return new CodeCell(element, facts, notebook);
  const isFigure = element?.querySelector(".cell_output") ?? null;
  return isFigure ? new FigureCell(element, facts, notebook) : new Cell(element, facts);
}

whenParsed(() => {
  const base = new URL("_pyodide/", bookRoot()).href;
  window.bookCells = startCells((options) => new Python({ base, ...options }));
});
