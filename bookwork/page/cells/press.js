/** A click on printed code opens its editor; dragging over it selects text to copy. */

/** @param {import("./cell.js").CodeCell} cell */
export function editOnPress(cell) {
  const code = cell.input.querySelector("pre");
  code.tabIndex = 0;
  code.setAttribute("role", "group");
  code.setAttribute("aria-label", `Code of ${cell.spokenName}. Enter edits it, Shift+Enter runs it.`);
  code.addEventListener("click", (event) => {
    if (getSelection().isCollapsed && !isLink(event)) cell.edit();
  });
  code.addEventListener("keydown", (event) => press(cell, event));
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
