/**
 * A guess in a live figure: outlines of bars, cells or points, which the reader drags or moves by keys.
 *
 * A view tells where they can be drawn (`slots`, see live/js/figure.js). With the answer the figure's controls go to the
 * values that the box names, and it draws what Python computed; the outlines stay there, and only there.
 */
import { placeIn } from "../../live/js/reading.js";
import { place, printer, svg, within } from "../../live/js/svg.js";
import { button, element } from "../site/element.js";

const STEPS = 20; // of the arrow keys, from one end of a scale to the other
const KEYS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowDown: [1, -1],
  ArrowUp: [1, 1],
  PageDown: [1, -STEPS / 4],
  PageUp: [1, STEPS / 4],
  Home: [0, -STEPS],
  End: [0, STEPS],
}; // axis, and how many steps along it

/** A form, as form.js describes one, whose answer is drawn in a figure; it has nothing to mark, for the outlines stay beside the truth. */
export class Outlines {
  #values = []; // what was guessed: of each bar, cell or point a number, or two; nothing before one is moved
  #stage = ""; // "asked" while the reader guesses, "answered" once the figure has shown the truth

  /** @param box of the guess @param {() => void} open opens the answer */
  constructor(box, open) {
    this.asked = box.dataset;
    this.at = Object.entries(JSON.parse(this.asked.at));
    this.figure = document.getElementById(this.asked.figure);
    const number = this.figure?.querySelector(".caption-number")?.textContent.trim() || "the figure";
    this.again = button(`Compare in ${number}`, () => {
      this.reveal();
      this.figure.scrollIntoView({ block: "center" });
    });
    this.begin = button(`Guess in ${number}`, () => this.ask());
    this.node = element("form", { className: "exercise-bar" }, this.begin, this.again);
    this.words = element("span", { tabIndex: -1 });
    this.done = button("Show the answer", () => this.answer(open));
    this.bar = element("div", { className: "exercise-bar guess-bar" }, this.words, this.done);
    this.outlines = [];
    this.shown = null; // what the figure painted last
    this.figure?.addEventListener("live:painted", (/** @type {any} */ { target, detail }) => {
      this.shown = { ...detail, drawing: target };
      this.refresh();
    });
    this.refresh();
  }

  values() {
    return this.#values;
  }

  read() {
    return this.#values.map((value) => value.join(" "));
  }

  /** Take a guess that was kept, unless it is none; it may come from a file. */
  show(kept) {
    const values = kept.map((text) => text.split(" ").map(Number));
    this.#values = values.flat().every(Number.isFinite) ? values : [];
    this.#stage = this.#values.length ? "answered" : "";
    this.layer?.remove();
    this.refresh();
  }

  mark() {}

  /** The view in which the guess is drawn, and its options. */
  get place() {
    const { spec, views } = this.shown;
    const k = views.findIndex((view, i) => view.slots && Object.values(spec.views[i]).includes(this.asked.shows));
    return { view: views[k], print: printer(spec.views[k].digits) };
  }

  get slots() {
    const all = this.place.view.slots(this.asked.row, this.asked.shows);
    const names = this.asked.names?.split(";");
    return names ? names.map((name, j) => ({ ...all[j], name: name.trim() })) : all;
  }

  /** Whether the figure is set to what is asked. */
  get isThere() {
    return this.at.every(([name, text]) => this.shown.tools.text(name) === text);
  }

  /** Let the reader guess, from what the figure shows at its start. */
  ask() {
    if (!this.shown) return this.figure.scrollIntoView({ block: "center" }); // it is drawn when one comes near
    const { tools } = this.shown;
    this.at.forEach(([name]) => tools.choose(name, tools.control(name).start));
    this.#stage = "asked";
    this.refresh();
    this.bar.scrollIntoView({ block: "nearest" });
    this.outlines[0].node.focus();
  }

  reveal() {
    if (!this.shown) return;
    const { tools } = this.shown;
    this.#stage = "answered";
    this.at.forEach(([name, text]) => tools.choose(name, tools.control(name).texts.indexOf(text)));
    this.refresh();
  }

  /** Open the answer, which may stand above: the figure stays where it is for the reader, and so does the focus. */
  answer(open) {
    const top = () => this.figure.getBoundingClientRect().top;
    const before = top();
    open();
    scrollBy({ top: top() - before, behavior: "instant" });
    const next = this.bar.hidden ? this.begin : this.words; // the button that was pressed disappears
    next.focus({ preventScroll: true });
  }

  /** Whether what was guessed has as many numbers as the figure; it may have changed since. */
  get isWhole() {
    return String(this.slots.map(({ now }) => now.length)) === String(this.#values.map((value) => value.length));
  }

  /** Draw what belongs there now. */
  refresh() {
    const isAnswered = this.#stage === "answered";
    const isCompared = isAnswered && this.#values.length > 0;
    this.again.hidden = !isCompared;
    const isSeen = this.shown && (isCompared ? this.isThere && this.isWhole : this.#stage === "asked");
    this.bar.hidden = !isSeen;
    if (!isSeen) return this.layer?.remove();
    if (!this.layer?.isConnected) this.draw();
    this.layer.classList.toggle("guess-fixed", isAnswered);
    this.done.hidden = isAnswered;
    this.tell();
  }

  draw() {
    const { view } = this.place;
    const picture = view.element.querySelector("svg");
    const values = this.isWhole ? this.#values : this.slots.map(({ now }) => now);
    this.outlines = this.slots.map((slot, k) => new Outline(slot, values[k], () => this.take()));
    const size = { width: picture.getAttribute("width"), height: picture.getAttribute("height") };
    this.layer = svg("svg", { class: "guess-layer", ...size }, this.outlines.map(({ node }) => node)); // prettier-ignore
    view.element.classList.add("guess-over");
    view.element.append(this.layer);
    this.shown.drawing.querySelector(".live-views").after(this.bar);
  }

  take() {
    this.#values = this.outlines.map(({ value }) => value);
    this.tell();
  }

  /** Say the guess in numbers, and beside it the truth. */
  tell() {
    const { print } = this.place;
    const slots = this.slots;
    const write = (value) => (value.length > 1 ? `(${value.map(print).join(", ")})` : print(value[0]));
    const said = this.outlines.map(({ value }) => write(value));
    const isAnswered = this.#stage === "answered";
    const truths = slots.map(({ now }) => write(now));
    this.outlines.forEach((outline, k) => outline.say(isAnswered ? `${said[k]}; the figure: ${truths[k]}` : said[k], isAnswered));
    const listed = slots.map(({ name }, k) => `${name} ${said[k]}`).join(" · ");
    this.words.textContent = isAnswered
      ? `Outlined, your guess: ${listed}`
      : `Drag the outlines, or use the arrow keys. Your guess: ${listed}`;
  }
}

/** The guess of one bar, cell or point. */
class Outline {
  constructor(slot, value, changed) {
    this.slot = slot;
    this.changed = changed;
    this.hit = svg("rect", { class: "guess-hit" });
    this.path = svg("path", { class: "guess-outline" });
    const [[low, high]] = slot.limits;
    const role = { role: "slider", tabindex: 0, "aria-label": `Your guess: ${slot.name}`, "aria-valuemin": low, "aria-valuemax": high };
    this.node = svg("g", role, [this.hit, this.path]);
    this.node.addEventListener("keydown", (event) => this.press(event));
    this.node.addEventListener("pointerdown", (event) => (this.node.setPointerCapture(event.pointerId), this.follow(event)));
    this.node.addEventListener("pointermove", (event) => this.node.hasPointerCapture(event.pointerId) && this.follow(event));
    this.put(value);
  }

  put(value) {
    this.value = value.map((number, k) => within(...this.slot.limits[k], number));
    place(this.hit, this.slot.area(this.value));
    this.path.setAttribute("d", this.slot.path(this.value));
  }

  move(value) {
    this.put(value);
    this.changed();
  }

  say(words, isFixed) {
    this.node.setAttribute("aria-valuenow", String(this.value[0]));
    this.node.setAttribute("aria-valuetext", words);
    this.node.setAttribute("aria-disabled", String(isFixed));
  }

  press(event) {
    const [axis, steps] = KEYS[event.key] ?? [];
    if (axis === undefined || this.node.getAttribute("aria-disabled") === "true") return;
    event.preventDefault();
    const k = Math.min(axis, this.value.length - 1);
    const [low, high] = this.slot.limits[k];
    this.move(this.value.map((number, i) => (i === k ? number + (steps * (high - low)) / STEPS : number)));
  }

  follow(event) {
    this.move(this.slot.read(...placeIn(this.node.ownerSVGElement, event)));
  }
}
