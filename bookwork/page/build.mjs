/**
 * Bundle what runs in the page: node bookwork/page/build.mjs OUT ICONS
 *
 * Writes OUT/book.js (one classic script: modules do not load from file://), OUT/guard.js, which stands
 * in each page (see bookwork/sphinx/book_shell.py), OUT/book.css, OUT/look.css with the house style and its fonts, OUT/editor.js, which a page loads at
 * the first Edit, OUT/python-worker.js, which it starts at the first Run, OUT/widgets.js and .css, which it
 * loads when a reader's code makes a widget, OUT/search-words.js, which it loads when a reader searches, OUT/single.js and .css, which a saved figure contains, OUT/formulas.css with its fonts, OUT/katex.js, which a page loads with a reader's first formula, and
 * OUT/icons.css with those of the theme's font ICONS that are used. Prints the names of the npm packages
 * that are in them, as a JSON list.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { addIcons, cutFonts, cutIcons } from "./fonts.mjs";

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

/** anywidget gives a figure up after 2 seconds; a slow device may need them, so ours waits for a minute. */
const patience = {
  name: "patience",
  setup({ onLoad }) {
    onLoad({ filter: /anywidget[/\\]dist[/\\]index\.js$/ }, async ({ path }) => {
      const parts = (await readFile(path, "utf8")).split("AbortSignal.timeout(2e3)");
      if (parts.length !== 2) throw new Error("anywidget no longer waits for 2 seconds: see bookwork/page/build.mjs");
      return { contents: parts.join("AbortSignal.timeout(6e4)"), loader: "js" };
    });
  },
};

/** `import { editor } from "book:addresses"` gives the address of editor.js beside book.js, with a digest of what it holds. */
const FILES = {
  editor: "editor.js",
  katex: "katex.js",
  words: "search-words.js",
  worker: "python-worker.js",
  manager: "widgets.js", // these two only once they are there: widgets.js needs some of the others
  managerStyle: "widgets.css",
};
const addresses = {
  name: "addresses",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^book:addresses$/ }, ({ path }) => ({ path, namespace: "addresses" }));
    onLoad({ filter: /.*/, namespace: "addresses" }, () => {
      const there = Object.entries(FILES).filter(([, name]) => existsSync(join(out, name)));
      const found = there.map(([key, name]) => [key, `${name}?v=${digest(readFileSync(join(out, name)))}`]);
      return { contents: JSON.stringify(Object.fromEntries(found)), loader: "json" };
    });
  },
};

function digest(content) {
  return createHash("sha256").update(content).digest("hex").slice(0, 8);
}

/** KaTeX's style sheet names each font in three formats; all browsers of today take the first. */
const oneFormat = {
  name: "one format of fonts",
  setup({ onLoad }) {
    onLoad({ filter: /katex\.css$/ }, async ({ path }) => {
      const contents = (await readFile(path, "utf8")).replace(/,\s*url\([^)]*\)\s*format\("(?:woff|truetype)"\)/g, "");
      return { contents, loader: "css" };
    });
  },
};

/** What the script with ipywidgets' manager needs; it hands its labels to MathJax 2, which the page stands in for. */
const withManager = {
  globalName: "bookManager",
  plugins: [patience, addresses],
  define: { MathJax: "window.bookMathJax", "window.MathJax": "window.bookMathJax" },
  inject: [join(WEB, "figures/amd.js")],
  alias: { "sanitize-html": join(WEB, "outputs/descriptions.js") },
};

/** `"node_modules/@lumino/widgets/dist/index.js"` -> `["@lumino/widgets"]`; our own files -> `[]`. */
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
  ...(await bundle(out, "outputs/formulas.css", { plugins: [oneFormat] })),
  ...(await bundle(out, "python/worker.js", { entryNames: "python-worker", format: "esm", loader: { ".py": "text" } })),
  ...(await bundle(out, "figures/widgets.js", withManager)),
];
await addIcons(icons, join(out, "widgets.css"));
for (const script of ["figures/single.js", "book.js"]) inputs.push(...(await bundle(out, script, { plugins: [addresses] })));
for (const style of ["look.css", "formulas.css"]) await cutFonts(join(out, style), join(out, "../../cut-fonts"));
await cutIcons(icons, join(WEB, "icons.txt"), out);
console.log(JSON.stringify([...new Set(inputs.flatMap(packageOf))].sort()));
