/**
 * The key of an exercise: with it the page gives the verdict that Python would give, at once, also from disk.
 *
 * The build asks the checkers for it (bookwork/exercises/keys.py) and puts the keys of a page into `#book-keys`.
 *
 * @typedef {[number | number[], number, string, string]} Known an answer, how far another may be from it, status and message
 * @typedef {{ name: string, known: Known[], advice: string | string[], asks?: string, axes?: number | null }} Part
 * @typedef {{ choices?: Object<string, [string, string]>, parts?: Part[] }} Key
 */

let keys = null; // of the page's exercises, by label

/** @returns {Key | undefined} the key of an exercise of the page; one that has it has a form, and needs no Python */
export function keyOf(label) {
  keys ??= readKeys(document.getElementById("book-keys")?.textContent);
  return keys.get(label);
}

function readKeys(text) {
  if (!text) return new Map();
  const bytes = Uint8Array.from(atob(JSON.parse(text)), (letter) => letter.charCodeAt(0));
  return new Map(Object.entries(JSON.parse(new TextDecoder().decode(bytes))));
}

/** Whether an answer is a shape; else it is a number. */
export function isShape(part) {
  return part.asks !== undefined;
}

/**
 * Judge a letter, or the numbers and shapes of an answer in turn: the first that is not right counts.
 *
 * @returns {import("./progress.js").Verdict}
 */
export function judge({ choices, parts }, answers) {
  if (choices) return finding(choices[answers[0]]);
  const found = parts.map((part, i) => (isShape(part) ? judgeShape : judgeNumber)(part, answers[i]));
  return found.find(({ status }) => status !== "correct") ?? found.at(-1);
}

function judgeNumber({ known, advice }, answer) {
  const near = known.find(([number, within]) => Math.abs(answer - Number(number)) <= within);
  const says = Array.isArray(advice) ? advice[answer > Number(known[0][0]) ? 1 : 0] : advice; // the right number comes first
  return near ? finding(near.slice(2)) : advised(says, numberInWords(answer));
}

function judgeShape({ known, advice, asks, axes }, answer) {
  const [sizes, words] = [answer.join(), `(${answer.join(", ")}${answer.length === 1 ? "," : ""})`];
  if (axes && answer.length !== axes) return finding(["wrong shape", asks.replaceAll("{}", words)]);
  const same = known.find(([shape]) => String(shape) === sizes);
  return same ? finding(same.slice(2)) : advised(advice, words);
}

function advised(advice, words) {
  return finding(["not yet", advice.replaceAll("{}", words)]);
}

function finding([status, message]) {
  return { status, message };
}

/** A number as bookwork/exercises/numbers.py shows it: a whole one in full, others with eight digits. */
function numberInWords(number) {
  if (Number.isSafeInteger(number)) return String(number);
  const [digits, power] = number.toExponential(7).split("e").map(Number);
  if (power >= -4 && power < 8) return String(Number(number.toPrecision(8)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
