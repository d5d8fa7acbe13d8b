// The text equivalent of a figure: every number shown, in tables that follow the controls.
import { html, labelsNow, makeButton, printer, setText } from "./svg.js";

/** Make the tables of a figure and the button that shows them; `fill(frame)` writes the numbers of a frame. */
export function makeTables(spec, tools) {
  const said = { role: "region", "aria-label": `Numbers of the figure: ${spec.name}`, tabindex: 0 }; // it may scroll
  const place = html("div", { class: "live-tables", hidden: "", ...said });
  const button = makeButton({ class: "live-link", "aria-expanded": "false" }, "Show as table", () => {
    place.hidden = !place.hidden;
    button.setAttribute("aria-expanded", String(!place.hidden));
    setText(button, place.hidden ? "Show as table" : "Hide the table");
    fill(last);
  });
  const wanted = spec.views.flatMap((view) => view.tables.map((table) => ({ ...table, view })));
  let last;
  const fill = (frame) => {
    last = frame;
    if (place.hidden) return;
    place.replaceChildren(...wanted.map((table) => makeTable(table, frame[table.array], shapeOf(table.array), tools)));
  };
  const shapeOf = (name) => spec.arrays.find((array) => array.name === name).shape;
  return { button, place, fill };
}

function makeTable({ array, title, rows, columns, digits, view }, numbers, shape, tools) {
  const print = printer(digits ?? view.digits);
  const across = labelsOf(columns, view, tools);
  const count = across.length || shape.at(-1);
  const down = labelsOf(rows, view, tools);
  const table = html("table", { "data-array": array });
  table.append(html("caption", {}, title || array), html("tr"));
  table.lastChild.append(html("td"), ...numbered(across, count).map((label) => html("th", { scope: "col" }, label)));
  numbered(down, numbers.length / count).forEach((label, i) => {
    const line = html("tr");
    const cells = Array.from(numbers.slice(i * count, (i + 1) * count), (value) => html("td", {}, print(value)));
    line.append(html("th", { scope: "row" }, label), ...cells);
    table.append(line);
  });
  return table;
}

/** Return labels that are given as a list, or by the name of an option of the view. */
function labelsOf(given, view, tools) {
  const labels = typeof given === "string" ? labelsNow(view[given], view.by, tools)() : given;
  return labels.map((label) => (typeof label === "number" ? printer(2)(label) : label));
}

/** Return so many labels; numbers stand for those that are missing. */
const numbered = (labels, count) => Array.from({ length: count }, (_, k) => labels[k] || String(k + 1));
