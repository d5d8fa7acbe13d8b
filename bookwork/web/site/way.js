/** Finding one's way in a page: what its address names, the mark in the list of its sections, and that list on a phone. */
import { watchSize } from "../live/svg.js";
import { button } from "./element.js";

const HERE = 0.3; // of the window's height, from its top: the section that has begun there is the one that is read

/** Figures above what the address names, or what was searched for, take their height later: it stays in view until the reader moves. */
let target = null;
const show = () => target?.scrollIntoView({ behavior: "instant" });
const aim = () => (target = named(location.hash));
const [arrival] = /** @type {PerformanceNavigationTiming[]} */ (performance.getEntriesByType("navigation"));
if (arrival?.type === "navigate") aim(); // otherwise the browser returns to where the reader was
addEventListener("hashchange", aim);
for (const kind of ["wheel", "pointerdown", "keydown"]) addEventListener(kind, () => (target = null), { capture: true, passive: true });
watchSize(document.body, show);

/** The element that the end of an address names, which may contain anything, even a malformed escape. */
export function named(/** @type {string} */ hash) {
  try {
    return document.getElementById(decodeURIComponent(hash.slice(1)));
  } catch {
    return null;
  }
}

/** Scroll to an element instead. */
export function keepInView(/** @type {Element} */ element) {
  target = element;
  show();
}

/** The theme's mark in the list of sections misses jumps; this one looks where the reader is, a moment after each scroll. */
const links = /** @type {HTMLAnchorElement[]} */ ([...document.querySelectorAll("#pst-page-toc-nav a[href^='#']")]);
let waiting = 0;

function markHere() {
  const hasBegun = ({ hash }) => topOf(named(hash)) < HERE * innerHeight;
  const here = links.findLast(hasBegun);
  for (const part of document.querySelectorAll("#pst-page-toc-nav :is(a, .toc-entry)"))
    part.classList.toggle("active", Boolean(here) && part.contains(here));
  for (const link of links) link.setAttribute("aria-current", String(link === here));
}

/** Where an element begins in the window; what is hidden begins nowhere. */
function topOf(element) {
  return element?.getClientRects()[0]?.top ?? Infinity;
}

if (links.length) {
  const soon = () => (clearTimeout(waiting), (waiting = setTimeout(markHere, 100)));
  addEventListener("scroll", soon, { passive: true });
  watchSize(document.body, soon);
}

/** On a phone the lists of chapters and sections cover the page: each has a button to close it, and a choice closes it, too. */
for (const side of ["primary", "secondary"]) {
  const dialog = /** @type {HTMLDialogElement | null} */ (document.getElementById(`pst-${side}-sidebar-modal`));
  const close = button("Close", () => dialog.close());
  close.classList.add("book-close");
  document.getElementById(`pst-${side}-sidebar`)?.prepend(close); // the theme moves all that is in it into the dialog and back
  dialog?.addEventListener("click", ({ target }) => /** @type {Element} */ (target).closest("a[href]") && dialog.close());
}
