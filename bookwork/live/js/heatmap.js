// A matrix as coloured cells: one row per query, one column per key.
import { html, palette, partsOfLargest, printer, sayLargest, sentence, shorten, svg, textWidth, update } from "./svg.js";

const BAR = 58; // room for the colour bar and its numbers

/** Make a heatmap view; see figure.js for what a view is. */
export function makeHeatmap(options, tools) {
  const { rows, columns, show, reads } = options;
  const print = printer(options.digits);
  const [low, high] = options.limits;
  const element = html("div", { class: "live-heatmap" });
  let cells = [];
  let shades = [];
  let box, marker, numbers;
  let cursor = null;

  const labelRoom = (width) => Math.min(Math.max(...rows.map((text) => textWidth(text))) + 12, 0.36 * width);

  function layout(width, labels) {
    box = measure(rows, columns, width, Math.max(labels, labelRoom(width)));
    shades = palette(low < 0);
    const picture = svg("svg", { width: box.width, height: box.height, role: "img", tabindex: 0 });
    picture.setAttribute("aria-label", (options.title || tools.name) + ". Arrow keys read the cells.");
    cells = drawCells(picture, box, rows.length, columns.length);
    drawLabels(picture, box, rows, columns);
    drawBar(picture, box, shades, [low, high], print);
    marker = svg("rect", { class: "live-cursor", width: box.cw, height: box.ch, visibility: "hidden" });
    picture.append(marker);
    listen(picture);
    element.replaceChildren(picture);
  }

  function draw(frame) {
    numbers = frame[show];
    const scale = 255 / (high - low || 1);
    for (let k = 0; k < numbers.length; k++) {
      const shade = shades[Math.max(0, Math.min(255, Math.round((numbers[k] - low) * scale)))];
      update(cells[k].rect, "fill", shade.fill);
      if (!box.digits) continue;
      update(cells[k].text, "fill", shade.ink);
      const text = print(numbers[k]);
      if (cells[k].text.firstChild.data !== text) cells[k].text.firstChild.data = text;
    }
  }

  const partsAt = (k) => ({ row: rows[Math.floor(k / columns.length)], column: columns[k % columns.length] });
  const read = (k) => sentence(reads, { ...partsAt(k), value: print(numbers[k]) });

  function point(k) {
    cursor = k;
    const visible = k !== null;
    marker.setAttribute("visibility", visible ? "visible" : "hidden");
    if (visible) {
      marker.setAttribute("x", box.left + (k % columns.length) * box.cw);
      marker.setAttribute("y", box.top + Math.floor(k / columns.length) * box.ch);
    }
    tools.say();
  }

  function listen(picture) {
    picture.addEventListener("pointermove", (event) => {
      const frame = picture.getBoundingClientRect();
      const j = Math.floor((event.clientX - frame.left - box.left) / box.cw);
      const i = Math.floor((event.clientY - frame.top - box.top) / box.ch);
      const inside = i >= 0 && i < rows.length && j >= 0 && j < columns.length;
      const k = inside ? i * columns.length + j : null;
      if (k !== cursor) point(k);
    });
    picture.addEventListener("pointerleave", () => point(null));
    picture.addEventListener("blur", () => point(null));
    picture.addEventListener("keydown", (event) => {
      const next = step(event.key, cursor ?? 0, rows.length, columns.length);
      if (next === null) return;
      event.preventDefault();
      point(cursor === null ? 0 : next);
    });
  }

  /** Say what the cursor is on, or what stands out; a difference may have nothing that does. */
  function summary() {
    if (cursor !== null) return read(cursor);
    const isNone = options.diverging && Array.from(numbers, print).every((text) => Number(text) === 0);
    return isNone ? "no difference" : sayLargest(numbers, read);
  }

  return {
    element,
    layout,
    labelRoom,
    draw,
    pointed: () => (cursor === null ? "" : read(cursor)),
    summary,
    largest: () => partsOfLargest(numbers, partsAt),
    tables: [{ array: show, title: options.title, rows, columns, print }],
  };
}

/** Small matrices get large cells. */
function measure(rows, columns, width, left) {
  const widest = Math.max(...columns.map((text) => textWidth(text)));
  const most = columns.length <= 3 ? 140 : columns.length <= 8 ? 96 : 56;
  let cw = Math.max(6, Math.min(most, Math.floor((width - left - BAR) / columns.length)));
  const turned = widest > cw - 4;
  const lean = turned ? Math.min(widest, 110) * 0.71 : 0; // what the last label needs to the right
  if (lean > BAR) cw = Math.max(6, Math.min(cw, Math.floor((width - left - lean) / columns.length)));
  const ch = Math.min(Math.max(cw, rows.length === 1 ? 34 : 0), rows.length <= 6 ? 48 : 40);
  const top = turned ? lean + 16 : 22;
  const right = left + cw * columns.length;
  const digits = cw >= 30 && ch >= 18;
  return { left, top, cw, ch, turned, right, digits, width: right + Math.max(BAR, lean), height: top + ch * rows.length + 6 };
}

function drawCells(picture, box, n, m) {
  const cells = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      const x = box.left + j * box.cw,
        y = box.top + i * box.ch;
      const rect = svg("rect", { x, y, width: box.cw - 1, height: box.ch - 1 });
      const text = svg("text", { x: x + box.cw / 2, y: y + box.ch / 2, class: "live-digits" }, " ");
      picture.append(rect);
      if (box.digits) picture.append(text);
      cells.push({ rect, text });
    }
  }
  return cells;
}

function drawLabels(picture, box, rows, columns) {
  rows.forEach((label, i) => {
    const place = { x: box.left - 6, y: box.top + (i + 0.5) * box.ch, class: "live-label live-end" };
    if (box.ch < 13) place.style = `font-size: ${Math.max(8, box.ch - 1)}px`;
    picture.append(svg("text", place, shorten(label, box.left - 6)));
  });
  columns.forEach((label, j) => {
    const x = box.left + (j + 0.5) * box.cw,
      y = box.top - 6;
    const turn = box.turned ? { transform: `rotate(-45 ${x} ${y})` } : { class: "live-label live-middle" };
    if (box.turned && box.cw < 16) turn.style = `font-size: ${Math.max(8, Math.round(0.75 * box.cw))}px`;
    const text = box.turned ? shorten(label, 110) : label;
    picture.append(svg("text", { x, y, class: "live-label", ...turn }, text));
  });
}

function drawBar(picture, box, shades, limits, print) {
  const height = box.height - box.top - 7,
    x = box.right + 10,
    parts = 16;
  for (let k = 0; k < parts; k++) {
    const shade = shades[Math.round((255 * (parts - 1 - k)) / (parts - 1))];
    const y = box.top + (k * height) / parts;
    picture.append(svg("rect", { x, y, width: 10, height: height / parts + 0.5, fill: shade.fill }));
  }
  picture.append(svg("rect", { x, y: box.top, width: 10, height, class: "live-frame" }));
  picture.append(svg("text", { x: x + 14, y: box.top + 6, class: "live-label" }, print(limits[1])));
  picture.append(svg("text", { x: x + 14, y: box.top + Math.max(height - 5, 21), class: "live-label" }, print(limits[0])));
}

function step(key, k, n, m) {
  const i = Math.floor(k / m),
    j = k % m;
  if (key === "ArrowLeft") return i * m + Math.max(0, j - 1);
  if (key === "ArrowRight") return i * m + Math.min(m - 1, j + 1);
  if (key === "ArrowUp") return Math.max(0, i - 1) * m + j;
  if (key === "ArrowDown") return Math.min(n - 1, i + 1) * m + j;
  return null;
}
