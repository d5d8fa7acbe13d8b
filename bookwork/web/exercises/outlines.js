/**
 * A guess in a live figure: outlines of bars, cells or points, which the reader drags or moves by keys.
 *
 * A chart tells where they can be drawn (live/slots.js). With the answer the figure's controls go to the values that the
 * box names, and it draws what Python computed; the outlines stay there, and only there.
 */
import { placeIn } from "../live/reading.js";
import { place, printer, svg, within } from "../live/svg.js";
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

/** Make a form, as form.js describes one; it has nothing to mark, for the outlines stay beside the truth. */
export function makeOutlines(box, open) {
  const { figure: id, shows, row, names } = box.dataset;
  const at = Object.entries(JSON.parse(box.dataset.at));
  const figure = document.getElementById(id);
  const number = figure?.querySelector(".caption-number")?.textContent.trim() || "the figure";
  const begin = button("", () => (isCompared() ? compare() : ask()));
  const words = element("span", { tabIndex: -1 });
  const done = button("Show the answer", answer);
  const bar = element("div", { className: "exercise-bar guess-bar" }, words, done);
  let values = []; // what was guessed: of each bar, cell or point a number, or two; nothing before one is moved
  let stage = ""; // "asked" while the reader guesses, "answered" once the figure has shown the truth
  let painted, layer, outlines; // what the figure painted last, and what is drawn over it
  figure?.addEventListener(
    "live:painted",
    (/** @type {any} */ event) => ((painted = { ...event.detail, drawing: event.target }), refresh()),
  );
  refresh();

  function isCompared() {
    return stage === "answered" && values.length > 0;
  }

  /** The view in which the guess is drawn, its slots, and how its numbers are printed. */
  function shown() {
    const { spec, views } = painted;
    const k = spec.views.findIndex(({ marks = [] }) => marks.some((mark) => [mark.show, mark.at, mark.to].includes(shows)));
    const called = names?.split(";") ?? views[k].slots(row, shows).map(({ name }) => name);
    const slots = called.map((name, j) => ({ ...views[k].slots(row, shows)[j], name: name.trim() }));
    return { view: views[k], slots, print: printer(spec.views[k].digits) };
  }

  /** Let the reader guess, from what the figure shows at its start. */
  function ask() {
    if (!painted) {
      figure.addEventListener("live:painted", ask, { once: true }); // it is drawn when one comes near
      return figure.scrollIntoView({ block: "center" });
    }
    at.forEach(([name]) => painted.tools.choose(name, painted.tools.control(name).start));
    stage = "asked";
    refresh();
    bar.scrollIntoView({ block: "nearest" });
    outlines[0].node.focus();
  }

  function reveal() {
    stage = "answered";
    at.forEach(([name, text]) => painted?.tools.choose(name, painted.tools.control(name).texts.indexOf(text)));
    refresh();
  }

  function compare() {
    reveal();
    figure.scrollIntoView({ block: "center" });
  }

  /** Open the answer, which may stand above: the figure stays where it is for the reader, and so does the focus. */
  function answer() {
    const before = figure.getBoundingClientRect().top;
    open();
    scrollBy({ top: figure.getBoundingClientRect().top - before, behavior: "instant" });
    (bar.hidden ? begin : words).focus({ preventScroll: true }); // the button that was pressed disappears
  }

  /** Draw what belongs there now: while it is asked, and with the answer where the figure is set to what is asked. */
  function refresh() {
    begin.textContent = `${isCompared() ? "Compare" : "Guess"} in ${number}`;
    const isThere = painted && at.every(([name, text]) => painted.tools.text(name) === text);
    bar.hidden = !(painted && (isCompared() ? isThere : stage === "asked"));
    if (bar.hidden) return layer?.remove();
    if (!layer?.isConnected) draw();
    layer.classList.toggle("guess-fixed", isCompared());
    done.hidden = isCompared();
    tell();
  }

  function draw() {
    const { view, slots } = shown();
    const picture = view.element.querySelector("svg");
    const isWhole = slots.every(({ now }, k) => now.length === values[k]?.length); // the figure may have changed since
    outlines = slots.map((slot, k) => makeOutline(slot, isWhole ? values[k] : slot.now, take));
    const size = { width: picture.getAttribute("width"), height: picture.getAttribute("height") };
    layer = svg("svg", { class: "guess-layer", ...size }, outlines.map(({ node }) => node)); // prettier-ignore
    view.element.classList.add("guess-over");
    view.element.append(layer);
    painted.drawing.querySelector(".live-views").after(bar);
  }

  function take() {
    values = outlines.map(({ value }) => value());
    tell();
  }

  /** Say the guess in numbers, and with the answer the truth beside it. */
  function tell() {
    const { slots, print } = shown();
    const write = (value) => (value.length > 1 ? `(${value.map(print).join(", ")})` : print(value[0]));
    const said = outlines.map(({ value }) => write(value()));
    outlines.forEach(({ say }, k) => say(isCompared() ? `${said[k]}; the figure: ${write(slots[k].now)}` : said[k], isCompared()));
    const listed = slots.map(({ name }, k) => `${name} ${said[k]}`).join(" · ");
    words.textContent = isCompared()
      ? `Outlined, your guess: ${listed}`
      : `Drag the outlines, or use the arrow keys. Your guess: ${listed}`;
  }

  return {
    node: element("form", { className: "exercise-bar" }, begin),
    values: () => values,
    read: () => values.map((value) => value.join(" ")),
    /** Take a guess that was kept, unless it is none; it may come from a file. */
    show(kept) {
      const found = kept.map((text) => text.split(" ").map(Number));
      values = found.flat().every(Number.isFinite) ? found : [];
      stage = values.length ? "answered" : "";
      layer?.remove();
      refresh();
    },
    mark() {},
    reveal,
  };
}

/** Make the outline of one bar, cell or point, which calls back when it is moved. */
function makeOutline(slot, start, changed) {
  const [[low, high]] = slot.limits;
  const [hit, path] = [svg("rect", { class: "guess-hit" }), svg("path", { class: "guess-outline" })];
  const role = { role: "slider", tabindex: 0, "aria-label": `Your guess: ${slot.name}`, "aria-valuemin": low, "aria-valuemax": high };
  const node = svg("g", role, [hit, path]);
  let value;
  const put = (numbers) => {
    value = numbers.map((each, k) => within(...slot.limits[k], each));
    place(hit, slot.area(value));
    path.setAttribute("d", slot.path(value));
  };
  const follow = (event) => (put(slot.read(...placeIn(node.ownerSVGElement, event))), changed());
  node.addEventListener("pointerdown", (event) => (node.setPointerCapture(event.pointerId), follow(event)));
  node.addEventListener("pointermove", (event) => node.hasPointerCapture(event.pointerId) && follow(event));
  node.addEventListener("keydown", (event) => {
    const [axis, steps] = KEYS[event.key] ?? [];
    if (axis === undefined || node.getAttribute("aria-disabled") === "true") return;
    event.preventDefault();
    const k = Math.min(axis, value.length - 1);
    const far = (steps * (slot.limits[k][1] - slot.limits[k][0])) / STEPS;
    put(value.map((each, i) => (i === k ? each + far : each)));
    changed();
  });
  put(start);
  const say = (text, isFixed) => {
    const told = { "aria-valuenow": value[0], "aria-valuetext": text, "aria-disabled": isFixed };
    for (const [name, what] of Object.entries(told)) node.setAttribute(name, String(what));
  };
  return { node, value: () => value, say };
}
