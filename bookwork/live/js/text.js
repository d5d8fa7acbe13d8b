// A sentence with numbers in it that follow the controls.
import { html, printer, setText } from "./svg.js";

/** Return what a piece of a sentence stands for; `parts()` are those of the largest number of a view. */
export function sayPiece(piece, frame, tools, parts) {
  if (typeof piece === "string") return piece;
  if (piece.control) return tools.text(piece.control);
  const value = piece.array ? frame[piece.array][0] : parts()[piece.part];
  if (typeof value !== "number") return String(value);
  const print = printer(piece.digits);
  return piece.percent ? `${print(100 * value)}%` : print(value);
}

/** Make a text view; see figure.js for what a view is. */
export function makeText(options, tools) {
  const element = html("p", { class: "live-text" });
  const parts = options.pieces.map((piece) => (typeof piece === "string" ? piece : html("span", { class: "live-number" })));

  function draw(frame) {
    options.pieces.forEach((piece, k) => {
      if (typeof piece !== "string") setText(parts[k], sayPiece(piece, frame, tools));
    });
  }

  return {
    element,
    isWide: true,
    layout: () => element.hasChildNodes() || element.append(...parts),
    draw,
    summary: () => "",
    spoken: () => element.textContent,
  };
}
