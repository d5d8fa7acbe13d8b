/**
 * How much a run may show: more would freeze the page, so a sentence is shown instead.
 *
 * The worker checks before it sends anything, and the page checks again, because the reader's code may have sent it.
 */
import { VERDICT } from "../exercises/verdict.js";

const PLAIN = "text/plain";

/** HTML that markdown.js made of Markdown or TeX. */
export const RICH = "application/vnd.book.text+html";

/** The size that a picture should have: { width, height }, either of them or both. */
export const SIZE = "application/vnd.book.size+json";
const SIDE = /^\d{1,4}(?:\.\d+)?$/; // in pixels
const VIEWS = [VERDICT, "application/vnd.jupyter.widget-view+json"];
const KINDS = {
  "image/svg+xml": { name: "SVG", characters: 2e6, elements: 10_000, depth: 60, tables: 0, letters: 300_000 },
  "image/png": { name: "a PNG image", characters: 10e6, pixels: 25e6 },
  "image/jpeg": { name: "a JPEG image", characters: 10e6, pixels: 25e6 },
  "image/gif": { name: "a GIF image", characters: 10e6, pixels: 25e6 },
  "text/html": { name: "HTML", characters: 1e6, elements: 10_000, depth: 60, tables: 10 },
};
KINDS[RICH] = { ...KINDS["text/html"], name: "text" };
const HEAD = 200_000; // characters among which a picture tells its size
const FRAMES = [0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]; // marks of a JPEG's size
const SIZES = {
  "image/png": (view) => view.getUint32(16) * view.getUint32(20),
  "image/gif": (view) => view.getUint16(6, true) * view.getUint16(8, true),
  "image/jpeg": pixelsOfJpeg,
};
const SCRIPTS = [
  [0x300, 0x370, -1], // accents
  [0x600, 0x700, 1], // Arabic
  [0x2000, 0x2c00, -1], // arrows, boxes and other signs
  [0x3400, 0xa000, 2], // Chinese
  [0xac00, 0xd7b0, 3], // Korean
  [0xd800, 0xe000, 4], // pictures, and scripts that few use
]; // those that are not just 128 letters, or none: from, to, number
const LETTERS = 100; // that take as long as an element
const SLACK = 10; // changes that a text may have more when it is looked at once more
const [TURNS, MOST_TURNS] = [/[\u202a-\u202e\u2066-\u2069]/g, 50];
const TEXT = 100_000; // characters of a text
const RUN = { characters: 20e6, elements: 30_000, displays: 200, printed: 120_000, changes: 6_000 }; // altogether
const REPLACED = ["characters", "elements", "changes"]; // what an update gives back of what it replaces
const WIDGET = 10e6; // characters and bytes that one message of a widget may have
const CHILDREN = 300; // widgets that one box may contain
const FEW = 200; // where each entry is an element with parts of its own
const ENTRIES = {
  ...{ RadioButtonsModel: FEW, ToggleButtonsModel: FEW, TagsInputModel: FEW, ColorsInputModel: FEW },
  ...{ FloatsInputModel: FEW, IntsInputModel: FEW, other: 3_000 },
}; // that a widget may offer
const OTHERWISE = /^(?:AnyModel\.|OutputModel\.|HTML(?:Math)?Model\.value$)/; // what is limited where it is drawn
const [STYLED, STYLE_LETTERS] = [/(?:Layout|Style)Model$/, 5_000];
const TAG = /<(\/?)([a-z][\w:.-]*)((?:[^<]|<(?![a-z/]))*)/gi;
const ATTRIBUTES = 100; // of an element; each further one counts as an element
const VOID = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/;
const SPAN = /[\s/"'](?:col|row)?span\s*=\s*["']?\s*(\d+)/gi; // how many table cells one cell spans
const LIGHT = 10; // cells that a cell may span and still count as one element
const MOVING = { animate: 100, animatemotion: 100, animatetransform: 100, set: 100 };
const HEAVY = { ...MOVING, audio: 20, video: 20, input: 5, select: 5, textarea: 5, mask: 100 }; // elements that cost as much as this many
const [KEYFRAMES, MOVED] = [/@(?:-webkit-)?keyframes/i, 10]; // where styles move elements, each costs as much as this many
const DASHES = 300_000; // of all dashed lines
const DASHED = /stroke-dasharray[\s"':=]+([\d.,\se-]*)/i;
const STYLE = /^(?:a|b|big|code|em|font|i|nobr|s|small|strike|strong|tt|u)$/; // begun again in each block until they are closed
const INLINE = /^(?:span|img|br|wbr|input|select|button|sub|sup|q|abbr|label|kbd|mark|time|var|cite|dfn|del|ins)$/;
const COPIES = 24; // elements that a browser may make of one style that ends elsewhere than it began
const FLAT = /^(?:p|li|dt|dd|tr|td|th|thead|tbody|tfoot|option)$/; // closed by the next one, so they add no depth

/** Letters that are harder to set than Latin ones; arrows, boxes and signs of mathematics are not. */
export const NOT_LATIN = /[^\x00-\u02ff\u2000-\u2bff]/;

/** The forms of a value that a page draws, the one liked best first. */
export const TYPES = [...VIEWS, ...Object.keys(KINDS), PLAIN];

/** Whether a bundle { type: data } has a form that is liked better than its text. */
export function isDrawn(bundle) {
  return bestOf(bundle) !== PLAIN;
}

/** The type of the best form that a bundle offers. */
function bestOf(bundle) {
  return TYPES.find((type) => bundle[type] !== undefined && bundle[type] !== null) ?? PLAIN;
}

/** What one run has left. */
export class Allowance {
  #left = { ...RUN };
  #taken = new Map(); // display_id -> what is shown under it has taken

  /** Return what to show of a message, or null for nothing. */
  fit(message) {
    const { kind, cell, wait } = Object(message);
    const content = this.#fitContent(Object(message));
    return (
      content && { kind, ...content, ...(kind === "clear" && { wait: wait === true }), ...(cell !== undefined && { cell: String(cell) }) }
    );
  }

  #fitContent({ kind, text, bundle, error, display_id }) {
    if (kind === "display" || kind === "update") return this.#fitNamed(kind, Object(bundle), display_id);
    if (kind === "stdout" || kind === "stderr") return this.#fitPrinted(String(text));
    if (kind === "error") return this.#take("displays", 1) ? { error: readError(error) } : null;
    if (kind === "clear") return this.#begin();
    return kind === "fault" ? { text: String(text).slice(0, 2000) } : null;
  }

  /** Return what may still be printed of a text; what is left out is said once. */
  #fitPrinted(text) {
    const left = this.#left.printed;
    if (this.#take("printed", text.length)) return { text: this.#cut(text) };
    return left > 0 ? { text: `${this.#cut(text.slice(0, left))} … (${count(text.length - left)} more characters)` } : null;
  }

  /** Start again, because the output was cleared. */
  #begin() {
    this.#left = { ...RUN };
    this.#taken.clear();
    return {};
  }

  /** An update takes the place of what has its name: that gives back what it took, and the page holds no more displays. */
  #fitNamed(kind, bundle, name) {
    if (name === undefined) return this.#fitDisplay(bundle);
    const before = this.#taken.get(String(name));
    const isReplaced = kind === "update" && before !== undefined;
    if (isReplaced) REPLACED.forEach((what) => (this.#left[what] += before[what]));
    const left = { ...this.#left };
    const fitted = this.#fitDisplay(bundle, isReplaced ? 0 : 1);
    const taken = (what) => [what, left[what] - this.#left[what] + (isReplaced ? 0 : (before?.[what] ?? 0))];
    this.#taken.set(String(name), Object.fromEntries(REPLACED.map(taken)));
    return fitted && { ...fitted, display_id: String(name) };
  }

  #fitDisplay(bundle, displays = 1) {
    const isFull = this.#left.elements < 0 || this.#left.characters < 0;
    if ((displays && !this.#take("displays", displays)) || isFull) return null;
    return { bundle: this.#fitBundle(bundle) };
  }

  /** Return the best form of a value and its text, each within what is left. */
  #fitBundle(bundle) {
    const best = bestOf(bundle);
    const plain = this.#cut(clip(textOf(bundle[PLAIN] ?? Object.values(bundle).map(textOf).join("\n"))));
    if (VIEWS.includes(best)) return { [PLAIN]: plain, [best]: small(bundle[best]) };
    if (!(best in KINDS)) return { [PLAIN]: plain };
    const data = textOf(bundle[best]);
    const sentence = excess(best, data) ?? this.#excess(best, data);
    return { [PLAIN]: sentence ?? plain, ...(sentence ? {} : { [best]: data, ...sizeIn(bundle) }) };
  }

  /** Cut a text that changes between scripts too often: each change takes the page as long as many letters. */
  #cut(text) {
    const left = Math.max(this.#left.changes, 0);
    const { changes } = scriptsOf(text, left + SLACK);
    this.#left.changes -= changes;
    if (changes <= left + SLACK) return text;
    const { end } = scriptsOf(text, left);
    return `${text.slice(0, end)} … (${count(text.length - end)} more characters)`;
  }

  #excess(type, data) {
    const { elements } = KINDS[type].elements ? weigh(data) : { elements: 1 };
    if (this.#take("characters", data.length) && this.#take("elements", elements)) return null;
    return "The rest of the output is not shown: the run has shown as much as the page can take. Run less in one cell.";
  }

  #take(what, amount) {
    this.#left[what] -= amount;
    return this.#left[what] >= 0;
  }
}

/** A sentence that says why data are too much for the page, or for narrower limits; null if they are not. */
export function excess(type, data, limits = {}) {
  const { name, characters, elements, depth, tables, pixels, letters } = { ...KINDS[type], ...limits };
  if (data.length > characters) return tell(`is ${millions(data.length)} MB of ${name}`, `${millions(characters)} MB`);
  if (pixels)
    return pixelsOf(type, data) > pixels
      ? tell(`is ${name} of ${millions(pixelsOf(type, data))} million pixels`, `${millions(pixels)} million`)
      : null;
  const found = weigh(data);
  const likeness = found.isHeavy ? "is as heavy as" : "is";
  if (found.elements > elements) return tell(`${likeness} ${name} of ${count(found.elements)} elements`, count(elements));
  if (found.dashes > DASHES) return tell(`has lines of ${count(found.dashes)} dashes`, count(DASHES));
  if (found.letters > letters) return tell(`is ${name} with ${count(found.letters)} letters`, count(letters));
  const { changes } = scriptsOf(data, RUN.changes);
  if (changes > RUN.changes) return tell(`changes between scripts more than ${count(RUN.changes)} times`, count(RUN.changes));
  if (found.tables > tables && tables) return tell(`has more than ${tables} tables nested in one another`, `${tables}`);
  return found.depth > depth ? tell(`is ${name} with elements nested more than ${depth} deep`, `${depth}`) : null;
}

/** In how many places a bundle may be drawn at once: together they may be as heavy as one output may be. */
export function mostPlaces(bundle) {
  const texts = Object.values(bundle).map(textOf);
  const elements = texts.reduce((sum, text) => sum + text.length / LETTERS + weigh(text).elements, 1);
  return Math.max(1, Math.floor(KINDS["text/html"].elements / elements));
}

/**
 * The widget messages that are not too large, with their buffers, and a sentence for each that is. A widget that would
 * begin with one is announced by a message with its sentence alone, `refused`, so that it is said just where the widget would be.
 *
 * @param {Map<string, string>} kinds the model of each widget, by its id; new ones are added
 */
export function fitWidgets(messages, buffers, kinds) {
  const fitted = { messages: [], buffers: [], faults: [] };
  let at = 0;
  for (const message of messages) {
    const own = buffers.slice(at, (at += message.buffers));
    const fault = excessOfWidget(message, own) ?? excessOfEntries(message, kinds);
    const { type, id } = message;
    if (!fault) (fitted.messages.push(message), fitted.buffers.push(...own));
    else if (type === "comm_open") fitted.messages.push({ type, id, buffers: 0, refused: fault });
    else fitted.faults.push(fault);
  }
  return fitted;
}

/** A sentence that says why a widget's message is too large; null if it is not. */
function excessOfWidget(message, buffers) {
  const size = buffers.reduce((sum, { byteLength }) => sum + byteLength, JSON.stringify(message).length);
  return size > WIDGET ? `A widget sent ${millions(size)} MB, which is not shown: the page takes at most ${millions(WIDGET)} MB.` : null;
}

/** A sentence that says why a widget of ipywidgets has too many entries, or too long ones; null if it does not. */
function excessOfEntries({ id, data }, kinds) {
  const state = Object(data?.state);
  if (Array.isArray(state.children) && state.children.length > CHILDREN)
    return `A box contains ${count(state.children.length)} widgets, which are not shown: the page takes at most ${count(CHILDREN)} in one.`;
  if (state._model_name) kinds.set(id, String(state._model_name));
  const kind = kinds.get(id) ?? "";
  const values = Object.entries(state).filter(([name]) => !OTHERWISE.test(`${kind}.${name}`));
  const most = ENTRIES[kind] ?? ENTRIES.other;
  const entries = Math.max(...values.map(([, value]) => (Array.isArray(value) ? value.length : 0)));
  if (entries > most)
    return `A widget has ${count(entries)} entries to choose from, which are not shown: the page takes at most ${count(most)} of this kind.`;
  const letters = STYLED.test(kind) ? STYLE_LETTERS : TEXT;
  return values.some(([, value]) => isTooLong(value, letters))
    ? `A widget shows a text that is not shown here: the page takes at most ${count(letters)} characters in one.`
    : null;
}

/** Whether each entry of widgets of this kind is an element with parts of its own. */
export function hasLargeEntries(kind) {
  return ENTRIES[kind] === FEW;
}

/** Whether a text of a widget, or several of them, would take the page long. */
function isTooLong(value, letters) {
  const text = Array.isArray(value) ? value.filter((each) => typeof each === "string").join("") : value;
  return typeof text === "string" && (text.length > letters || scriptsOf(text, RUN.changes).changes > RUN.changes);
}

function tell(what, most) {
  return `This output is not shown: it ${what}, and the page shows at most ${most}. Show a part of it.`;
}

let last = { text: "", found: null }; // what was weighed: worker and page ask more than once

/**
 * Count the elements of HTML or SVG, those that `<use>` repeats included, and how deep they go.
 *
 * It need not be exact, but must count at least half of what a browser creates, and must be quick.
 */
export function weigh(text) {
  if (!last.found || text !== last.text) last = { text, found: weighTags(spelledOut(text)) };
  return last.found;
}

/** Text in which letters, digits and number signs stand for themselves: `&#49;` is a 1, too. */
function spelledOut(text) {
  const letter = (whole, hex, digits) => {
    const code = parseInt(digits, hex ? 16 : 10);
    return code < 128 && /[\w#-]/.test(String.fromCharCode(code)) ? String.fromCharCode(code) : whole;
  };
  return text.includes("&") ? text.replaceAll("&num;", "#").replace(/&#(x?)0*([0-9a-f]{1,4});?/gi, letter) : text;
}

function weighTags(text) {
  const open = new Open();
  const uses = [];
  const parts = new Map(); // id -> where it begins among elements and uses, and where it ends
  const blocks = new Blocks();
  const found = { elements: 0, depth: 0, tables: 0, letters: 0, isHeavy: KEYFRAMES.test(text) };
  const each = found.isHeavy ? MOVED : 1;
  const lines = DASHED.test(text) ? new Lines() : null;
  const end = ({ part }) => Object.assign(part, { to: found.elements, usesTo: uses.length });
  for (const [, slash, written, rest] of text.matchAll(TAG)) {
    const name = written.toLowerCase();
    found.elements += blocks.add(name, slash, rest);
    if (slash) {
      open.end(name).forEach(end);
      continue;
    }
    const part = { from: found.elements, usesFrom: uses.length };
    found.letters += rest.length - Math.max(0, rest.indexOf(">"));
    lines?.add(rest);
    found.isHeavy ||= Object.hasOwn(HEAVY, name);
    found.elements += (Object.hasOwn(HEAVY, name) ? HEAVY[name] : each) + Math.max(0, attributesIn(rest) - ATTRIBUTES) + spanned(rest);
    const [, id] = rest.match(/[\s/"']id\s*=\s*["']?([^"'\s>]+)/i) ?? [];
    if (id) parts.set(id, part);
    for (const [, other] of rest.matchAll(/(?:href\s*=\s*["']?|url\(\s*["']?)#([^"'\s>)]+)/gi)) uses.push(other);
    if (VOID.test(name) || FLAT.test(name) || /^[^>]*\/>/.test(rest)) end({ part });
    else open.begin({ name, part });
    found.depth = Math.max(found.depth, open.depth);
    found.tables = Math.max(found.tables, open.count("table"));
    if (found.depth > 1000) break; // too deep for anything
  }
  open.all.forEach(end);
  return { ...found, elements: found.elements + repeated(uses, parts), dashes: lines?.dashes ?? 0 };
}

/** The elements that have begun and not ended. */
class Open {
  all = [];
  #counts = new Map(); // of each name

  get depth() {
    return this.all.length;
  }

  count(name) {
    return this.#counts.get(name) ?? 0;
  }

  begin(tag) {
    this.all.push(tag);
    this.#counts.set(tag.name, this.count(tag.name) + 1);
  }

  /** End the last one with this name; return it and those that it contains. */
  end(name) {
    if (!this.count(name)) return [];
    const ended = this.all.splice(this.all.findLastIndex((tag) => tag.name === name));
    ended.forEach((tag) => this.#counts.set(tag.name, this.count(tag.name) - 1));
    return ended;
  }
}

/** What a browser adds by itself: paragraphs that only end, and styles that go on in the next block. */
class Blocks {
  #styles = []; // open ones: their name, what is written in their tag, and how many blocks had begun
  #begun = 0;
  #isNew = false; // whether the styles have not been begun again here
  #isParagraph = false;

  /** Return how many elements a tag adds beside its own. */
  add(name, slash, rest) {
    let added = slash && name === "br" ? 1 : 0;
    if (STYLE.test(name)) added += slash ? this.#endStyle(name) : this.#beginStyle(name, rest);
    else if (!INLINE.test(name)) added += this.#block(name, slash);
    if (!this.#isNew || !/>\s*\S/.test(rest)) return added;
    this.#isNew = false;
    return added + this.#styles.length;
  }

  #block(name, slash) {
    const isMissing = slash && name === "p" && !this.#isParagraph;
    this.#isParagraph = !slash && name === "p";
    this.#isNew = true;
    this.#begun += 1;
    return isMissing ? 1 : 0;
  }

  #beginStyle(name, rest) {
    const written = rest.split(">", 1)[0];
    const again = this.#isNew ? this.#styles.length : 0;
    this.#isNew = false;
    const alike = this.#styles.filter((style) => style.name === name && style.written === written);
    if (alike.length < 3) this.#styles.push({ name, written, begun: this.#begun });
    return again;
  }

  #endStyle(name) {
    const at = this.#styles.findLastIndex((style) => style.name === name);
    if (at < 0) return 0;
    const [{ begun }] = this.#styles.splice(at, 1);
    return begun < this.#begun ? COPIES : 0;
  }
}

/** Lines of a drawing, of which some are dashed. */
class Lines {
  #all = 0; // their length
  #own = 0; // the length of those that are dashed themselves
  #period = Infinity; // the shortest, of a dash and what is between two
  #isInherited = false; // whether something else than a line says that lines are dashed

  /** @param {string} rest the text after the name of a tag */
  add(rest) {
    const [, list] = rest.match(DASHED) ?? [];
    const period = numbersIn(list ?? "").reduce((sum, each) => sum + Math.abs(each), 0);
    const length = lengthIn(rest);
    this.#all += length;
    if (!period) return;
    this.#period = Math.min(this.#period, period);
    if (length) this.#own += length;
    else this.#isInherited = true;
  }

  /** About how many dashes they have. */
  get dashes() {
    return Math.round((this.#isInherited ? this.#all : this.#own) / this.#period);
  }
}

/** About how long a line is that has these attributes. */
function lengthIn(rest) {
  const places = [...rest.matchAll(/\s(d|points|x[12]|y[12]|r[xy]?|width|height)\s*=\s*["']?([^"'>]*)/g)];
  return places.reduce((sum, [, name, list]) => {
    const numbers = numbersIn(list);
    const isRelative = name !== "d" || /[a-df-z]/.test(list);
    return (
      sum + numbers.reduce((total, each, i) => total + Math.abs(each - (numbers[i - 2] ?? each)) + (isRelative ? Math.abs(each) : 0), 0)
    );
  }, 0);
}

function numbersIn(text) {
  return (text.match(/-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
}

/** The cost, in elements, of the table cells that one cell spans. */
function spanned(rest) {
  const sizes = [...rest.matchAll(SPAN)].map(([, size]) => Math.min(size, 65_534));
  return Math.floor(sizes.reduce((area, size) => area * size, 1) / LIGHT);
}

/** Count the attributes in the text after a tag's name. */
function attributesIn(rest) {
  const [names] = rest.replace(/=\s*(?:"[^"]*"|'[^']*')/g, "= ").split(">", 1);
  return names.match(/[^\s/=]+/g)?.length ?? 0;
}

/** How many elements all uses together add. */
function repeated(uses, parts) {
  const known = new Map();
  const size = (id, depth) => {
    const part = parts.get(id);
    if (!part) return 0;
    if (depth > 50) return Infinity; // such a long chain, or a cycle
    if (!known.has(id)) known.set(id, part.to - part.from + sum(part.usesFrom, part.usesTo, depth + 1));
    return known.get(id);
  };
  const sum = (from, to, depth) => {
    let total = 0;
    for (let i = from; i < to; i++) total += size(uses[i], depth);
    return total;
  };
  return uses.length ? sum(0, uses.length, 0) : 0;
}

/** The pixels of a picture, by its first bytes; 0 where they do not tell. */
function pixelsOf(type, data) {
  try {
    const letters = data.slice(0, HEAD).replace(/[^A-Za-z0-9+/]/g, "");
    const head = Uint8Array.from(atob(letters.slice(0, letters.length - (letters.length % 4))), (letter) => letter.charCodeAt(0));
    return SIZES[type](new DataView(head.buffer));
  } catch {
    return 0;
  }
}

/** Where a JPEG tells its size: in a part that may come after many others. */
function pixelsOfJpeg(view) {
  let at = 2;
  while (!FRAMES.includes(view.getUint8(at + 1))) at += 2 + view.getUint16(at + 2);
  return view.getUint16(at + 5) * view.getUint16(at + 7);
}

/** The size that a bundle gives its picture, as far as it makes sense. */
function sizeIn(bundle) {
  const sides = Object.entries(Object(bundle[SIZE])).filter(([side, given]) => /^(width|height)$/.test(side) && SIDE.test(String(given)));
  return sides.length ? { [SIZE]: Object.fromEntries(sides.map(([side, given]) => [side, Number(given)])) } : {};
}

/** A small object, as JSON can hold it; a large one becomes an empty one. */
function small(data) {
  const text = textOf(data);
  return text.length <= TEXT && typeof data === "object" ? data : {};
}

/** Cut a text that is too long; one that was cut before, and is a little longer, stays as it is. */
function clip(text) {
  return text.length <= TEXT + 100 ? text : `${text.slice(0, TEXT)} … (${count(text.length - TEXT)} more characters)`;
}

/** An error, as text. */
export function readError(error) {
  const { type, message, traceback, line } = Object(error);
  const text = (value) => String(value ?? "").slice(0, 20_000);
  return { type: text(type), message: text(message), traceback: text(traceback), line: Number.isInteger(line) ? line : null };
}

/** How often a text changes from one script to another, and where it has done so too often. */
function scriptsOf(text, most) {
  const found = { changes: 0, end: text.length };
  if (!NOT_LATIN.test(text)) return found;
  let last = -1;
  for (let i = 0; i < text.length; i++) {
    const script = scriptOf(text.charCodeAt(i));
    if (script < 0 || script === last) continue;
    last = script;
    if (++found.changes > most) return { ...found, end: i };
  }
  return found;
}

/** A number for each script, or nearly so; -1 for signs that belong to all. */
function scriptOf(code) {
  if (code < 0x2c0) return code > 0x40 ? 0 : -1;
  const [, , number] = SCRIPTS.find(([from, to]) => from <= code && code < to) ?? [0, 0, code >> 7];
  return number;
}

/** Text without marks that turn its direction, where it has many: a line with hundreds of them takes seconds to set. */
export function withoutTurns(text) {
  const marks = text.match(TURNS)?.length ?? 0;
  return marks > MOST_TURNS ? text.replace(TURNS, "") : text;
}

/** Data as text, whatever they are. */
export function textOf(data) {
  return typeof data === "string" ? data : (JSON.stringify(data) ?? String(data));
}

function millions(number) {
  return (number / 1e6).toLocaleString("en", { maximumFractionDigits: 1 });
}

function count(number) {
  return Number.isFinite(number) ? number.toLocaleString("en") : "infinitely many";
}
