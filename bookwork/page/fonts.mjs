/**
 * Cuts fonts in two, of which a browser fetches the part that a page needs: what nearly every page shows, and the whole font.
 *
 * That is worth it: a first visit to a chapter fetches 140 kB of fonts instead of 410, of which 150 would be icons.
 * Weights that nothing is set in are left out, too.
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
const COMMON = new Set([...range(0, 0x9f), ...range(0x2000, 0x206f), ...[...(SIGNS + MATHEMATICS)].map((sign) => sign.codePointAt(0))]);
const FEWEST = 30; // characters that are worth a file of their own,
const WORTH = 0.8; // if it weighs less than this part of the whole

/** Cut all fonts that a style sheet loads; a folder keeps what was cut before. */
export async function cutFonts(style, cache) {
  let css = await readFile(style, "utf8");
  for (const face of new Set(css.match(FACE))) css = css.replaceAll(face, await inTwo(face, dirname(style), cache));
  await writeFile(style, css);
}

/** Return the rules for the two parts of a font, or its own. */
async function inTwo(face, folder, cache) {
  const [, file] = face.match(FILE);
  const rule = face.replace(/font-weight: ?\d+ \d+/, `font-weight:${WEIGHTS.min} ${WEIGHTS.max}`);
  const font = await readFile(join(folder, file));
  const points = (rule.match(RANGE)?.[1] ?? "U+0-FFFF").split(",").flatMap(pointsOf);
  const common = points.filter((point) => COMMON.has(point));
  if (common.length < FEWEST) return rule;
  const data = await cutOnce(font, common, rule === face ? {} : { wght: WEIGHTS }, cache);
  if (data.length > WORTH * font.length) return rule;
  const path = `fonts/${parse(file).name}-common-${digest(data)}.woff2`;
  await writeFile(join(folder, path), data);
  const rest = points.filter((point) => !COMMON.has(point));
  return withRange(rule.replace(file, path), common) + withRange(rule, rest);
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

/** Return these characters of a font as a font, from the cache if it was cut before. */
async function cutOnce(font, points, variationAxes, cache) {
  const kept = join(cache, digest(font, JSON.stringify([points, variationAxes, FEATURES])));
  try {
    return await readFile(kept);
  } catch {
    const data = await cutFont(font, points, { variationAxes, keepFeatures: FEATURES });
    await mkdir(cache, { recursive: true });
    await writeFile(kept, data);
    return data;
  }
}

function cutFont(font, points, options) {
  return subsetFont(font, String.fromCodePoint(...points), { targetFormat: "woff2", preserveNameIds: LICENCE, ...options });
}

/** Write the icons of the theme's font that icons.txt lists, and the style sheet that loads them; another is in the theme's own. */
export async function cutIcons(font, list, out) {
  const lines = (await readFile(list, "utf8")).split("\n").filter((line) => line && !line.startsWith("#"));
  const points = lines.map((line) => parseInt(line, 16));
  const data = await cutFont(await readFile(font), points);
  await writeFile(join(out, "icons.woff2"), data);
  const rule = `@font-face{font-family:"Font Awesome 6 Free";font-weight:900;font-display:block;src:url(icons.woff2?v=${digest(data)}) format("woff2")}\n`;
  await writeFile(join(out, "icons.css"), withRange(rule, points));
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
