/**
 * The code cells of a page, made to run: each in place, after those above it, by one Python.
 *
 * The built page lists the code of all its cells, hidden ones included, in `#book-cells`:
 * [{ index, visible, code, exercise }, …]. The k-th visible one is the k-th `div.cell` with an input.
 * Nothing is loaded before the first Edit or Run, and without this script the page is whole as it is.
 */
import "./cells.css";

import { isOutdated } from "./build.js";
import { Cell, CodeCell, FigureCell } from "./cell.js";
import { notify } from "./notice.js";
import { GONE, Python } from "./python.js";
import { bookRoot, whenParsed } from "./ready.js";
import * as store from "./store.js";

const AGAIN = "The cells above run again before the next one.";

/** The cells of a page and the one Python that runs them, one at a time. */
export class Notebook {
  /** @param makePython makes the page's Python from { onProgress, onFault }; called at the first run */
  constructor(makePython) {
    this.makePython = makePython;
    this.python = null;
    this.cells = [];
    this.running = null; // the cell whose Run was pressed
    this.last = Promise.resolve(); // the end of the last run asked for
    this.round = 0; // counts the times that what waits was cancelled
    this.cancelled = ""; // by what
  }

  /** Run a cell after those above it that have not run; while another runs, it waits its turn. */
  run(cell) {
    const { round } = this;
    cell.setBusy(true);
    cell.say("Waiting for its turn…");
    this.last = this.last.then(() => (round === this.round ? this.#take(cell) : this.#skip(cell)));
    return this.last;
  }

  /** Stop what runs, and what waits. */
  stop() {
    this.#cancel("Stop");
    this.running?.say("Stopping…");
    this.python?.stop();
  }

  /** Start Python again without any variables; what runs and what waits is cancelled. */
  restart(cell) {
    this.#cancel("Restart Python");
    this.python?.restart();
    this.#forget();
    cell.say(`Python was restarted. ${GONE} ${AGAIN}`);
  }

  /** The cell of an exercise. */
  ofExercise(label) {
    return this.cells.find((cell) => cell.exercise === label);
  }

  #cancel(button) {
    this.round += 1;
    this.cancelled = button;
  }

  #skip(cell) {
    cell.setBusy(false);
    cell.say(`Cancelled by ${this.cancelled}.`);
    return null;
  }

  async #take(cell) {
    const { round } = this;
    this.running = cell;
    try {
      await this.#start(cell);
      return await this.#runInOrder(cell);
    } catch (error) {
      cell.say("Not run.");
      if (round === this.round && !(await isOutdated())) notify(error.message); // else the reader has stopped it
      return null;
    } finally {
      this.running = null;
      cell.setBusy(false);
    }
  }

  async #start(cell) {
    this.python ??= this.makePython({ onProgress: (report) => this.running?.showProgress(report), onFault: notify });
    if (this.python.state === "ready") return;
    cell.say("Starting Python…");
    isOutdated();
    await this.python.start();
  }

  /** Run what is missing above, the cell, and the figures that show what the reader changed in it. */
  async #runInOrder(cell) {
    const { round } = this;
    const above = this.#missingAbove(cell);
    for (const [i, each] of above.entries()) {
      cell.say(`Running the cells above, ${i + 1} of ${above.length}…`);
      const { ok } = await this.#execute(each, { shown: this.isChanged });
      if (round !== this.round) return cell.say("Stopped before this cell.");
      if (!ok && each instanceof CodeCell) return cell.say(`Not run: ${each.name}, above, ended with an error.`);
    }
    cell.say("Running…");
    const began = performance.now();
    const result = await this.#execute(cell);
    cell.say(outcome(result, performance.now() - began));
    if (result.ok && cell.isEdited && !cell.isApart) await this.#redrawAfter(cell);
    return result;
  }

  async #execute(cell, options) {
    const result = await cell.execute(this.python, options);
    if (result.restarted) this.#forget();
    if (this.isChanged) this.cells.forEach((each) => each.offer?.());
    return result;
  }

  /** Every cell has to run again. */
  #forget() {
    this.cells.forEach((each) => (each.ran = false));
  }

  /** Whether the reader's code has run in place of the book's. */
  get isChanged() {
    return this.cells.some((cell) => cell.ran && cell.isEdited && !cell.isApart);
  }

  /** The cells above that have not run; answers to exercises and solutions stand apart. */
  #missingAbove(cell) {
    const above = this.cells.slice(0, this.cells.indexOf(cell));
    return above.filter((each) => !each.ran && !each.isApart);
  }

  async #redrawAfter(cell) {
    for (const figure of this.figuresOf(cell)) {
      const { ok } = await this.#execute(figure);
      if (!ok) return;
    }
  }

  /** The hidden cells between a cell and the next visible one. */
  figuresOf(cell) {
    const below = this.cells.slice(this.cells.indexOf(cell) + 1);
    const end = below.findIndex((each) => each instanceof CodeCell);
    return end < 0 ? below : below.slice(0, end);
  }
}

/** How a run ended, in a few words. */
function outcome({ ok, stopped, restarted }, milliseconds) {
  const end = ok ? done(milliseconds) : stopped ? "Stopped." : "Ended with an error.";
  if (restarted) return stopped ? `${end} Python had to be restarted. ${GONE} ${AGAIN}` : `${end} ${AGAIN}`;
  return stopped ? `${end} Your variables are kept.` : end;
}

/** A time that would be told as 0.0 s is not told. */
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
  const elements = elementsOf(listed);
  const seen = new Map(); // starters may be equal
  let number = 0;
  listed.forEach((facts, i) => {
    if (facts.visible) number += 1;
    const name = nameOf(facts, elements[i], number);
    notebook.cells.push(makeCell(elements[i], { ...facts, name }, notebook, placeOf(facts, seen)));
  });
  return notebook;
}

/** What to call a cell: by its exercise, its number, its figure's number, or its place among all. */
function nameOf({ index, visible, exercise }, element, number) {
  if (visible) return exercise ?? `cell ${number}`;
  return element?.querySelector(".caption-number")?.textContent.trim() || `hidden cell ${index + 1}`;
}

function makeCell(element, facts, notebook, place) {
  if (facts.visible && element) return new CodeCell(element, facts, notebook, place);
  const isFigure = element?.querySelector(".cell_output") ?? null;
  return isFigure ? new FigureCell(element, facts, notebook) : new Cell(element, facts);
}

/** What to remember a cell's text under: its exercise, or its page and number among equal cells. */
function placeOf({ exercise, code }, seen) {
  const page = exercise ?? location.pathname.split("/").pop().replace(/\.html$/, "");
  const times = (seen.get(code) ?? 0) + 1;
  seen.set(code, times);
  return times === 1 ? page : `${page}:${times}`;
}

/**
 * The element of each listed cell, null where the page shows nothing of it.
 *
 * Visible cells are counted. Between two of them, hidden elements are matched from the last one back.
 */
function elementsOf(listed) {
  const elements = [...document.querySelectorAll("div.cell")];
  const found = new Array(listed.length).fill(null);
  let at = elements.length - 1;
  for (let i = listed.length - 1; i >= 0; i--) {
    const isVisible = (element) => element?.querySelector(".cell_input") !== null;
    if (listed[i].visible) while (at >= 0 && !isVisible(elements[at])) at -= 1;
    if (at >= 0 && isVisible(elements[at]) === listed[i].visible) found[i] = elements[at--];
  }
  return found;
}

/** Say, once, when the browser keeps nothing. */
function watchStorage() {
  const tell = () => store.trouble && notify(store.trouble);
  document.addEventListener("book:storage", tell);
  tell();
}

whenParsed(() => {
  watchStorage();
  const base = new URL("_pyodide/", bookRoot()).href;
  window.bookCells = startCells((options) => new Python({ base, ...options }));
});
