// One bar per key, lying down, so that long labels fit on a narrow screen.
import { html, labelsNow, partsOfLargest, printer, sayLargest, sentence, setText, shorten, svg, textWidth, update } from "./svg.js";

const HEIGHT = 24;

/** Make a bar view; see figure.js for what a view is. */
export function makeBars(options, tools) {
  const { show, reads } = options;
  const labels = labelsNow(options.labels, options.by, tools);
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-bars" });
  let bars = [];
  let numbers, left, room;
  let cursor = null;

  const inside = (value) => Math.max(low, Math.min(high, value));
  const place = (value) => left + (room * (inside(value) - low)) / (high - low);

  const labelRoom = (width) => Math.min(Math.max(...options.labels.flat().map((text) => textWidth(text))) + 12, 0.5 * width);

  function layout(width, shared) {
    left = Math.min(Math.max(shared, labelRoom(width)), 0.5 * width);
    room = width - left - textWidth(print(high)) - 16;
    const size = { width, height: labels().length * HEIGHT + 4 };
    const picture = svg("svg", { ...size, role: "img", tabindex: 0 });
    picture.setAttribute("aria-label", (options.title || tools.name) + ". Arrow keys read the bars.");
    bars = labels().map((_, j) => drawBar(picture, j, left));
    picture.append(svg("line", { x1: place(0), x2: place(0), y1: 0, y2: size.height - 4, class: "live-axis" }));
    listen(picture);
    element.replaceChildren(picture);
  }

  function draw(frame) {
    numbers = frame[show];
    labels().forEach((label, j) => setText(bars[j].name, shorten(label, left - 8)));
    numbers.forEach((value, j) => {
      const [start, end] = [place(Math.min(0, value)), place(Math.max(0, value))];
      update(bars[j].rect, "x", start.toFixed(1));
      update(bars[j].rect, "width", (end - start).toFixed(1));
      update(bars[j].text, "x", (end + 6).toFixed(1));
      setText(bars[j].text, print(value));
    });
  }

  const read = (j) => sentence(reads, { label: labels()[j], value: print(numbers[j]) });

  function point(j) {
    cursor = j;
    bars.forEach((bar, at) => bar.rect.classList.toggle("live-chosen", at === j));
    tools.say();
  }

  function listen(picture) {
    picture.addEventListener("pointermove", (event) => {
      const j = Math.floor((event.clientY - picture.getBoundingClientRect().top) / HEIGHT);
      const next = j >= 0 && j < bars.length ? j : null;
      if (next !== cursor) point(next);
    });
    picture.addEventListener("pointerleave", () => point(null));
    picture.addEventListener("blur", () => point(null));
    picture.addEventListener("keydown", (event) => {
      const move = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!move) return;
      event.preventDefault();
      point(cursor === null ? 0 : Math.max(0, Math.min(bars.length - 1, cursor + move)));
    });
  }

  return {
    element,
    layout,
    labelRoom,
    draw,
    pointed: () => (cursor === null ? "" : read(cursor)),
    summary: () => (cursor === null ? sayLargest(numbers, read) : read(cursor)),
    largest: () => partsOfLargest(numbers, (j) => ({ label: labels()[j] })),
    tables: [{ array: show, title: options.title, rows: labels, columns: ["value"], print }],
  };
}

function drawBar(picture, j, left) {
  const middle = j * HEIGHT + HEIGHT / 2;
  const name = svg("text", { x: left - 8, y: middle, class: "live-label live-end" });
  const rect = svg("rect", { y: j * HEIGHT + 3, height: HEIGHT - 6, class: "live-bar" });
  const text = svg("text", { y: middle, class: "live-label" });
  picture.append(name, rect, text);
  return { name, rect, text };
}
