/**
 * Bundle what runs in the page: node web/build.mjs OUT ICONS
 *
 * Writes OUT/book.js (one classic script: modules do not load from file://), OUT/guard.js, which stands
 * in each page (see bookwork/sphinx/bundle.py), OUT/book.css, OUT/look.css with the house style and its fonts, OUT/editor.js, which a page loads at
 * the first Edit, OUT/python-worker.js, which it starts at the first Run, OUT/search-words.js, which it loads when a reader searches,
 * OUT/formulas.css with its fonts, OUT/katex.js, which a page
 * loads with a reader's first formula or Markdown, and OUT/icons.css with those of the theme's font ICONS that are used.
 * Prints the names of the npm packages that are in them, as a JSON list.
 */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { cutFonts, cutIcons, digest } from "./fonts.mjs";

/** The oldest browsers in which everything works; tests/browser/test_floor.py takes away what they lack. */
const FLOOR = ["es2022", "chrome111", "firefox115", "safari16.4"];
const OLDER = "es2018"; // in which a page can still say that a browser is too old
const WEB = dirname(fileURLToPath(import.meta.url));

/** Bundle a script with all that it imports; return the paths of what went in. */
async function bundle(out, script, options = {}) {
  const { metafile } = await build({
    entryPoints: [join(WEB, script)],
    outdir: out,
    bundle: true,
    format: "iife",
    minify: true,
    target: FLOOR,
    legalComments: "linked",
    loader: { ".woff2": "file" },
    assetNames: "fonts/[name]-[hash]",
    metafile: true,
    logLevel: "warning",
    ...options,
  });
  return Object.keys(metafile.inputs);
}

/** `import { editor } from "book:addresses"` gives the address of editor.js beside book.js, with a digest of what it holds. */
const FILES = { editor: "editor.js", katex: "katex.js", words: "search-words.js", worker: "python-worker.js" };
const addresses = {
  name: "addresses",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^book:addresses$/ }, ({ path }) => ({ path, namespace: "addresses" }));
    onLoad({ filter: /.*/, namespace: "addresses" }, () => {
      const found = Object.entries(FILES).map(([key, name]) => [key, `${name}?v=${digest(readFileSync(join(out, name)))}`]);
      return { contents: JSON.stringify(Object.fromEntries(found)), loader: "json" };
    });
  },
};

/** `"node_modules/@lezer/highlight/dist/index.js"` -> `["@lezer/highlight"]`; our own files -> `[]`. */
function packageOf(path) {
  const [, name] = path.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)\//) ?? [];
  return name ? [name] : [];
}

const [, , out, icons] = process.argv;
const inputs = [
  ...(await bundle(out, "site/guard.js", { target: OLDER })),
  ...(await bundle(out, "cells/editor.js", { globalName: "bookEditor" })),
  ...(await bundle(out, "search/index.js", { entryNames: "search-words", globalName: "bookSearch" })),
  ...(await bundle(out, "site/look.css")),
  ...(await bundle(out, "outputs/katex.js", { globalName: "bookKatex" })),
  ...(await bundle(out, "outputs/formulas.css", { external: ["*.woff", "*.ttf"] })),
  ...(await bundle(out, "python/worker.js", { entryNames: "python-worker", format: "esm", loader: { ".py": "text" } })),
];
inputs.push(...(await bundle(out, "book.js", { plugins: [addresses] })));
for (const style of ["look.css", "formulas.css"]) await cutFonts(join(out, style), join(WEB, "node_modules/.cut-fonts"));
await cutIcons(icons, join(WEB, "icons.txt"), out);
console.log(JSON.stringify([...new Set(inputs.flatMap(packageOf))].sort()));
