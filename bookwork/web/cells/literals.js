/** Lines `name = "…"` of Python code: what text a string stands for, and code with another text in it. */

/** Strings that are the same in JSON and in Python, and those in single quotes that need no escape. */
const STRING = /"(?:[ !#-[\]-\u{10ffff}]|\\["\\bfnrt]|\\u[\da-fA-F]{4})*"|'[ !#-&(-[\]-\u{10ffff}]*'/u;
const LINE = new RegExp(`^([A-Za-z_]\\w*)([ \\t]*=[ \\t]*)(${STRING.source})(?=[ \\t]*(?:#.*)?$)`, "gmu");

/** @returns {Map<string, string>} the texts that code gives to names */
export function textsIn(code) {
  return new Map([...code.matchAll(LINE)].map(([, name, , string]) => [name, JSON.parse(`"${string.slice(1, -1)}"`)]));
}

/** Return code in which a name is given another text; whatever the text is, it stays one string. */
export function withText(code, name, text) {
  return code.replace(LINE, (line, each, equals) => (each === name ? `${each}${equals}${JSON.stringify(text)}` : line));
}
