/** A click on printed code opens its editor with the caret there; dragging over it selects text to copy. */

const STILL = 4; // pixels that the pointer may move before a click counts as a drag

/** @param {import("./cell.js").CodeCell} cell */
export function editOnPress(cell) {
  const code = cell.input.querySelector("pre");
  code.tabIndex = 0;
  code.setAttribute("role", "group");
  code.setAttribute("aria-label", `Code of ${cell.spokenName}. Enter edits it, Shift+Enter runs it.`);
  let down = null;
  code.addEventListener("pointerdown", (event) => (down = event));
  code.addEventListener("click", (event) => {
    if (isStill(down, event) && !event.shiftKey && !isLink(event)) cell.edit({ at: offsetAt(code, event) });
  });
  code.addEventListener("keydown", (event) => press(cell, event));
}

function isStill(down, up) {
  return !down || Math.hypot(up.clientX - down.clientX, up.clientY - down.clientY) <= STILL;
}

/** Names that the code imports link to the library reference. */
function isLink(event) {
  return event.target.closest("a") !== null;
}

function press(cell, event) {
  if (event.key !== "Enter" || isLink(event)) return;
  event.preventDefault();
  if (event.shiftKey || event.ctrlKey || event.metaKey) cell.run();
  else cell.edit();
}

/** The number of characters before a point; null if it cannot be determined. */
function offsetAt(code, { clientX, clientY }) {
  const spot = document.caretPositionFromPoint?.(clientX, clientY);
  const range = document.caretRangeFromPoint?.(clientX, clientY);
  const [node, offset] = spot ? [spot.offsetNode, spot.offset] : [range?.startContainer, range?.startOffset];
  if (!node || !code.contains(node)) return null;
  const before = document.createRange();
  before.setStart(code, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}
