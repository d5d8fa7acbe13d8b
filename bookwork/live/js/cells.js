// Cells of a matrix, coloured by their numbers.
import { setText, shadeOf, svg, update } from "./svg.js";

/** Draw n × m cells, with digits of a size if `font` is one; returns paint(numbers, shades, limits). */
export function makeCells(picture, [n, m], { x, y, cw, ch, gap = 1, font }, print) {
  const cells = Array.from({ length: n * m }, (_, k) => {
    const [left, top] = [x + (k % m) * cw, y + Math.floor(k / m) * ch];
    const rect = svg("rect", { x: left, y: top, width: cw - gap, height: ch - gap });
    const middle = { x: left + cw / 2, y: top + ch / 2, class: "live-digits", style: `font-size: ${font}px` };
    const text = font ? svg("text", middle) : null;
    picture.append(rect, ...(text ? [text] : []));
    return { rect, text };
  });
  return (numbers, shades, limits) =>
    cells.forEach(({ rect, text }, k) => {
      const shade = shadeOf(shades, numbers[k], limits);
      update(rect, "fill", shade.fill);
      if (!text) return;
      update(text, "fill", shade.ink);
      setText(text, print(numbers[k]));
    });
}
