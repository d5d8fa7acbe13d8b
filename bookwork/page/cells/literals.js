/** Lines `name = "…"` of Python code: what text a string stands for, and code with another text in it. */

const LINE = /^([A-Za-z_]\w*)([ \t]*=[ \t]*)("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')(?=[ \t]*(?:#.*)?$)/gm;
const ESCAPE = /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{1,3})|(N)|([\\'"abfnrtv]))/g;
const SIGNS = { "\\": "\\", "'": "'", '"': '"', a: "\x07", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };
const SPECIAL = /["\\]|[\p{C}\p{Zl}\p{Zp}]/gu; // what a string cannot hold as it is, and what nobody would see in it

/** @returns {Map<string, string | null>} the texts that code gives to names; null: one that is not understood */
export function textsIn(code) {
  return new Map([...code.matchAll(LINE)].map(([, name, , string]) => [name, read(string.slice(1, -1))]));
}

/** Return code in which a name is given another text; whatever the text is, it stays one string. */
export function withText(code, name, text) {
  return code.replace(LINE, (line, each, equals) => (each === name ? `${each}${equals}"${text.replace(SPECIAL, escaped)}"` : line));
}

/** Return the text that the inside of a string stands for; null if it has a named character, or one that there is not. */
function read(inside) {
  let isUnderstood = true;
  const text = inside.replace(ESCAPE, (_, x, u, U, octal, named, sign) => {
    const code = octal ? parseInt(octal, 8) : parseInt(x ?? u ?? U ?? "0", 16);
    if (named || code > 0x10ffff) isUnderstood = false;
    return isUnderstood ? (SIGNS[sign] ?? String.fromCodePoint(code)) : "";
  });
  return isUnderstood ? text : null;
}

function escaped(sign) {
  if (sign === '"' || sign === "\\") return `\\${sign}`;
  if (sign === "\n") return "\\n";
  const code = sign.codePointAt(0);
  const [letter, length] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
  return `\\${letter}${code.toString(16).padStart(length, "0")}`;
}
