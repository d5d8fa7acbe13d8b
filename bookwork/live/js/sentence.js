// Running text whose words are shaded by weight; they may be the control.
import { html, labelsNow, palette, partsOfLargest, printer, sayLargest, sentence, setText, shadeOf, update } from "./svg.js";
import { listenToWords, makeChoice, makeReadable } from "./words.js";

/** Make a sentence view; see figure.js for what a view is. */
export function makeSentence(options, tools) {
  const { show, at, reads } = options;
  const words = labelsNow(options.words, options.by, tools);
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-sentence" });
  const spans = words().map(() => html("span", { class: "live-word" }));
  const text = html("div", { class: "live-running" });
  const scale = html("div", { class: "live-scale", "aria-hidden": "true" });
  const bar = html("span", { class: "live-scale-bar" });
  let shades, numbers, chosen;
  let cursor = null;

  text.append(...spans.flatMap((span) => [span, " "]));
  scale.append(print(low), bar, print(high));
  const mark = at ? makeChoice(text, spans, options, tools) : () => undefined;
  if (!at) readWithKeys();
  listenToWords(spans, point);

  function readWithKeys() {
    text.setAttribute("role", "group");
    text.setAttribute("aria-label", (options.title || tools.name) + ". Arrow keys read the words.");
    makeReadable(text, spans.length, point);
  }

  function layout() {
    shades = palette(low < 0);
    bar.style.background = `linear-gradient(to right, ${[0, 64, 128, 191, 255].map((k) => shades[k].fill)})`;
    if (!element.hasChildNodes()) element.append(text, scale);
  }

  function draw(frame) {
    numbers = frame[show];
    chosen = mark();
    spans.forEach((span, j) => {
      setText(span, words()[j]);
      update(span, "data-word", words()[j]);
      const shade = shadeOf(shades, numbers[j], options.limits);
      update(span, "style", `background: ${shade.fill}; color: ${shade.ink}`);
      update(span, "aria-description", print(numbers[j]));
    });
  }

  const read = (j) => sentence(reads, { asks: words()[chosen], word: words()[j], value: print(numbers[j]) });

  function point(j) {
    if (cursor === j) return;
    cursor = j;
    spans.forEach((span, k) => span.classList.toggle("live-pointed", k === j));
    tools.say();
  }

  const pointed = () => (cursor === null || cursor === chosen ? "" : read(cursor));
  return {
    element,
    isWide: true,
    layout,
    draw,
    pointed,
    summary: () => pointed() || sayLargest(numbers, read),
    largest: () => partsOfLargest(numbers, (j) => ({ word: words()[j], ...(at && { asks: words()[chosen] }) })),
  };
}
