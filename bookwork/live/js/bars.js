// One bar per number, lying down, so that long labels fit on a narrow screen.
import { makePicture, makePointable, makeTold } from "./reading.js";
import { html, labelsNow, place, printer, setText, shorten, svg, textWidth, within } from "./svg.js";

const HEIGHT = 24,
  LEAST = 130; // pixels for the longest bar and its number

/** Make a bar view; see figure.js for what a view is. */
export function makeBars(options, tools) {
  const labels = labelsNow(options.labels, options.by, tools);
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-bars" });
  let bars, numbers, left, room;
  const told = makeTold(options, tools, {
    numbers: () => numbers,
    partsAt: (j) => ({ label: labels()[j] }),
    mark: (j) => bars.forEach(({ rect }, at) => rect.classList.toggle("live-chosen", at === j)),
  });

  const toX = (value) => left + (room * (within(low, high, value) - low)) / (high - low);

  const labelRoom = (width) => Math.min(Math.max(...options.labels.flat().map((text) => textWidth(text))) + 12, 0.5 * width);

  function layout(width, shared) {
    left = Math.min(Math.max(shared, labelRoom(width)), 0.5 * width);
    room = width - left - textWidth(print(high)) - 16;
    const height = labels().length * HEIGHT;
    const picture = makePicture(width, height + 4, options, tools, "read the bars");
    bars = labels().map((_, j) => drawBar(picture, j, left));
    picture.append(svg("line", { x1: toX(0), x2: toX(0), y1: 0, y2: height, class: "live-axis" }));
    makePointable(picture, { x: 0, y: 0, cw: width, ch: HEIGHT }, [bars.length, 1], told);
    element.replaceChildren(picture);
  }

  function draw(frame, shown) {
    numbers = frame[options.show];
    const drawn = shown[options.show];
    bars.forEach(({ name, rect, text }, j) => {
      const [start, end] = [toX(Math.min(0, drawn[j])), toX(Math.max(0, drawn[j]))];
      setText(name, shorten(labels()[j], left - 8));
      place(rect, { x: start, width: end - start });
      place(text, { x: end + 6 });
      setText(text, print(numbers[j]));
    });
  }

  /** Where a reader's guess of each bar is drawn; see page/exercises/outlines.js. */
  const slots = () =>
    labels().map((name, j) => ({
      name,
      now: [numbers[j]],
      limits: [options.limits],
      area: () => ({ x: left, y: j * HEIGHT, width: room, height: HEIGHT }),
      path: ([value]) => `M${toX(0)} ${j * HEIGHT + 1}H${toX(value)}v${HEIGHT - 2}H${toX(0)}Z`,
      read: (x) => [low + ((x - left) / room) * (high - low)],
    }));

  return { ...told, element, narrowest: labelRoom(Infinity) + LEAST, layout, labelRoom, draw, slots };
}

function drawBar(picture, j, left) {
  const middle = j * HEIGHT + HEIGHT / 2;
  const name = svg("text", { x: left - 8, y: middle, class: "live-label live-end" });
  const rect = svg("rect", { y: j * HEIGHT + 3, height: HEIGHT - 6, class: "live-bar" });
  const text = svg("text", { y: middle, class: "live-label" });
  picture.append(name, rect, text);
  return { name, rect, text };
}
