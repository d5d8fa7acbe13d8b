/**
 * The book's scripts run only in its own pages, and take the reader nowhere else.
 *
 * An iframe that was put into a page with `srcdoc` may load these scripts to draw whatever widgets it
 * contains: there they end at once. And in a book with a strict policy, where the browser announces that it
 * is about to leave a page, no script may take the reader to another host, nor open one beside it; a reader
 * who clicks a link may go.
 */
import { notify } from "./notice.js";
import { IS_STRICT } from "./this-book.js";

if (!["http:", "https:", "file:"].includes(location.protocol)) {
  throw new Error("the book's scripts run only in its own pages");
}

if (IS_STRICT) {
  const open = window.open.bind(window);
  window.open = (address = "", ...more) => (isElsewhere(address) ? refuse(address) : open(address, ...more));
  window.navigation?.addEventListener("navigate", stay);
  document.addEventListener("click", stopLink);
}

function stay(event) {
  const { url } = event.destination;
  if (event.userInitiated || !event.cancelable || !isElsewhere(url)) return;
  event.preventDefault();
  refuse(url);
}

function stopLink(event) {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest?.("a[href], area[href]"));
  if (event.isTrusted || !link || !isElsewhere(link.href)) return;
  event.preventDefault();
  refuse(link.href);
}

function isElsewhere(address) {
  return new URL(address, document.baseURI).origin !== location.origin;
}

function refuse(address) {
  notify(`A script wanted to open another page and was stopped: ${String(address).slice(0, 200)}`);
  return null;
}
