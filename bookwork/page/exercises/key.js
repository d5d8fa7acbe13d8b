/**
 * The key of an exercise: with it the page gives the verdict that Python would give, at once.
 *
 * The build asks the checkers for it (bookwork/exercises/keys.py) and puts the keys of a page into `#book-keys`.
 *
 * @typedef {[number | number[], number, string, string]} Known an answer, how far another may be from it, status and message
 * @typedef {{ name: string, known: Known[], advice: string | string[] | null, asks?: string, axes?: number | null }} Part
 * @typedef {{ choices?: Object<string, [string, string]>, parts?: Part[] }} Key
 * @typedef {{ status: string, message: string }} Finding
 */

/** @returns {Object<string, Key>} the keys of a page by label, from the text in it */
export function readKeys(text) {
  const bytes = Uint8Array.from(atob(JSON.parse(text)), (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** Whether an answer is a shape; else it is a number. */
export function isShape(part) {
  return part.asks !== undefined;
}

/**
 * Judge a letter, or the numbers and shapes of an answer in turn: the first that is not right counts.
 *
 * @returns {Finding | null} null if only Python can judge it
 */
export function judge({ choices, parts }, answers) {
  if (choices) return finding(choices[answers[0]]);
  let found = null;
  for (const [i, part] of parts.entries()) {
    found = isShape(part) ? judgeShape(part, answers[i]) : judgeNumber(part, answers[i]);
    if (found?.status !== "correct") break;
  }
  return found;
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
  return advice === null ? null : finding(["not yet", advice.replaceAll("{}", words)]);
}

function finding([status, message]) {
  return status ? { status, message } : null;
}

/** A number as bookwork/exercises/numbers.py shows it: a whole one in full, others with eight digits. */
function numberInWords(number) {
  if (Number.isSafeInteger(number)) return String(number);
  const [digits, power] = number.toExponential(7).split("e").map(Number);
  if (power >= -4 && power < 8) return String(Number(number.toPrecision(8)));
  return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
