/**
 * HTML of a reader's code: in a frame without scripts, without the page's origin and without requests. Its links open beside.
 */
import { element } from "../site/element.js";

const HEAD =
  "<!doctype html><meta charset=utf-8>" +
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">` +
  "<style>body { margin: 0.5rem; font: 15px/1.5 system-ui, sans-serif; color: #1c2430; background: #ffffff }" +
  " table { border-collapse: collapse } th, td { padding: 0.15rem 0.6rem; text-align: right }" +
  " tr { border-bottom: 1px solid #d5dbe4 }</style>";
const INERT = "script, link, meta, base"; // do nothing there, or only ask for something
const [LINE, LEAST, MOST] = [26, 60, 480]; // heights in pixels: of a line, of a frame

/** Draw HTML, or say that a script would have drawn it; its height is a guess. */
export function draw(html) {
  const { body } = new DOMParser().parseFromString(`<body>${html}`, "text/html"); // which runs and fetches nothing
  const scripts = body.querySelectorAll("script").length;
  body.querySelectorAll(INERT).forEach((node) => node.remove());
  body.querySelectorAll("a, area").forEach((link) => link.setAttribute("target", "_blank"));
  if (scripts && isEmpty(body))
    return element("p", { className: "book-advice" }, "This output is drawn by a script, which a page does not run.");
  const frame = element("iframe", { className: "book-frame", title: "Your output", srcdoc: HEAD + body.innerHTML });
  frame.setAttribute("sandbox", "allow-popups allow-popups-to-escape-sandbox"); // for links
  frame.style.height = `${Math.min(MOST, Math.max(LEAST, LINE * (1 + linesOf(body))))}px`;
  return frame;
}

/** Whether HTML shows nothing: boxes and styles at most. */
function isEmpty(body) {
  const shown = body.cloneNode(true);
  shown.querySelectorAll("style").forEach((style) => style.remove());
  return !shown.textContent.trim() && !shown.querySelector(":not(div, span)");
}

/** About how many lines HTML takes. */
function linesOf(body) {
  const blocks = body.querySelectorAll("tr, p, li, br, h1, h2, h3, h4, hr, dt, dd, summary").length;
  const breaks = [...body.querySelectorAll("pre")].reduce((sum, pre) => sum + pre.textContent.split("\n").length, 0);
  return blocks + breaks + 1;
}
