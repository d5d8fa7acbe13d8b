/**
 * Numbers and shapes as people type them: `1,048,576`, `2**20`, `2^20`, `1/3`, `1e6`, `0.5 %`, `10 × 512`.
 *
 * Each becomes its value and the same in Python, for the exercise's cell. Nothing that is typed here is run.
 */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])|(?<![\d.])[1-9]\d{0,2}(?:[ \u00a0\u202f_']\d{3})+(?!\d)/g; // in thousands
const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(\*\*|[-+*/()]))/iy;
const SIGNS = { "^": "**", "−": "-", "–": "-", "×": "*", "·": "*", "÷": "/" };
const PERCENT = /\s*(?:%|percent)$/i;
const BRACKETED = /^[([](.*)[)\]]$/;
const BETWEEN = /\s*[,×x;]\s*|(?<=\d)\s+(?=\d)/; // the sizes of a shape

const TAKES = "This field takes a number, as in 1,048,576, 2**20, 1/3 or 0.5 %. For anything else, write Python below.";
/** What a field says that has no Python below it. */
export const GUESSED = "A guess is a number here, as in 0.5, 1,048,576, 2**20, 1/3 or 0.5 %.";
const NO_COMMA = "Write decimals with a point, as in 0.5. A comma separates thousands, as in 1,048,576.";
const SHAPE = "This field takes a shape: whole numbers with commas between them, as in (3, 4).";

/** What is typed is no answer; the message says why. */
export class NoAnswer extends Error {}

/** @returns {{ value: number, code: string }} the number that a text means, and the same in Python */
export function readNumber(text, sentence = TAKES) {
  const plain = withSigns(text.trim().replace(GROUPED, (digits) => digits.replace(/\D/g, "")));
  if (/\d,\d/.test(plain)) throw new NoAnswer(NO_COMMA);
  const whole = plain.replace(PERCENT, "");
  const sum = new Reader(whole, sentence).read();
  if (whole === plain) return finite(sum);
  return finite({ value: sum.value / 100, code: /^[\w.]+$/.test(sum.code) ? `${sum.code} / 100` : `(${sum.code}) / 100` });
}

/** @returns {{ value: number[], code: string }} the shape that a text means, and the same in Python */
export function readShape(text) {
  const inside = text.trim().replace(BRACKETED, "$1").replace(/,\s*$/, "");
  const sizes = inside.split(BETWEEN).map((part) => new Reader(withSigns(part), SHAPE).read());
  if (!sizes.every(({ value }) => Number.isSafeInteger(value))) throw new NoAnswer(SHAPE);
  const codes = sizes.map(({ code }) => code);
  return { value: sizes.map(({ value }) => value), code: codes.length === 1 ? `(${codes[0]},)` : `(${codes.join(", ")})` };
}

function withSigns(text) {
  return text.replace(/[\^−–×·÷]/g, (sign) => SIGNS[sign]);
}

function finite({ value, code }) {
  if (Number.isNaN(value)) throw new NoAnswer("This is no real number.");
  if (!Number.isFinite(value)) throw new NoAnswer("This number is too large: it has more than 308 digits.");
  return { value, code };
}

/** Reads a sum as Python does: ** before signs, signs before * and /, these before + and -. */
class Reader {
  constructor(text, sentence = TAKES) {
    this.sentence = sentence;
    this.tokens = [];
    for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.trimEnd().length;) {
      const match = TOKEN.exec(text);
      if (!match) throw new NoAnswer(sentence);
      this.tokens.push(match[1]?.replace(/^0+(?=\d)/, "") ?? match[2]);
    }
  }

  read() {
    const sum = this.#sum();
    return this.tokens.length ? this.#fail() : sum;
  }

  #sum() {
    return this.#chain(["+", "-"], () => this.#chain(["*", "/"], () => this.#signed()));
  }

  /** Parts with signs of the same rank between them, from left to right. */
  #chain(signs, readPart) {
    let left = readPart();
    while (signs.includes(this.tokens[0])) {
      const sign = this.tokens.shift();
      const right = readPart();
      left = { value: apply(sign, left.value, right.value), code: `${left.code} ${sign} ${right.code}` };
    }
    return left;
  }

  #signed() {
    if (!["+", "-"].includes(this.tokens[0])) return this.#power();
    const sign = this.tokens.shift();
    const { value, code } = this.#signed();
    return { value: sign === "-" ? -value : value, code: sign === "-" ? `-${code}` : code };
  }

  #power() {
    const base = this.#atom();
    if (this.tokens[0] !== "**") return base;
    this.tokens.shift();
    const exponent = this.#signed();
    return { value: base.value ** exponent.value, code: `${base.code}**${exponent.code}` };
  }

  #atom() {
    const token = this.tokens.shift() ?? "";
    if (/^[\d.]/.test(token)) return { value: Number(token), code: token };
    if (token !== "(") this.#fail();
    const { value, code } = this.#sum();
    return this.tokens.shift() === ")" ? { value, code: `(${code})` } : this.#fail();
  }

  /** @returns {never} */
  #fail() {
    throw new NoAnswer(this.sentence);
  }
}

function apply(sign, left, right) {
  if (sign === "/" && right === 0) throw new NoAnswer("This divides by zero.");
  return { "+": left + right, "-": left - right, "*": left * right, "/": left / right }[sign];
}
