/**
 * Exercises that a teacher has assigned by a link, such as `…/any-page.html?assigned=ex-swap+ex-cosine&titled=Week+3`.
 *
 * The browser keeps the list until the reader puts it away; a later link replaces it. A link may come from anyone: it only
 * lists exercises of the book, runs nothing, and what it says is put in as text.
 */
import { element } from "../site/element.js";
import { ASSIGNED, read, remove, write } from "../site/store.js";
import { entryOf } from "./progress.js";
import { LABEL } from "./verdict.js";

const MOST = { labels: 300, title: 80 };

/** Show below the title of a page what is assigned, if anything is; return how to refresh it. */
export function showAssigned(chapters) {
  const all = new Map(chapters.flatMap(({ href, exercises }) => exercises.map((each) => [each.label, { ...each, href }])));
  const isNew = takeFromAddress(all);
  const words = element("summary");
  const list = element("ul");
  const lost = element("p");
  const done = element("button", { type: "button", textContent: "Put this list away" });
  const box = element("details", { className: "exercise-assigned", open: isNew }, words, list, lost, bar(done));
  const heading = document.querySelector("article h1") ?? document.querySelector("h1"); // the theme has one more, for paper
  const refresh = () => {
    const assigned = kept();
    if (!assigned) return box.remove();
    if (!box.isConnected) heading?.after(box);
    const known = assigned.labels.filter((label) => all.has(label));
    const solved = known.filter((label) => entryOf(label).solved);
    const onLost = sentenceOn(assigned.labels.filter((label) => !all.has(label)));
    const state = known.length ? `${solved.length} of ${known.length} solved` : onLost;
    words.textContent = `${assigned.title || "Assigned exercises"}: ${state}`;
    list.replaceChildren(...known.map((label) => listed(all.get(label))));
    lost.textContent = known.length ? onLost : "";
  };
  done.onclick = () => {
    remove(ASSIGNED);
    clean(new URL(location.href)); // where nothing is stored
    refresh();
  };
  refresh();
  return { refresh };
}

/** Keep what the address of the page assigns, and take it out of the address once it is stored; tell whether there was anything. */
function takeFromAddress(all) {
  const address = new URL(location.href);
  const words = (address.searchParams.get("assigned") ?? "").split(/\s+/);
  const given = words.flatMap((word) => (all.has(word) ? [word] : word.split(","))); // a label may have a comma
  const labels = [...new Set(given.filter((label) => LABEL.test(label)))].slice(0, MOST.labels);
  if (!labels.length) return false;
  const title = (address.searchParams.get("titled") ?? "").trim().slice(0, MOST.title);
  const isStored = write(ASSIGNED, JSON.stringify({ title, labels })) && localStorage instanceof Storage; // see guard.js
  if (isStored) clean(address);
  return true;
}

function clean(address) {
  for (const name of ["assigned", "titled"]) address.searchParams.delete(name);
  history.replaceState(history.state, "", address);
}

/** @returns {{ title: string, labels: string[] } | null} */
function kept() {
  try {
    const { title, labels } = JSON.parse(read(ASSIGNED));
    return { title: String(title), labels: labels.map(String) };
  } catch {
    return null; // nothing, or not written by the book
  }
}

function listed({ label, title, href }) {
  const { solved, tried } = entryOf(label);
  const state = element("span", { textContent: `: ${solved ? "solved" : tried ? "tried" : "not begun"}` });
  return element("li", { className: solved ? "exercise-done" : "" }, element("a", { href: `${href}#${label}`, textContent: title }), state);
}

function sentenceOn(lost) {
  if (!lost.length) return "";
  const names = lost.slice(0, 5).join(", ") + (lost.length > 5 ? " …" : "");
  const many = lost.length === 1 ? "One exercise was" : `${lost.length} exercises were`;
  return `${many} assigned that this edition of the book does not have: ${names}.`;
}

/** On a page with a place for it, a form that makes such a link. */
export function offerForm(chapters) {
  const place = document.querySelector(".exercise-assign");
  if (!place) return;
  const title = element("input", { type: "text", maxLength: MOST.title, placeholder: "Week 3" });
  const link = element("input", { type: "text", readOnly: true, "aria-label": "The link" });
  const copy = element("button", { type: "button", textContent: "Copy the link", onclick: () => copyFrom(link, said) });
  const said = element("p", { role: "status" });
  const boxes = chapters.map((chapter) => boxesOf(chapter));
  const make = () => {
    const chosen = boxes.flatMap(({ chosen }) => chosen());
    link.value = chosen.length ? linkTo(chosen, title.value) : "";
    copy.disabled = !chosen.length;
    said.textContent = chosen.length ? `${chosen.length} chosen, about ${minutesOf(chosen)} minutes.` : "Choose exercises.";
  };
  const form = element("form", { className: "exercise-form", onsubmit: (event) => event.preventDefault(), oninput: make });
  form.append(element("label", {}, "Title ", title), ...boxes.map(({ fold }) => fold), link, bar(copy), said);
  place.replaceChildren(form);
  make();
}

/** The exercises of a chapter, to be chosen one by one or all at once. */
function boxesOf({ title, href, exercises }) {
  const single = exercises.map(() => element("input", { type: "checkbox" }));
  const every = element("input", { type: "checkbox", oninput: () => single.forEach((one) => (one.checked = every.checked)) });
  const labels = exercises.map((each, k) => element("label", {}, single[k], ` ${each.title} (${each.minutes} min, ${each.difficulty})`));
  const fold = element("details", {}, element("summary", { textContent: title }), element("label", {}, every, " all of them"), ...labels);
  return { fold, chosen: () => exercises.filter((_, k) => single[k].checked).map((each) => ({ ...each, href })) };
}

function linkTo(chosen, title) {
  const address = new URL(chosen[0].href, location.href);
  address.search = String(
    new URLSearchParams({ assigned: chosen.map(({ label }) => label).join(" "), ...(title.trim() && { titled: title.trim() }) }),
  );
  address.hash = "";
  return address.href;
}

const bar = (button) => element("div", { className: "exercise-bar" }, button);
const minutesOf = (chosen) => chosen.reduce((sum, { minutes }) => sum + minutes, 0);

async function copyFrom(link, said) {
  link.select();
  try {
    await navigator.clipboard.writeText(link.value);
    said.textContent = "The link is copied.";
  } catch {
    said.textContent = "Copy the link with Ctrl+C: it is selected.";
  }
}
