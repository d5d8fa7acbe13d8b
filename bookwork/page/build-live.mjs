/**
 * Bundle the views of live figures: node bookwork/page/build-live.mjs OUT
 *
 * Writes OUT/figure.js and OUT/figure.css, which the library's widget names as its script and style.
 * They are kept in the repository, so that the library works where there is no Node.
 */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

const LIVE = join(dirname(fileURLToPath(import.meta.url)), "../live/js");
const [, , out] = process.argv;

await build({
  entryPoints: ["figure.js", "figure.css"].map((name) => join(LIVE, name)),
  outdir: out,
  bundle: true,
  format: "esm",
  minifySyntax: true,
  minifyWhitespace: true, // names stay, so that a change of one view is a small change here
  target: "es2022",
  charset: "utf8",
  lineLimit: 120,
  logLevel: "warning",
});
