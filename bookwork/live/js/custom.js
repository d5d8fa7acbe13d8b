// A view that a book brings itself: the default export of its script, (options, tools) -> view. Only `element` and
// `draw(frame, shown)` are needed; what it leaves out is filled in here, and a script that fails leaves a sentence and the table.
import { html, printer, svg } from "./svg.js";

const modules = new Map(); // text of a script -> promise of its exports

/** Make a view from the script of a book; see figure.js for what a view is. */
export async function makeCustom(options, tools) {
  const box = html("div", { class: "live-custom" });
  const fail = (error) => {
    const sentence = `The view ${options.file} failed: ${error?.message ?? error}`;
    if (box.textContent !== sentence) console.error(sentence);
    box.replaceChildren(html("p", { class: "live-custom-fault", role: "alert" }, sentence));
  };
  let view, last;
  try {
    view = await start(options, tools);
  } catch (error) {
    return { element: box, layout: () => fail(error), draw: () => {}, summary: () => "" };
  }
  const safely = (step) => {
    try {
      return step();
    } catch (error) {
      fail(error); // the next frame may be well again
    }
  };
  const put = () => box.contains(view.element) || box.replaceChildren(view.element);
  return {
    element: box,
    isWide: Boolean(view.isWide),
    layout: (width) => (put(), safely(() => view.layout?.(width))),
    draw(frame, shown) {
      if (frame === last && view.draw.length < 2) return; // it does not glide
      (put(), safely(() => view.draw((last = frame), shown)));
    },
    summary: () => safely(() => view.summary?.()) ?? "",
    ...(view.pointed && { pointed: () => safely(() => view.pointed()) ?? "" }),
  };
}

async function start(options, tools) {
  const module = await load(options.script);
  const view = await module.default(options, { ...tools, html, svg, print: printer(options.digits) });
  if (!(view?.element instanceof Element) || typeof view.draw !== "function") {
    throw new Error("it should return { element, draw(frame) }");
  }
  if (!view.element.hasAttribute("role") && !view.element.hasAttribute("aria-label")) {
    view.element.setAttribute("role", "img");
    view.element.setAttribute("aria-label", options.title || tools.name);
  }
  return view;
}

/** Import a script from its text, once; it may load nothing that its page may not. */
function load(text) {
  if (!modules.has(text)) {
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    modules.set(
      text,
      import(address).finally(() => URL.revokeObjectURL(address)),
    );
  }
  return modules.get(text);
}
