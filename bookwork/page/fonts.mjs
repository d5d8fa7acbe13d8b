/**
 * Cuts fonts into pieces, of which a browser fetches those whose characters a page shows.
 *
 * A style sheet gets a rule for each piece, with its characters: what nearly every page shows, and the
 * accented letters of Europe. All others stay in the whole font, which is fetched for a page, or a
 * reader's own text, that has one. Weights that nothing is set in are left out: they weigh as much again.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, parse } from "node:path";

import subsetFont from "subset-font";

const FACE = /@font-face ?{[^}]*}/g;
const FILE = /url\("?(?:\.\/)?(fonts\/[^")]+)"?\)/;
const RANGE = /;?unicode-range: ?([^;}]+)/;
const WEIGHTS = { min: 400, max: 700 };
const FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum"];
const LICENCE = [13, 14]; // names to keep: a font that was changed goes without its own
const SIGNS = "\u00a0§©°¶·½×₀₁₂₃₄₅₆₇₈₉←↑→↓↔−√∞≈≠≤≥";
const MATHEMATICS = "¬±÷ΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρστυφχψωϕϵ⇒∀∂∃∇∈∏∑∗∘∝∣∥∧∨∩∪∫∼≡≪≫⊂⊆⊕⊗⊙⊤⊥⋅⋮⋯⋱⟨⟩⌈⌉⌊⌋ℓˆˉ˙˜↦";
const NAMES = "āăąćčďđēęěğīłńňōőřśşšťūůűźżžĀĂĄĆČĎĐĒĘĚĞĪŁŃŇŌŐŘŚŞŠŤŪŮŰŹŻŽıŒœ"; // letters of Europe beyond its west
const PIECES = {
  common: new Set([...range(0, 0x9f), ...range(0x2000, 0x206f), ...pointsIn(SIGNS + MATHEMATICS)]),
  letters: new Set([...range(0xa0, 0xff), ...pointsIn(NAMES)]),
};
const FEWEST = 30; // characters that are worth a file of their own,
const WORTH = 0.8; // if it weighs less than this part of the whole

/** Cut all fonts that a style sheet loads; a folder keeps what was cut before. */
export async function cutFonts(style, cache) {
  const css = await readFile(style, "utf8");
  const cut = new Map();
  for (const face of new Set(css.match(FACE))) cut.set(face, await inPieces(face, dirname(style), cache));
  await writeFile(
    style,
    css.replace(FACE, (face) => cut.get(face)),
  );
}

/** Return the rules for the pieces of a font, and for what is left of it. */
async function inPieces(face, folder, cache) {
  const [, file] = face.match(FILE);
  const rule = face.replace(/font-weight: ?\d+ \d+/, `font-weight:${WEIGHTS.min} ${WEIGHTS.max}`);
  const font = await readFile(join(folder, file));
  const rules = [];
  let left = pointsOf(rule);
  for (const [name, points] of Object.entries(RANGE.test(rule) ? PIECES : { common: PIECES.common })) {
    const piece = left.filter((point) => points.has(point));
    if (piece.length < FEWEST) continue;
    const data = await cutOnce(font, piece, rule !== face, cache);
    if (data.length > WORTH * font.length) continue;
    left = left.filter((point) => !points.has(point));
    const path = `fonts/${parse(file).name}-${name}-${digest(data)}.woff2`;
    await writeFile(join(folder, path), data);
    rules.push(withRange(rule.replace(file, path), piece));
  }
  return [...rules, withRange(rule, left)].join("");
}

/** Return the characters that a rule is for. */
function pointsOf(rule) {
  const stated = rule.match(RANGE)?.[1] ?? "U+0-FFFF";
  return stated.split(",").flatMap((part) => {
    const [first, last = first] = part.trim().slice(2).split("-");
    return range(parseInt(first, 16), parseInt(last, 16));
  });
}

/** Return a rule for these characters, in ascending order. */
function withRange(rule, points) {
  const runs = [];
  for (const point of points) {
    const run = runs.at(-1);
    if (run?.[1] === point - 1) run[1] = point;
    else runs.push([point, point]);
  }
  const said = runs.map((run) => `U+${[...new Set(run)].map((point) => point.toString(16)).join("-")}`);
  return rule.replace(RANGE, "").replace("}", `;unicode-range:${said}}`);
}

/** Return these characters of a font as a font, from the cache if it was cut before; of all weights, those in use. */
async function cutOnce(font, points, isVariable, cache) {
  const kept = join(cache, digest(font, points.join(), JSON.stringify([WEIGHTS, FEATURES])));
  try {
    return await readFile(kept);
  } catch {
    const data = await cutFont(font, points, { variationAxes: isVariable ? { wght: WEIGHTS } : {}, keepFeatures: FEATURES });
    await mkdir(cache, { recursive: true });
    await writeFile(kept, data);
    return data;
  }
}

function cutFont(font, points, options) {
  return subsetFont(font, String.fromCodePoint(...points), { targetFormat: "woff2", preserveNameIds: LICENCE, ...options });
}

/**
 * Write the icons of the theme's font that icons.txt lists, and the style sheet that loads them.
 *
 * It lists their code points, so that a browser takes these from the small font and fetches the
 * theme's own, of 150 kB, only for a page with another icon.
 */
export async function cutIcons(font, list, out) {
  const lines = (await readFile(list, "utf8")).split("\n").filter((line) => line && !line.startsWith("#"));
  const points = lines.map((line) => parseInt(line, 16));
  const data = await cutFont(await readFile(font), points);
  await writeFile(join(out, "icons.woff2"), data);
  const rule = `@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;src:url(icons.woff2?v=${digest(data)}) format("woff2")}\n`;
  await writeFile(join(out, "icons.css"), withRange(rule, points));
}

function pointsIn(text) {
  return [...text].map((letter) => letter.codePointAt(0));
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The beginning of a digest of texts and bytes. */
function digest(...parts) {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex").slice(0, 8);
}
