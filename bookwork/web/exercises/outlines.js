/**
 * A guess in a live figure: the end of each bar, the level of each cell or the place of each point, which the reader drags or moves by keys.
 *
 * A chart tells where that can be (`handles` in live/chart.js). With the answer the figure's controls go to the values that the
 * box names, and it draws what Python computed; what was guessed stays there, and only there.
 */
import { placeIn } from "../live/reading.js";
import { printer, svg, within } from "../live/svg.js";
import { button, element } from "../site/element.js";

const STEP = 0.05; // of a scale: one press of an arrow key
const KEYS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowDown: [1, -1], ArrowUp: [1, 1] }; // axis, and how many steps along it
const FAR = { PageDown: [1, -5], PageUp: [1, 5], Home: [0, -20], End: [0, 20] };
const RING = "m-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0";

/** Make a form, as form.js describes one; it has nothing to mark, for the guess stays beside the truth. */
export function makeOutlines(box, open) {
  const { figure: id, shows, row, names } = box.dataset;
  const at = Object.entries(JSON.parse(box.dataset.at));
  const figure = document.getElementById(id);
  const number = figure?.querySelector(".caption-number")?.textContent.trim() || "the figure";
  const begin = button("", () => {
    figure.scrollIntoView({ block: "center" });
    (isCompared() ? reveal : ask)();
  });
  const words = element("span", { tabIndex: -1 });
  const done = button("Show the answer", answer);
  const bar = element("div", { className: "exercise-bar guess-bar" }, words, done);
  let values = []; // what was guessed: of each handle a number, or two; nothing before one is moved
  let stage = ""; // "asked" while the reader guesses, "answered" once the figure has shown the truth
  let painted, layer, outlines; // what the figure painted last, and what is drawn over it
  const isCompared = () => stage === "answered" && values.length > 0;
  figure?.addEventListener("live:painted", (/** @type {any} */ { target, detail }) => {
    painted = { ...detail, drawing: target };
    refresh();
  });
  const controlOf = (name) => painted.tools.control(name);
  refresh();

  /** The view in which the guess is drawn, its handles, and how its numbers are printed. */
  function shown() {
    const { spec, views } = painted;
    const k = spec.views.findIndex(({ marks = [] }) => marks.some((mark) => [mark.show, mark.at, mark.to].includes(shows)));
    const handles = views[k].handles(shows, row);
    const called = names?.split(";") ?? handles.map(({ name }) => name);
    const print = printer(spec.views[k].digits);
    const write = (value) => (value.length > 1 ? `(${value.map(print).join(", ")})` : print(value[0]));
    return { view: views[k], handles: called.map((name, j) => ({ ...handles[j], name: name.trim() })), write };
  }

  /** Let the reader guess, from what the figure shows at its start; it is drawn when one comes near. */
  function ask() {
    if (!painted) return figure.addEventListener("live:painted", ask, { once: true });
    at.forEach(([name]) => controlOf(name).choose(controlOf(name).start));
    stage = "asked";
    refresh();
    outlines[0].node.focus({ preventScroll: true });
  }

  /** Let the figure show the truth. */
  function reveal() {
    stage = "answered";
    if (painted) at.forEach(([name, text]) => controlOf(name).choose(controlOf(name).texts.indexOf(text)));
    refresh();
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
    const isThere = painted && at.every(([name, text]) => controlOf(name).text() === text);
    bar.hidden = !(painted && (isCompared() ? isThere : stage === "asked"));
    if (bar.hidden) return layer?.remove();
    if (!layer?.isConnected) draw();
    layer.classList.toggle("guess-fixed", isCompared());
    done.hidden = isCompared();
    tell();
  }

  function draw() {
    const { view, handles } = shown();
    const { width, height } = view.element.querySelector("svg").getBoundingClientRect();
    const known = (k, now) => (values[k]?.length === now.length ? values[k] : now); // the figure may have changed since
    outlines = handles.map((handle, k) => makeOutline(handle, known(k, handle.now), take));
    layer = svg("svg", { class: "guess-layer", width, height }, outlines.map(({ node }) => node)); // prettier-ignore
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
    const { handles, write } = shown();
    const said = outlines.map(({ value }) => write(value()));
    outlines.forEach(({ say }, k) => say(isCompared() ? `${said[k]}; the figure: ${write(handles[k].now)}` : said[k], isCompared()));
    const how = isCompared() ? "Outlined, your guess" : "Drag the rings, or use the arrow keys. Your guess";
    words.textContent = `${how}: ${handles.map(({ name }, k) => `${name} ${said[k]}`).join(" · ")}`;
  }

  /** Take a guess that was kept, unless it is none; it may come from a file. */
  function show(kept) {
    const found = kept.map((text) => text.split(" ").map(Number));
    values = found.flat().every(Number.isFinite) ? found : [];
    stage = values.length ? "answered" : "";
    layer?.remove();
    refresh();
  }

  const node = element("form", { className: "exercise-bar" }, begin);
  return { node, values: () => values, read: () => values.map((value) => value.join(" ")), show, mark() {}, reveal };
}

/** Make a ring that is dragged along its scales, at the end of a stick from its foot if it has one; it calls back when it is moved. */
function makeOutline({ name, scales, foot }, start, changed) {
  const free = [0, 1].filter((axis) => scales[axis]); // the axes of its numbers
  const path = svg("path", { class: "guess-outline" });
  const node = svg("g", { role: "slider", tabindex: 0, "aria-label": `Your guess: ${name}` }, [path]);
  let value;
  const put = (numbers) => {
    value = free.map((axis, k) => within(...scales[axis].limits, numbers[k]));
    const end = [0, 1].map((axis) => (scales[axis] ? scales[axis].to(value[free.indexOf(axis)]) : foot[axis]).toFixed(1));
    path.setAttribute("d", `M${foot ?? end}L${end}${RING}`);
  };
  const drag = (event) => (put(free.map((axis) => scales[axis].back(placeIn(node.ownerSVGElement, event)[axis]))), changed());
  node.addEventListener("pointerdown", (event) => (node.setPointerCapture(event.pointerId), drag(event)));
  node.addEventListener("pointermove", (event) => node.hasPointerCapture(event.pointerId) && drag(event));
  node.addEventListener("keydown", (event) => {
    const [axis, steps] = { ...KEYS, ...FAR }[event.key] ?? [];
    if (axis === undefined || node.getAttribute("aria-disabled") === "true") return;
    event.preventDefault();
    const moved = Math.min(axis, free.length - 1);
    const [low, high] = scales[free[moved]].limits;
    put(value.map((each, k) => (k === moved ? each + steps * STEP * (high - low) : each)));
    changed();
  });
  put(start);
  const [low, high] = scales[free[0]].limits;
  const say = (text, isFixed) => {
    const told = {
      "aria-valuemin": low,
      "aria-valuemax": high,
      "aria-valuenow": value[0],
      "aria-valuetext": text,
      "aria-disabled": isFixed,
    };
    for (const [key, what] of Object.entries(told)) node.setAttribute(key, String(what));
  };
  return { node, value: () => value, say };
}
