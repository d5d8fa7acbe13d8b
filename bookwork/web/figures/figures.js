/**
 * The figures of a page.
 *
 * A built page contains its widgets as JSON: their state once, and a marker wherever one is shown. Each
 * marker becomes a figure, without Python. `window.bookWidgets` is for other scripts, such as outputs/outputs.js:
 *
 *   ready               a promise, resolved when every figure of the page is drawn or has failed with a sentence
 *   addState(state)     take note of the widgets in a widget-state object, which a reader's code made: data, of which no script runs
 *   show(id, element)   draw the widget with this id in the element -> promise of { remove }, or of null
 *   modelOf(id)         the model of a widget: its values, as the page has them now
 */
import "../site/book.css";
import "../live/figure.css";
import "./figures.css";

import { element as make } from "../site/element.js";
import { bringFrames, lacking } from "./far-frames.js";
import { isIdle, modelOf, mount, noteBuilt, noteWidgets, withParts } from "./mount.js";

const STATE = 'script[type="application/vnd.jupyter.widget-state+json"]';
const VIEW = 'script[type="application/vnd.jupyter.widget-view+json"]';
const NEAR = "1200px"; // how far from the screen a figure begins to fetch what it needs
const IDLE = "In this page nothing follows these controls. If they call Python, run the code in JupyterLab.";

/** Draw every figure of the page. */
async function drawPage() {
  const markers = [...document.querySelectorAll(VIEW)];
  const hosts = markers.map(hostFor);
  try {
    document.querySelectorAll(STATE).forEach((script) => noteBuilt(JSON.parse(script.textContent)));
  } catch (error) {
    hosts.forEach((host) => explain(host, error));
    return;
  }
  await Promise.all(markers.map((marker, k) => showSoon(JSON.parse(marker.textContent).model_id, hosts[k])));
  await untilLaidOut();
}

/** The element before a view's marker in which the view is drawn: the one with its numbers, or a new one. */
function hostFor(marker) {
  const still = marker.previousElementSibling;
  if (still?.classList.contains("book-still")) return still;
  marker.before(make("div", { className: "book-widget" }));
  return marker.previousElementSibling;
}

/** Draw a figure now or, if its numbers are in a file, when the reader comes near; nothing waits for that. */
async function showSoon(id, host) {
  await new Promise((resolve) => setTimeout(resolve)); // between two figures the page may draw and handle events
  if (lacking(withParts(id)).length) whenNear(host).then(() => show(id, host));
  else await show(id, host);
}

/** Draw a widget in an element; a failure becomes a sentence there. */
async function show(id, host) {
  try {
    await bringFrames(withParts(id));
    const view = await mount(id);
    if (!host.isConnected) return view.remove() ?? null; // it was meanwhile replaced
    host.replaceChildren(view.element);
    untilLaidOut().then(() => host.classList.remove("book-still")); // its height stays reserved until then
    if (isIdle(id)) host.append(make("p", { className: "book-widget-note", textContent: IDLE }));
    host.dispatchEvent(new Event("book:drawn", { bubbles: true }));
    return view;
  } catch (error) {
    explain(host, error);
    return null;
  }
}

/** Say why a figure is missing, in the element that it was to be drawn in, before its numbers. */
function explain(host, { message }) {
  const textContent = `This figure could not be drawn: ${message}.`;
  const sentence = make("p", { className: "book-widget-error", role: "alert", textContent });
  if (host.classList.contains("book-still")) host.prepend(sentence);
  else host.replaceChildren(sentence);
  console.error(textContent);
}

/** Wait until an element is near the screen. */
function whenNear(element) {
  return new Promise((/** @type {(near?: void) => void} */ resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
  });
}

/** Wait until the browser has laid out the page: figures draw themselves once they know their width. */
function untilLaidOut() {
  return new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
}

window.bookWidgets = {
  ready: drawPage(),
  addState: noteWidgets,
  show,
  modelOf,
};
