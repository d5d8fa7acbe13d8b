/**
 * The key of an exercise: with it the page gives the verdict that Python would give, at once, also from disk.
 *
 * It is what a checker declares (bookwork/exercises/value.py). The build puts the keys of a page into `#book-keys`.
 *
 * @typedef {[number[], number, string, string]} Known an answer, as a list of numbers, how far another may be from it, status and message
 * @typedef {{ name: string, known: Known[], advice: string | string[], kind: "number" | "shape" }} Part
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
  return part.kind === "shape";
}

/**
 * Judge a letter, or the numbers and shapes of an answer in turn: the first that is not right counts.
 *
 * @returns {import("./progress.js").Verdict}
 */
export function judge({ choices, parts }, answers) {
  if (choices) return finding(choices[answers[0]]);
  const found = parts.map((part, i) => judgeOne(part, answers[i]));
  return found.find(({ status }) => status !== "correct") ?? found.at(-1);
}

function judgeOne({ kind, known, advice }, answer) {
  const numbers = [answer].flat();
  const near = known.find(
    ([other, within]) => other.length === numbers.length && other.every((n, i) => Math.abs(numbers[i] - n) <= within),
  );
  if (near) return finding(near.slice(2));
  const says = Array.isArray(advice) ? advice[numbers[0] > known[0][0][0] ? 1 : 0] : advice; // the right number comes first
  const words = numbers.map(numberInWords).join(", ");
  const shape = `(${words}${numbers.length === 1 ? "," : ""})`;
  return finding(["not yet", says.replaceAll("{}", kind === "shape" ? shape : words)]);
}

function finding([status, message]) {
  return { status, message };
}

/** A number as bookwork/exercises/value.py shows it: a whole one in full, others with eight digits. */
function numberInWords(number) {
  if (Number.isSafeInteger(number)) return String(number);
  const [digits, power] = number.toExponential(7).split("e").map(Number);
  if (power >= -4 && power < 8) return String(Number(number.toPrecision(8)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
