// A sentence with numbers in it that follow the controls.
import { html, printer } from "./svg.js";

/** Return what a piece of a sentence stands for; `parts()` are those of the largest number of a view. */
export function sayPiece(piece, frame, tools, parts) {
  if (typeof piece === "string") return piece;
  if (piece.control) return tools.text(piece.control);
  const value = piece.array ? frame[piece.array][0] : parts()[piece.part];
  if (typeof value !== "number") return String(value);
  const print = printer(piece.digits);
  return piece.percent ? `${print(100 * value)}%` : print(value);
}

/** Return a table for each single number in the pieces of a sentence. */
export function tablesOfPieces(pieces) {
  const numbers = new Map(pieces.filter((piece) => piece.array).map((piece) => [piece.array, piece]));
  return Array.from(numbers.values(), ({ array, digits, percent }) => {
    const print = printer(digits + (percent ? 2 : 0));
    return { array, title: array, rows: [array], columns: ["value"], print };
  });
}

/** Make a text view; see figure.js for what a view is. */
export function makeText(options, tools) {
  const element = html("p", { class: "live-text" });
  const parts = options.pieces.map((piece) => (typeof piece === "string" ? piece : html("span", { class: "live-number" })));

  function draw(frame) {
    options.pieces.forEach((piece, k) => {
      const said = sayPiece(piece, frame, tools);
      if (typeof piece !== "string" && parts[k].textContent !== said) parts[k].textContent = said;
    });
  }

  return {
    element,
    isWide: true,
    layout: () => element.hasChildNodes() || element.append(...parts),
    draw,
    summary: () => "",
    spoken: () => element.textContent,
    tables: tablesOfPieces(options.pieces),
  };
}
