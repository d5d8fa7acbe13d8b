/**
 * The reader's progress on the page: a line below the title of a chapter, one in the contents on the
 * left, and a dialog with all exercises of the book where progress is saved, loaded and deleted.
 *
 * Everything that is shown is put in as text, never as HTML.
 */
import { button, element } from "../site/element.js";
import { amount, bookExercises, entryOf, forgetAll, fromFile, makeUndo, toFile } from "./progress.js";
import { ID } from "../site/this-book.js";

const FILE = `${ID}-progress.json`;

/** Show progress where the page has a place for it; return how to refresh it. */
export function showProgress() {
  const chapters = bookExercises();
  if (!chapters.length) return { refresh() {} };
  const dialog = makeDialog(chapters);
  const lines = [chapterLine(chapters, dialog.open), bookLine(chapters, dialog.open)];
  const parts = [...lines, dialog, ...chapters.map(tick)].filter(Boolean);
  return { refresh: () => parts.forEach((part) => part.refresh()) };
}

/** @returns {{ title: string, href: string } | null} the exercise that follows one, in the whole book */
export function exerciseAfter(label) {
  const all = bookExercises().flatMap(({ href, exercises }) => exercises.map((each) => ({ ...each, href: `${href}#${each.label}` })));
  return all[all.findIndex((each) => each.label === label) + 1] ?? null;
}

/** Below the title: how many exercises of this chapter are solved. The build has left a place for it. */
function chapterLine(chapters, open) {
  const here = chapters.filter((chapter) => chapter.here);
  const place = document.querySelector(".exercise-chapter");
  if (!here.length || !place) return null;
  const line = makeLine(open, () => `Exercises in this chapter: ${share(here)}`);
  line.parts[0].setAttribute("role", "status"); // read aloud when it changes
  place.append(...line.parts);
  return line;
}

/** In the contents: how many exercises of the book are solved. */
function bookLine(chapters, open) {
  const place = document.querySelector(".bd-sidebar-primary .sidebar-primary-items__start, .bd-sidebar-primary, .sidebar-scroll");
  if (!place) return null;
  const line = makeLine(open, () => `Exercises: ${share(chapters)}`);
  place.append(element("div", { className: "exercise-line exercise-book" }, ...line.parts));
  return line;
}

/** In the contents: a tick beside a chapter whose exercises are all solved. */
function tick(chapter) {
  const plain = (address) => address.href.replace(/[?#].*/, "");
  const home = plain(new URL(chapter.href, location.href));
  const links = [...document.querySelectorAll(":is(.bd-sidebar-primary, .sidebar-scroll, .sphinxsidebar, .wy-nav-side) a")];
  const link = links.find((each) => each.getAttribute("href") && plain(each) === home);
  if (!link) return null;
  const mark = element("span", { className: "exercise-tick", role: "img", "aria-label": "all exercises solved", textContent: "✓" });
  return { refresh: () => (chapter.exercises.every(({ label }) => entryOf(label).solved) ? link.append(" ", mark) : mark.remove()) };
}

function makeLine(open, text) {
  const words = element("span");
  return { parts: [words, button("Your progress", open)], refresh: () => (words.textContent = text()) };
}

/** `"2 of 6 solved"`. */
function share(chapters) {
  const labels = chapters.flatMap((chapter) => chapter.exercises.map(({ label }) => label));
  return `${labels.filter((label) => entryOf(label).solved).length} of ${labels.length} solved`;
}

/** The dialog: its buttons stay on top, the list below them scrolls. */
function makeDialog(chapters) {
  const list = element("div", { className: "exercise-list" });
  const node = element(
    "dialog",
    { className: "exercise-window", "aria-labelledby": "exercise-window-title" },
    makeHead(() => node.close()),
    list,
  );
  node.addEventListener("keydown", (event) => event.stopPropagation()); // Sphinx has its own use for Escape
  document.body.append(node);
  const refresh = () => list.replaceChildren(...chapters.map(listChapter));
  return { refresh, open: () => open(node) };
}

/** Open the dialog at the reader's chapter. */
function open(node) {
  node.showModal();
  node.querySelector(".exercise-here")?.scrollIntoView({ block: "start" });
}

function makeHead(close) {
  const said = element("p", { role: "status" });
  const cross = button("✕", close, { "aria-label": "Close", title: "Close (Escape)" });
  const title = element("h2", {}, element("span", { id: "exercise-window-title", textContent: "Your progress" }), cross);
  const where =
    "Stored in this browser only. Save it to a file to keep or move it, with your answers. Those are Python code: load only files that you trust.";
  return element("div", { className: "exercise-head" }, title, makeActions(said), said, element("p", { textContent: where }));
}

function listChapter(chapter) {
  const here = chapter.here ? element("em", { textContent: "this chapter" }) : "";
  const heading = element("h3", {}, element("span", {}, chapter.title, " ", here), element("span", { textContent: share([chapter]) }));
  const items = chapter.exercises.map((exercise) => listExercise(chapter.href, exercise));
  return element(
    "section",
    { className: chapter.here ? "exercise-here" : "" },
    heading,
    element("ul", { className: "list-group list-group-flush" }, ...items),
  );
}

function listExercise(page, { label, title, minutes, difficulty }) {
  const { solved, tried } = entryOf(label);
  const link = element("a", { href: `${page}#${label}`, textContent: title });
  link.onclick = () => link.closest("dialog").close();
  const state = solved ? "solved" : tried ? "tried" : `${minutes} min, ${difficulty}`;
  const className = solved ? "list-group-item exercise-done" : "list-group-item";
  return element("li", { className }, link, element("span", { textContent: state }));
}

/** Save, load and forget. */
function makeActions(said) {
  const chooser = element("input", { type: "file", accept: ".json,application/json", hidden: true });
  chooser.onchange = () => load(chooser, said);
  return element(
    "div",
    { className: "exercise-bar" },
    button("Save to a file", () => save(said)),
    button("Load from a file", () => chooser.click()),
    chooser,
    button("Forget everything", () => forget(said)),
  );
}

function save(said) {
  const address = URL.createObjectURL(new Blob([toFile()], { type: "application/json" }));
  element("a", { href: address, download: FILE }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // a slow machine reads it late
  said.textContent = `Saved ${amount()} to ${FILE}, in your browser's downloads.`;
}

async function load(chooser, said) {
  const [file] = chooser.files;
  chooser.value = ""; // the same file may be chosen again
  const undo = makeUndo();
  try {
    said.replaceChildren(`${fromFile(await file.text())} `, undoButton(said, undo));
  } catch (error) {
    said.textContent = error.message;
  }
  tellChange();
}

/** What is kept has changed: lines, badges and editors show it. */
function tellChange() {
  document.dispatchEvent(new CustomEvent("book:progress"));
  document.dispatchEvent(new CustomEvent("book:answers"));
}

function undoButton(said, undo) {
  const press = () => {
    undo();
    said.textContent = "Everything is as it was before.";
    tellChange();
  };
  return button("Undo", press);
}

/** Deleting can be undone while the page is open. */
function forget(said) {
  if (!confirm("Really forget everything, your answers too?")) return;
  const undo = makeUndo();
  forgetAll();
  said.replaceChildren("Progress and answers are forgotten. ", undoButton(said, undo));
  tellChange();
}
