// Colours that suit the page's theme, and the cells of a matrix, coloured by their numbers.
import { html, printer, setText, svg, update, within } from "./svg.js";

// Pale to strong on a light page, dark to bright on a dark one; the last two are for differences.
const PALETTES = {
  light: ["#f7fbff", "#deebf7", "#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08519c", "#08306b"],
  dark: ["#16202c", "#17324d", "#19466f", "#1f5b8f", "#2f74ad", "#4f90c6", "#79aedb", "#aacdec", "#dcecfa"],
  lightDifference: ["#8c510a", "#d8a25e", "#f6e8c3", "#f5f5f5", "#c7eae5", "#5ab4ac", "#01665e"],
  darkDifference: ["#f0b35c", "#bd8038", "#755327", "#272e37", "#22645f", "#3aa69b", "#7fe0d4"],
};
const made = new Map(); // the name of a palette -> 256 shades

/** Tell whether the page is dark, in the book and in JupyterLab. */
function isDark() {
  const root = document.documentElement;
  if (root.dataset.theme) return root.dataset.theme === "dark";
  return document.body.dataset.jpThemeLight === "false";
}

/** Return 256 colours, each with the ink that reads best on it. */
export function palette(diverging) {
  const name = (isDark() ? "dark" : "light") + (diverging ? "Difference" : "");
  if (!made.has(name)) made.set(name, makeShades(PALETTES[name]));
  return made.get(name);
}

function makeShades(colours) {
  const stops = colours.map((hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16)));
  return Array.from({ length: 256 }, (_, i) => {
    const x = (i / 255) * (stops.length - 1);
    const k = Math.min(Math.floor(x), stops.length - 2);
    const rgb = stops[k].map((c, j) => Math.round(c + (stops[k + 1][j] - c) * (x - k)));
    return { rgb, fill: `rgb(${rgb})`, ink: luminance(rgb) > 0.179 ? "#000" : "#fff" };
  });
}

function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => (c <= 10 ? c / 3294 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Return the shade of a number between two limits. */
export function shadeOf(shades, value, [low, high]) {
  return shades[within(0, 255, Math.round(((value - low) / (high - low || 1)) * 255))];
}

/** Make the scale of the colours, from the lowest number to the highest. */
export function makeScale({ limits, digits }) {
  const [shades, print] = [palette(limits[0] < 0), printer(digits)];
  const colours = [0, 64, 128, 191, 255].map((k) => shades[k].fill).join();
  const bar = html("span", { class: "live-scale-bar", style: `background: linear-gradient(to right, ${colours})` });
  return html("div", { class: "live-scale", "aria-hidden": "true" }, [print(limits[0]), bar, print(limits[1])]);
}

/**
 * Draw n × m cells, or those that are `seen`, with digits of a size if `font` is one, in those of at least `least`; returns
 * paint(numbers, shown, shades, limits).
 */
export function makeCells(picture, [n, m], { x, y, cw, ch, gap = 1, font, least = 0, seen = (_) => true }, print) {
  const cells = Array.from({ length: n * m }, (_, k) => {
    if (!seen(k)) return null;
    const [left, top] = [x + (k % m) * cw, y + Math.floor(k / m) * ch];
    const rect = svg("rect", { x: left, y: top, width: cw - gap, height: ch - gap });
    const middle = { x: left + cw / 2, y: top + ch / 2, class: "live-digits", style: `font-size: ${font}px` };
    const text = font ? svg("text", middle) : null;
    picture.append(rect, ...(text ? [text] : []));
    return { rect, text };
  });
  return (numbers, shown, shades, limits) =>
    cells.forEach((cell, k) => {
      if (!cell) return;
      const { rect, text } = cell;
      const shade = shadeOf(shades, shown[k], limits);
      update(rect, "fill", shade.fill);
      if (!text) return;
      update(text, "fill", shade.ink);
      setText(text, Math.abs(numbers[k]) < least ? "" : print(numbers[k]));
    });
}
