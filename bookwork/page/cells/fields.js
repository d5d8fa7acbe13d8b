/**
 * Text fields above the code of cells with the tag `fields`: one for each line `name = "…"`.
 *
 * The code stays the only source: what is typed into a field changes the string there, as if the reader had
 * typed it there. A link can carry the texts (shared-link.js): they are filled in, and never run unasked.
 */
import { element } from "../site/element.js";
import { textsIn, withText } from "./literals.js";
import { notify } from "../site/notice.js";
import { fits, LONGEST, linkTo, readLink } from "./shared-link.js";

const TAG = "tag_fields";
const CAME = "The text in the field came with the link. It has not run yet: press Enter there, or Run.";
const CUT = `It was longer than ${LONGEST.toLocaleString("en")} characters, so it was cut.`;
const LOST = "This link carries a text, but there is no field for it on this page.";

/** The fields of one cell. */
class Fields {
  /** @param {import("./cell.js").CodeCell} cell */
  constructor(cell) {
    this.cell = cell;
    this.boxes = new Map([...textsIn(cell.starter).keys()].map((name) => [name, this.#makeBox(name)]));
    this.status = element("span", { className: "book-status", role: "status" });
    const copy = cell.makeButton("Copy a link", () => this.#copy());
    copy.title = "A link to this page that carries the text";
    const bar = element("div", { className: "book-bar" }, "Enter runs the cell.", copy, this.status);
    this.node = element("div", { className: "book-fields" }, ...[...this.boxes].map(([name, box]) => label(name, box)), bar);
    cell.note.node.before(this.node);
    cell.element.addEventListener("book:code", () => this.#show());
    this.#show();
  }

  get section() {
    const section = this.cell.element.closest("section[id]");
    return section.querySelector(":scope > span[id]")?.id ?? section.id;
  }

  /** Fill in texts that came with a link, in the reader's own code where it has a place for them. */
  take(texts, isCut) {
    const { cell } = this;
    const known = [...texts].filter(([name]) => this.boxes.has(name));
    const base = cell.isTrusted && known.every(([name]) => textsIn(cell.code).has(name)) ? cell.code : cell.starter;
    const code = known.reduce((now, [name, text]) => withText(now, name, text), base);
    if (code !== cell.code) cell.takeFromLink(code);
    cell.show();
    this.say(isCut ? `${CAME} ${CUT}` : CAME);
    addEventListener("hashchange", () => this.boxes.get(known[0][0]).focus({ preventScroll: true }), { once: true }); // see followLink
  }

  say(sentence) {
    this.status.textContent = sentence;
  }

  #makeBox(name) {
    const box = element("textarea", { rows: 1, spellcheck: false, dir: "auto", "aria-label": `${wordsOf(name)}: ${this.cell.spokenName}` });
    box.oninput = () => this.#write(name, box.value);
    box.onkeydown = (event) => this.#press(event);
    return box;
  }

  #write(name, text) {
    const { cell } = this;
    this.say("");
    cell.code = withText(cell.code, name, text);
    cell.show();
  }

  /** Enter runs the cell, Shift+Enter begins a new line. */
  #press(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.say("");
    this.cell.run();
  }

  /** Show the texts that are in the code; one that the reader computes there cannot be changed here. */
  #show() {
    const texts = textsIn(this.cell.code);
    for (const [name, box] of this.boxes) {
      const text = texts.get(name)?.replace(/\r\n?/g, "\n") ?? null;
      box.disabled = text === null;
      box.placeholder = text === null ? "The code below says what this is." : "";
      if (box.value !== (text ?? "")) box.value = text ?? "";
    }
  }

  async #copy() {
    const boxes = [...this.boxes].filter(([, box]) => !box.disabled);
    if (!boxes.every(([, box]) => fits(box.value))) {
      return this.say(`A link carries at most ${LONGEST.toLocaleString("en")} characters, so this text is too long for one.`);
    }
    const link = linkTo(this.section, Object.fromEntries(boxes.map(([name, box]) => [name, box.value])));
    try {
      await navigator.clipboard.writeText(link);
      this.say("The link is copied.");
    } catch {
      this.#offer(link);
    }
  }

  /** Where the browser lets no script copy, the reader does. */
  #offer(link) {
    const place = element("input", { value: link, readOnly: true, "aria-label": "Link that carries the text" });
    this.status.replaceChildren("Copy this: ", place);
    place.focus();
    place.select();
  }
}

function label(name, box) {
  return element("label", {}, element("span", { textContent: wordsOf(name) }), box);
}

function wordsOf(name) {
  return name.replaceAll("_", " ");
}

/** Give the cells that want them their fields, and fill in what the page's address carries. */
export function setUpFields(cells) {
  const all = cells.filter(({ element: place }) => place?.classList.contains(TAG)).map((cell) => new Fields(cell));
  const follow = () => followLink(all);
  addEventListener("hashchange", follow);
  follow();
}

/** Fill in the texts that the address carries, and leave an ordinary address, so that a reload fills in nothing. */
function followLink(all) {
  const link = readLink();
  if (!link) return;
  location.replace(`#${encodeURIComponent(link.section)}`); // scrolls there; the focus is free once the address has changed
  const section = document.getElementById(link.section)?.closest("section");
  const isMeant = ({ cell, boxes }) => section?.contains(cell.element) && [...link.texts.keys()].some((name) => boxes.has(name));
  const fields = all.find(isMeant);
  if (fields) fields.take(link.texts, link.isCut);
  else notify(LOST);
}
