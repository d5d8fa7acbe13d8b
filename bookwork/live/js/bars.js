// One bar per number, lying down, so that long labels fit on a narrow screen.
import {
  html,
  labelsNow,
  makePicture,
  makePointable,
  partsOfLargest,
  place,
  printer,
  sayLargest,
  sentence,
  setText,
  shorten,
  svg,
  textWidth,
  within,
} from "./svg.js";

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

  const toX = (value) => left + (room * (within(low, high, value) - low)) / (high - low);

  const labelRoom = (width) => Math.min(Math.max(...options.labels.flat().map((text) => textWidth(text))) + 12, 0.5 * width);

  function layout(width, shared) {
    left = Math.min(Math.max(shared, labelRoom(width)), 0.5 * width);
    room = width - left - textWidth(print(high)) - 16;
    const height = labels().length * HEIGHT;
    const picture = makePicture(width, height + 4, options, tools, "read the bars");
    bars = labels().map((_, j) => drawBar(picture, j, left));
    picture.append(svg("line", { x1: toX(0), x2: toX(0), y1: 0, y2: height, class: "live-axis" }));
    makePointable(picture, find, step, point);
    element.replaceChildren(picture);
  }

  function draw(frame) {
    numbers = frame[show];
    labels().forEach((label, j) => setText(bars[j].name, shorten(label, left - 8)));
    numbers.forEach((value, j) => {
      const [start, end] = [toX(Math.min(0, value)), toX(Math.max(0, value))];
      place(bars[j].rect, { x: start, width: end - start });
      place(bars[j].text, { x: end + 6 });
      setText(bars[j].text, print(value));
    });
  }

  const read = (j) => sentence(reads, { label: labels()[j], value: print(numbers[j]) });

  function point(j) {
    cursor = j;
    bars.forEach((bar, at) => bar.rect.classList.toggle("live-chosen", at === j));
    tools.say();
  }

  function find(x, y) {
    const j = Math.floor(y / HEIGHT);
    return j >= 0 && j < bars.length ? j : null;
  }

  function step(key, j) {
    const move = { ArrowUp: -1, ArrowDown: 1 }[key];
    return move && within(0, bars.length - 1, j + move);
  }

  return {
    element,
    layout,
    labelRoom,
    draw,
    pointed: () => (cursor === null ? "" : read(cursor)),
    summary: () => (cursor === null ? sayLargest(numbers, read) : read(cursor)),
    largest: () => partsOfLargest(numbers, (j) => ({ label: labels()[j] })),
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
