/**
 * Cuts fonts in slices, of which a browser fetches those that a page needs: what nearly every page shows, letters with accents, the rest.
 *
 * That is worth it: a first visit to a chapter fetches 130 kB of fonts instead of 410, of which 150 would be icons.
 * Weights and features that nothing is set in are left out, too.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import subsetFont from "subset-font";

const FACE = /@font-face ?{[^}]*}/g;
const FILE = /fonts\/[^")]+/;
const CUT = /-latin-|-greek-wght-|KaTeX_(?:AMS|Main)-Regular/; // fonts that are worth it
const RANGE = /;?unicode-range: ?([^;}]+)/;
const FEATURES = ["ccmp", "kern", "liga", "locl", "mark", "mkmk", "tnum"];
const LICENCE = [13, 14]; // names to keep: a font that was changed goes without its own
const KEPT = { targetFormat: "woff2", preserveNameIds: LICENCE, keepFeatures: FEATURES };
const WEIGHTS = { wght: { min: 400, max: 700 } };
const SIGNS = "\u00a0§©°¶·½×₀₁₂₃₄₅₆₇₈₉←↑→↓↔−√∞≈≠≤≥";
const MATHEMATICS = "¬±÷ΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρστυφχψωϕϵ⇒∀∂∃∇∈∏∑∗∘∝∣∥∧∨∩∪∫∼≡≪≫⊂⊆⊕⊗⊙⊤⊥⋅⋮⋯⋱⟨⟩⌈⌉⌊⌋ℓˆˉ˙˜↦";
const COMMON = new Set([...range(0, 0x9f), ...range(0x2000, 0x206f), ...[...(SIGNS + MATHEMATICS)].map((sign) => sign.codePointAt(0))]);
const ACCENTED = 0x17f; // the last letter of the languages of Europe, nearly

/** Cut the fonts that a style sheet loads; a folder keeps what was cut before. */
export async function cutFonts(style, cache) {
  let css = await readFile(style, "utf8");
  const faces = css.match(FACE).filter((face) => CUT.test(face));
  for (const face of new Set(faces)) css = css.replaceAll(face, await inSlices(face, dirname(style), cache));
  await writeFile(style, css);
}

/** Return the rules for the slices of a font, and put them in its place. */
async function inSlices(face, folder, cache) {
  const [file] = face.match(FILE);
  const font = await readFile(join(folder, file));
  const axes = face.includes("Variable") ? { variationAxes: WEIGHTS } : {};
  const points = (face.match(RANGE)?.[1] ?? "U+0-FFFF").split(",").flatMap(pointsOf);
  const rules = [];
  for (const slice of [0, 1, 2]) {
    const part = points.filter((point) => sliceOf(point) === slice);
    if (!part.length) continue;
    const data = await cutOnce(font, part, { ...KEPT, ...axes }, cache);
    const path = file.replace(/-\w+\.woff2/, `-${slice}-${digest(data)}.woff2`);
    await writeFile(join(folder, path), data);
    rules.push(withRange(face.replace(file, path), part));
  }
  await rm(join(folder, file));
  return rules.join("");
}

/** Return these characters of a font as a font, from the cache if it was cut before. */
async function cutOnce(font, points, options, cache) {
  const kept = join(cache, digest(font + JSON.stringify([points, options])));
  try {
    return await readFile(kept);
  } catch {
    const data = await subsetFont(font, String.fromCodePoint(...points), options);
    await mkdir(cache, { recursive: true });
    await writeFile(kept, data);
    return data;
  }
}

function sliceOf(point) {
  if (COMMON.has(point)) return 0;
  return point <= ACCENTED ? 1 : 2;
}

/** Return the characters of a part of a range: `"U+20-7E"`. */
function pointsOf(part) {
  const [first, last = first] = part.trim().slice(2).split("-");
  return range(parseInt(first, 16), parseInt(last, 16));
}

/** Return a rule for these characters, in ascending order. */
function withRange(rule, points) {
  const firsts = points.filter((point, k) => points[k - 1] !== point - 1);
  const lasts = points.filter((point, k) => points[k + 1] !== point + 1);
  const said = firsts.map((first, k) => `U+${first.toString(16)}-${lasts[k].toString(16)}`);
  return rule.replace(RANGE, "").replace("}", `;unicode-range:${said}}`);
}

/** Write the icons of the theme's font that icons.txt lists, and the style sheet that loads them; another is in the theme's own. */
export async function cutIcons(font, list, out) {
  const lines = (await readFile(list, "utf8")).split("\n").filter((line) => line && !line.startsWith("#"));
  const points = lines.map((line) => parseInt(line, 16));
  const data = await subsetFont(await readFile(font), String.fromCodePoint(...points), KEPT);
  await writeFile(join(out, "icons.woff2"), data);
  const rule = `@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;src:url(icons.woff2?v=${digest(data)}) format("woff2")}\n`;
  await writeFile(join(out, "icons.css"), withRange(rule, points));
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

export function digest(data) {
  return createHash("sha256").update(data).digest("hex").slice(0, 8);
}
