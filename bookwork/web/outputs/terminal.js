/** Text as a terminal shows it: carriage returns write over what is there, colours are left out. */

const COLOURS = /\x1b\[[0-9;]*[A-Za-z]/g;

/** Append printed text to a text node: a leading carriage return overwrites the last line. */
export function goOn(node, text) {
  const start = node.data.lastIndexOf("\n") + 1;
  const isOpen = node.length > start && node.data.endsWith("\r");
  if (!isOpen && !/[\r\x1b]/.test(text)) return node.appendData(text);
  return node.replaceData(start, node.length - start, asOnTerminal(node.data.slice(start) + text));
}

export function asOnTerminal(text) {
  return text.replace(COLOURS, "").replace(/\r+\n/g, "\n").split("\n").map(overwritten).join("\n");
}

/** A line: each part after a carriage return is written over the part before. */
function overwritten(line) {
  const parts = line.split("\r");
  const isOpen = parts.length > 1 && parts.at(-1) === "" ? "\r" : ""; // the next text is written over it
  return parts.reduce((shown, part) => part + shown.slice(part.length)) + isOpen;
}
