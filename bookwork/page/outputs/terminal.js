/** Text as a terminal shows it: carriage returns and backspaces write over what is there, colours are left out. */

const COLOURS = /\x1b\[[0-9;]*[A-Za-z]/g;
const CONTROLS = /[\b\r\x1b]/;

/** Append printed text to a text node: a leading carriage return overwrites the last line. */
export function goOn(node, text) {
  const isOpen = node.length > 0 && node.substringData(node.length - 1, 1) === "\r";
  if (!isOpen && !CONTROLS.test(text)) return node.appendData(text);
  const start = node.data.lastIndexOf("\n") + 1;
  return node.replaceData(start, node.length - start, asOnTerminal(node.data.slice(start) + text));
}

export function asOnTerminal(text) {
  if (!CONTROLS.test(text)) return text;
  return text.replace(COLOURS, "").replace(/\r+\n/g, "\n").split("\n").map(overwritten).join("\n");
}

/** A line: each part after a carriage return is written over the part before. */
function overwritten(line) {
  const parts = line.split("\r").map(withoutTakenBack);
  const isOpen = parts.length > 1 && parts.at(-1) === "" ? "\r" : ""; // the next text is written over it
  return parts.reduce((shown, part) => part + shown.slice(part.length)) + isOpen;
}

/** A backspace deletes the character before it. */
function withoutTakenBack(text) {
  if (!text.includes("\b")) return text;
  const kept = [];
  for (const letter of text) letter === "\b" ? kept.pop() : kept.push(letter);
  return kept.join("");
}
