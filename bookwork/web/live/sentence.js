// Running text whose words are shaded by weight; they may be the control.
import { makeScale, palette, shadeOf } from "./colours.js";
import { makeTold } from "./reading.js";
import { html, labelsNow, printer, setText, update } from "./svg.js";
import { makeWords } from "./words.js";

const lengthOf = (words) => words.join("").length;

/** Make a sentence view; see figure.js for what a view is. */
export function makeSentence(options, tools) {
  const words = labelsNow(options.words, options.by, tools);
  const print = printer(options.digits);
  const element = html("div", { class: "live-sentence" });
  const spans = words().map(() => html("span", { class: "live-word" }));
  const text = html("div", { class: "live-running" }, spans.flatMap((span) => [span, " "])); // prettier-ignore
  let shades, numbers, chosen;
  const told = makeTold(options, tools, {
    numbers: () => numbers,
    partsAt: (j) => ({ word: words()[j], ...(options.at && { asks: words()[chosen] }) }),
    mark: (j) => spans.forEach((span, k) => span.classList.toggle("live-pointed", k === j)),
    isOwn: (j) => choice && j === chosen,
  });

  const choice = options.at && tools.control(options.at);
  const mark = makeWords(text, spans, choice, options, tools, told.point);

  function layout() {
    shades = palette(options.limits[0] < 0);
    if (!element.hasChildNodes()) element.append(text, "");
    element.lastChild.replaceWith(makeScale(options));
    if (options.by) reserve(options.words.reduce((some, other) => (lengthOf(other) > lengthOf(some) ? other : some)));
  }

  /** Keep room for the longest words that a control brings, so that nothing below them moves. */
  function reserve(longest) {
    text.style.minHeight = "";
    spans.forEach((span, j) => setText(span, longest[j]));
    text.style.minHeight = `${text.offsetHeight}px`;
  }

  function draw(frame, shown) {
    numbers = frame[options.show];
    chosen = mark();
    spans.forEach((span, j) => {
      const shade = shadeOf(shades, shown[options.show][j], options.limits);
      setText(span, words()[j]);
      update(span, "style", `background: ${shade.fill}; color: ${shade.ink}`);
      update(span, "aria-description", print(numbers[j]));
    });
  }

  return { ...told, element, layout, draw };
}
