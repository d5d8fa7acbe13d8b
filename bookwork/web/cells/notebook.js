/**
 * Makes the code cells of a page run in one Python: each in its place, after those above it that it needs.
 *
 * The built page lists its cells, hidden ones included, in `#book-cells`: [{ index, visible, code, exercise, needs, undoes }, …];
 * what it shows of one has the class `book-cell-<index>`. By their places in this list, `needs` are the cells above from which a
 * cell has its names, and `undoes` those below that give the same names another value (bookwork/book/needs.py). A cell that
 * cannot run in a page has { why, rest } as well: the reason, and the code that runs in its place.
 * Nothing is loaded before a reader is about to edit or run a cell, and without this script the page is still complete.
 */
import "./cells.css";

import { Cell, CodeCell, FigureCell, ShownCell } from "./cell.js";
import { element } from "../site/element.js";
import { setUpFields } from "./text-fields.js";
import { GONE, Python } from "./python.js";
import { keyOf } from "../exercises/key.js";
import { ROOT } from "../site/this-book.js";

const AGAIN = "The cells above run again before the next one.";
const PAUSE = 250; // milliseconds after the last edit before stale outputs are marked
const WORD = /[\p{L}\p{N}_]+/gu;

/** The cells of a page and the one Python that runs them, one at a time. */
export class Notebook {
  /** @param makePython makes the page's Python from { onProgress }; called at the first run */
  constructor(makePython) {
    this.makePython = makePython;
    this.python = null;
    this.cells = [];
    this.running = null; // the cell whose Run was pressed
    this.last = /** @type {Promise<any>} */ (Promise.resolve()); // the run after which the next one begins
    this.turn = { cancelledBy: "" }; // shared by all that run or wait: the button that cancelled them
  }

  /** Run a cell after those that it needs; while another runs, it waits. Fetch what it `wants` first, if the reader has asked for it. */
  run(cell, wants = null) {
    cell.setBusy(true);
    cell.say("Waiting for another cell…");
    const { turn } = this;
    this.last = this.last.then(() => this.#take(cell, turn, wants));
    return this.last;
  }

  #cancel(by) {
    this.turn.cancelledBy = by;
    this.turn = { cancelledBy: "" };
  }

  /** Run a cell, then all below it, up to the first that fails; exercises are skipped. */
  async runBelow(cell) {
    const { turn } = this;
    const below = this.cells.slice(this.cells.indexOf(cell) + 1).filter((each) => each instanceof ShownCell && !each.isApart);
    for (const each of [cell, ...below]) {
      const result = await this.run(each);
      const isNeeded = each === cell || each instanceof CodeCell;
      if (turn.cancelledBy || (isNeeded && !result?.ok)) return;
    }
  }

  /** Stop the running cell and cancel those that wait. */
  stop() {
    this.#cancel("Stop");
    this.running?.say("Stopping…");
    this.python?.stop();
  }

  /** Restart Python without any variables; cells that run or wait are cancelled. */
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

  /** Start Python, once; rejects with a sentence for the reader. */
  startPython() {
    this.python ??= this.makePython({ onProgress: (report) => this.running?.showLoading(report) });
    return this.python.start();
  }

  /** Start Python while the reader is about to press Run; should that fail, Run says so. */
  prepare() {
    if (!this.python) this.startPython().catch(() => {});
  }

  async #take(cell, turn, wants) {
    try {
      if (turn.cancelledBy) return cell.say(`Cancelled by ${turn.cancelledBy}.`);
      this.running = cell;
      if (this.python?.state !== "ready") cell.say("Starting Python…");
      await this.startPython();
      if (wants && !(await this.#fetch(cell, wants))) return null;
      return await this.#runInOrder(cell, turn);
    } catch (error) {
      cell.say(`Not run. ${error.message}`);
    } finally {
      this.running = null;
      cell.setBusy(false);
    }
  }

  /** Run what a cell needs, then the cell, then the figures that show what the reader changed in it. */
  async #runInOrder(cell, turn) {
    const [began, tried] = [performance.now(), new Set()];
    const result = await this.#runWithNeeds(cell, turn, tried);
    if (!result || result.wants) return result;
    const figures = result.ok && !cell.isApart ? this.figuresOf(cell) : [];
    const toDraw = cell.isEdited || figures.some(({ outputs }) => outputs.isOwn) ? figures : [];
    for (const figure of toDraw) if (!turn.cancelledBy) await this.#runWithNeeds(figure, turn, tried);
    if (toDraw.length && turn.cancelledBy) cell.say("Done; stopped before all figures below were drawn.");
    else cell.say(outcome(result, performance.now() - began, tried.size), ...heard(result));
    return result;
  }

  /** Run the cells that a cell needs and that Python does not hold, then the cell; null, if it cannot run after those. */
  async #runWithNeeds(cell, turn, tried) {
    for (let left; (left = cell.needs.filter((each) => !each.isCurrent && !tried.has(each))).length;) {
      const [above] = left;
      this.running.say(`Running the cells above, ${tried.size + 1} of ${tried.size + left.length}…`);
      tried.add(above);
      const result = await this.#execute(above, { isShown: isChanged(above) });
      if (turn.cancelledBy) above.held = null; // it may have been stopped halfway, and the reader saw nothing of it
      if (!turn.cancelledBy && (result.ok || !(above instanceof CodeCell))) continue;
      this.#sayWhyNot(cell, above, result, turn);
      return null;
    }
    this.running.say("Running…");
    const result = await this.#execute(cell);
    if (result.wants) this.#offerDownload(cell, result.wants);
    return this.#learn(cell, result) ? this.#runWithNeeds(cell, turn, tried) : result;
  }

  #sayWhyNot(cell, above, { wants }, turn) {
    if (turn.cancelledBy) return this.running.say("Stopped before this cell.");
    if (wants) return this.#offerDownload(cell, wants);
    const href = `#${above.element.closest("[id]").id}`;
    cell.say("Not run: ", element("a", { href, textContent: above.name }), ", above, ended with an error.");
  }

  /** Where a name is missing that a cell above may make, which the reader has written: let the cell need it, and tell that it does. */
  #learn(cell, { error }) {
    const [, name] = (error?.type === "NameError" && /^name '(.+?)' is not defined/.exec(error.message)) || [];
    const above = this.cells.slice(0, this.cells.indexOf(cell)).filter(({ solution }) => !solution || solution === cell.solution);
    const isNew = (each) => !each.isCurrent && !cell.needs.includes(each);
    const makers = above.filter((each) => isNew(each) && each.code.match(WORD)?.includes(name));
    const needed = new Set([...cell.needs, ...makers, ...makers.flatMap(({ needs }) => needs)]);
    if (makers.length) cell.needs = above.filter((each) => needed.has(each));
    return makers.length > 0;
  }

  /** Run one cell; what was made with another code of it, or with a value that it replaces, has to run again. */
  async #execute(cell, { isShown = true } = {}) {
    const before = cell.held;
    if (isShown) cell.source = sourceOf(cell, ({ code }) => code);
    if (isShown) cell.setStale?.(false); // at once: later the reader may be about to press what is below the mark
    const result = await cell.execute(this.python, { isShown });
    if (result.restarted) this.#forget();
    const isPast = (each) => cell.undoes.includes(each) || (cell.held !== before && each.needs.includes(cell));
    this.cells.filter(isPast).forEach((each) => (each.held = null));
    this.cells.forEach((each) => each instanceof FigureCell && each.refresh());
    this.markStale();
    return result;
  }

  /** Offer to fetch a large file that a cell needs, and to run it then. */
  #offerDownload(cell, wants, sentence = wants.message) {
    const fetch = cell.makeButton(`Fetch ${wants.title}`, () => {
      cell.runButton.focus(); // the button that was pressed disappears
      return this.run(cell, wants);
    });
    cell.say(sentence, " ", fetch);
  }

  /** Fetch a large file that the reader has asked for; false, if it is not there after that. */
  async #fetch(cell, wants) {
    cell.say("");
    const { ok, stopped, restarted, error } = await this.python.download(wants);
    if (restarted) this.#forget();
    if (!ok) this.#offerDownload(cell, wants, stopped ? wants.message : error.message);
    return ok;
  }

  /** Mark the outputs that were computed before a change, once the reader has stopped typing. */
  markStale() {
    clearTimeout(this.marking);
    this.marking = setTimeout(() => this.cells.forEach((cell) => cell.setStale?.(isStale(cell))), PAUSE);
  }

  /** Require every cell to run again. */
  #forget() {
    this.cells.forEach((each) => (each.held = null));
  }

  /** Let every cell show the reader's saved text for it. */
  showAnswers() {
    this.cells.forEach((cell) => cell instanceof CodeCell && cell.show());
    this.markStale();
  }

  /** The figures that show what a cell makes: those that need it, up to the next visible cell. */
  figuresOf(cell) {
    const below = this.cells.slice(this.cells.indexOf(cell) + 1);
    const end = below.findIndex((each) => each instanceof CodeCell);
    return below.slice(0, end < 0 ? undefined : end).filter((each) => each instanceof FigureCell && each.needs.includes(cell));
  }
}

/** Whether a cell computes something else than in the book. */
function isChanged(cell) {
  return [cell, ...cell.needs].some(({ isEdited }) => isEdited);
}

/** All code that a cell's output is computed from. */
function sourceOf(cell, codeOf) {
  return [...cell.needs, cell].map(codeOf).join("\0");
}

function isStale(cell) {
  return (cell.source ?? sourceOf(cell, ({ starter }) => starter)) !== sourceOf(cell, ({ code }) => code);
}

/** A verdict, for those who hear the page. */
function heard({ verdict }) {
  const textContent = verdict && ` ${verdict.status}: ${verdict.message}`;
  return verdict ? [element("span", { className: "book-heard", textContent })] : [];
}

/** How a run ended, in a few words. */
function outcome({ ok, stopped, restarted }, milliseconds, above) {
  const end = ok ? done(milliseconds, above) : stopped ? "Stopped." : "Ended with an error.";
  if (restarted) return stopped ? `${end} Python had to be restarted. ${GONE} ${AGAIN}` : `${end} ${AGAIN}`;
  return stopped ? `${end} Your variables are kept.` : end;
}

/** The whole time; one that would read 0.0 s is left out. */
function done(milliseconds, above) {
  const time = `Done in ${(milliseconds / 1000).toFixed(1)} s`;
  return milliseconds < 50 ? "Done." : above ? `${time}, cells above included.` : `${time}.`;
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
    const place = document.querySelector(`.book-cell-${facts.index}`);
    if (facts.visible) number += 1;
    const name = nameOf(facts, place, facts.visible ? number : i + 1);
    notebook.cells.push(makeCell(place, { ...facts, name }, notebook));
  });
  const cellsAt = (places = []) => places.map((place) => notebook.cells[place]);
  listed.forEach(({ needs, undoes }, i) => {
    Object.assign(notebook.cells[i], { needs: cellsAt(needs), bookNeeds: cellsAt(needs), undoes: cellsAt(undoes) });
  });
  notebook.showAnswers();
  setUpFields(notebook.cells);
  document.addEventListener("book:answers", () => notebook.showAnswers());
  return notebook;
}

/** What to call a cell: by its exercise, its number among the visible ones, its figure's number, or its place among all. */
function nameOf({ visible, exercise }, place, number) {
  if (visible) return exercise ?? `cell ${number}`;
  return place?.querySelector(".caption-number")?.textContent.trim() || `hidden cell ${number}`;
}

function makeCell(place, facts, notebook) {
  if (facts.rest !== undefined) return unrun(place, facts);
  if (facts.exercise && keyOf(facts.exercise)) return new Cell(place, facts); // it has a form
  if (facts.visible && place) return new CodeCell(place, facts, notebook);
  return place?.querySelector(".cell_output") ? new FigureCell(place, facts, notebook) : new Cell(place, facts);
}

/** A cell that cannot run in a page, and says so; in its place runs what of it can, such as its imports. */
function unrun(place, facts) {
  const bar = element("div", { className: "book-bar", textContent: `Not run in the page: ${facts.why}.` });
  if (facts.why && facts.visible) place?.querySelector(".cell_input")?.after(bar);
  return new Cell(place, { ...facts, code: facts.rest });
}

const base = new URL("_pyodide/", ROOT).href;
window.bookCells = startCells((options) => new Python({ base, ...options }));
