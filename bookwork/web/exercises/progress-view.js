/**
 * The reader's progress on the page: a line below the title of a chapter, one in the contents on the
 * left, and a dialog with all exercises of the book where progress is saved, loaded and deleted.
 *
 * Everything that is shown is put in as text, never as HTML.
 */
import { button, element } from "../site/element.js";
import { amount, entryOf, follow, fromFile, makeUndo, replaceAll, toFile } from "./progress.js";
import { ID } from "../site/this-book.js";

const FILE = `${ID}-progress.json`;
const KEPT =
  "Stored in this browser only. Save it to a file to keep or move it, with your answers. Those are Python code: load only files that you trust.";
const CONTENTS = ":is(.bd-sidebar-primary, .sidebar-scroll, .sphinxsidebar, .wy-nav-side)"; // of themes

/** Show progress where the page has a place for it. */
export function showProgress() {
  const chapters = bookExercises();
  if (!chapters.length) return;
  const open = makeDialog(chapters);
  const here = chapters.filter((chapter) => chapter.here);
  if (here.length) addLine(document.querySelector(".exercise-chapter"), "Exercises in this chapter", here, open, { role: "status" });
  const contents = document.querySelector(".bd-sidebar-primary, .sidebar-scroll");
  addLine(contents?.appendChild(element("div", { className: "exercise-line exercise-book" })), "Exercises", chapters, open);
  chapters.forEach(addTick);
}

/** The chapters of the book with their exercises, as sphinx/exercises.py writes them into each page. */
export function bookExercises() {
  return JSON.parse(document.getElementById("book-exercises")?.textContent ?? "[]");
}

/** How many exercises are solved, and a button that opens the dialog; as a status it is read aloud when it changes. */
function addLine(place, name, chapters, open, properties = {}) {
  const words = element("span", properties);
  place?.append(words, button("Your progress", open));
  follow(() => (words.textContent = `${name}: ${share(chapters)}`));
}

/** In the contents: a tick beside a chapter whose exercises are all solved. */
function addTick({ href, exercises }) {
  const plain = (address) => address.href.replace(/[?#].*/, "");
  const home = plain(new URL(href, location.href));
  const links = [...document.querySelectorAll(`${CONTENTS} a[href]`)];
  const mark = element("span", { className: "exercise-tick", role: "img", "aria-label": "all exercises solved", textContent: " ✓" });
  links.find((each) => plain(each) === home)?.append(mark);
  follow(() => (mark.hidden = !core(exercises).every(({ label }) => entryOf(label).solved)));
}

/** The exercises that count: not those under *Going further*. */
function core(exercises) {
  return exercises.filter(({ extra }) => !extra);
}

/** `"2 of 6 solved"`. */
function share(chapters) {
  const labels = chapters.flatMap((chapter) => core(chapter.exercises).map(({ label }) => label));
  return `${labels.filter((label) => entryOf(label).solved).length} of ${labels.length} solved`;
}

/** Make the dialog, whose buttons stay on top when its list scrolls; return a function that opens it at the reader's chapter. */
function makeDialog(chapters) {
  const list = element("div", { className: "exercise-list" });
  const dialog = element("dialog", { className: "exercise-window", "aria-labelledby": "exercise-window-title" }, makeHead(), list);
  const refresh = () => dialog.open && list.replaceChildren(...chapters.map(listChapter));
  dialog.addEventListener("keydown", (event) => event.stopPropagation()); // Sphinx has its own use for Escape
  document.body.append(dialog);
  follow(refresh);
  return () => {
    dialog.showModal();
    refresh();
    list.querySelector(".exercise-here h3")?.scrollIntoView({ block: "center" });
  };
}

function close({ target }) {
  target.closest("dialog").close();
}

/** Save, load and forget. */
function makeHead() {
  const said = element("p", { role: "status" });
  const chooser = element("input", { type: "file", accept: ".json,application/json", hidden: true, onchange: () => load(chooser, said) });
  return element(
    "div",
    { className: "exercise-head" },
    element(
      "h2",
      {},
      element("span", { id: "exercise-window-title", textContent: "Your progress" }),
      button("✕", close, { "aria-label": "Close", title: "Close (Escape)" }),
    ),
    element(
      "div",
      { className: "exercise-bar" },
      button("Save to a file", () => save(said)),
      button("Load from a file", () => chooser.click()),
      chooser,
      button("Forget everything", () => forget(said)),
    ),
    said,
    element("p", { textContent: KEPT }),
  );
}

function listChapter({ title, href, here, exercises }) {
  const items = exercises.map((exercise) => listExercise(href, exercise));
  return element(
    "section",
    { className: here ? "exercise-here" : "" },
    element(
      "h3",
      {},
      element("span", {}, title, here ? element("em", { textContent: " this chapter" }) : ""),
      element("span", { textContent: share([{ exercises }]) }),
    ),
    element("ul", { className: "list-group list-group-flush" }, ...items),
  );
}

function listExercise(page, { label, title, minutes, difficulty, extra }) {
  const { solved, tried } = entryOf(label);
  const link = element("a", { href: `${page}#${label}`, textContent: title, onclick: close });
  const state = solved ? "solved" : tried ? "tried" : `${minutes} min, ${difficulty}${extra ? ", extra" : ""}`;
  return element(
    "li",
    { className: solved ? "list-group-item exercise-done" : "list-group-item" },
    link,
    element("span", { textContent: state }),
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
    offerUndo(said, fromFile(await file.text()), undo);
  } catch (error) {
    said.textContent = error.message;
  }
}

function forget(said) {
  if (!confirm("Really forget everything, your answers too?")) return;
  const undo = makeUndo();
  replaceAll();
  offerUndo(said, "Progress and answers are forgotten.", undo);
}

/** Say what was changed, which can be undone while the page is open. */
function offerUndo(said, words, undo) {
  const press = () => {
    undo();
    said.textContent = "Everything is as it was before.";
  };
  said.replaceChildren(words, " ", button("Undo", press));
}
