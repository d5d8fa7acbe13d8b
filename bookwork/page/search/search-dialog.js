/**
 * The field that Ctrl+K opens: it looks words up as they are typed. Enter still leads to the search page.
 *
 * The index is loaded when the field is first opened. If it does not arrive, the dialog says so, and the field still leads
 * to the search page.
 */
import { element } from "../site/element.js";
import { find } from "./ranking.js";
import { item, LONGEST, loadIndex, mended } from "./results.js";

const MOST = 8; // results below the field
const PATIENCE = 8_000; // milliseconds after which the dialog says that the index has not arrived
const NO_INDEX = "The search index could not be loaded. Open this search again to try once more.";

const status = element("p", { className: "book-search-status", role: "status" });
const list = element("ol", { className: "book-search-results" });
const below = element("div", { className: "book-search-below" }, status, list);
const dialog = /** @type {HTMLDialogElement} */ (document.getElementById("pst-search-dialog"));
const form = dialog?.querySelector("form");
const input = form?.querySelector("input");
const opened = new MutationObserver(() => {
  if (!dialog.open) return;
  opened.disconnect();
  begin();
});
let isReady = false;
if (input) awaitReader();

/** Begin when the dialog is opened next. The field may not tell: who closes and opens it quickly has never left it. */
function awaitReader() {
  opened.observe(dialog, { attributeFilter: ["open"] });
}

async function begin() {
  status.textContent = "";
  const late = setTimeout(giveUp, PATIENCE);
  try {
    const index = await loadIndex(await addressOfIndex());
    if (!isReady) listen(index);
  } catch {
    giveUp();
  }
  clearTimeout(late);
}

/** Say that there is no index yet: it may arrive the next time, or still. */
function giveUp() {
  if (isReady) return;
  status.textContent = NO_INDEX;
  dialog.append(below);
  awaitReader();
}

/** The address that the search page gives; it changes with the index. From disk nothing can be read, and there it never changes. */
async function addressOfIndex() {
  if (location.protocol === "file:") return new URL("search-index.js", form.action);
  const answer = await fetch(form.action, { cache: "no-cache" });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return new URL(page.querySelector("[data-index]").getAttribute("data-index"), form.action);
}

/** Answer below the field, now and whenever its text changes. */
function listen(index) {
  isReady = true;
  dialog.append(below);
  const answer = () => {
    const query = input.value.slice(0, LONGEST).trim();
    const { results, keywords, instead } = find(query, index);
    status.textContent = keywords.length ? `${mended(instead)} ${summary(query, results.length)}`.trim() : "";
    list.replaceChildren(...results.slice(0, MOST).map((result) => item(result, keywords)));
  };
  input.addEventListener("input", answer);
  dialog.addEventListener("keydown", (event) => move(event, [input, ...list.querySelectorAll("a")]));
  answer();
}

function summary(query, count) {
  if (!count) return `Nothing in this book has “${query}”.`;
  if (count > MOST) return `The first ${MOST} of ${count} places. Enter shows them all.`;
  return count === 1 ? "1 place found." : `${count} places found.`;
}

/** The arrow keys lead from the field to the results and back. */
function move(event, stops) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const next = stops[stops.indexOf(document.activeElement) + step];
  if (!step || !next || event.isComposing) return;
  event.preventDefault();
  next.focus();
}
