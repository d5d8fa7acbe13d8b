/** Numbers and shapes as people type them: `1,048,576`, `2**20`, `2^20`, `1/3`, `1e6`, `0.5 %`, `10 × 512`. Nothing that is typed is run. */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}(?:,\d{3})+(?![\d,])|(?<![\d.])[1-9]\d{0,2}(?:[ \u00a0\u202f_']\d{3})+(?!\d)/g; // in thousands
const NUMBER = String.raw`(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?`;
const FACTOR = new RegExp(`^([+-]?)(${NUMBER})(?:\\^([+-]?${NUMBER}))?$`, "i");
const SIGNS = { "**": "^", "−": "-", "–": "-", "×": "*", "·": "*", "÷": "/" };
const PERCENT = /\s*(?:%|percent)$/i;
const BRACKETED = /^[([](.*)[)\]]$/;
const BETWEEN = /\s*[,×x;]\s*|(?<=\d)\s+(?=\d)/; // the sizes of a shape

const TAKES = "This field takes a number, as in 1,048,576, 2**20, 1/3 or 0.5 %.";
const NO_COMMA = "Write decimals with a point, as in 0.5. A comma separates thousands, as in 1,048,576.";
const ENDLESS = "This is no number: it divides by zero, or has more than 308 digits.";
const SHAPE = "This field takes a shape: whole numbers with commas between them, as in (3, 4).";

/** What is typed is no answer; the message says why. */
export class NoAnswer extends Error {}

/** @returns {number} the number that a text means: a product or a quotient of powers */
export function readNumber(text) {
  const plain = text.trim().replace(GROUPED, (digits) => digits.replace(/\D/g, ""));
  const signed = plain.replace(/\*\*|[−–×·÷]/g, (sign) => SIGNS[sign]);
  if (/\d,\d/.test(signed)) throw new NoAnswer(NO_COMMA);
  const [first, ...rest] = signed.replace(PERCENT, "").split(/\s*([*/])\s*/);
  let value = factor(first);
  for (let i = 0; i < rest.length; i += 2) value = rest[i] === "*" ? value * factor(rest[i + 1]) : value / factor(rest[i + 1]);
  if (!Number.isFinite(value)) throw new NoAnswer(ENDLESS);
  return PERCENT.test(signed) ? value / 100 : value;
}

/** A number or a power; as in Python, the sign of a power comes last. */
function factor(text) {
  const [, sign, base, exponent = 1] = text.match(FACTOR) ?? [];
  if (base === undefined) throw new NoAnswer(TAKES);
  return (sign === "-" ? -1 : 1) * Number(base) ** Number(exponent);
}

/** @returns {number[]} the shape that a text means */
export function readShape(text) {
  const inside = text.trim().replace(BRACKETED, "$1").replace(/,\s*$/, "");
  try {
    const sizes = inside.split(BETWEEN).map(readNumber);
    if (sizes.every(Number.isSafeInteger)) return sizes;
  } catch {
    // said below
  }
  throw new NoAnswer(SHAPE);
}
