/**
 * Set formulas for formulas.py: node set_formulas.mjs KATEX
 *
 * KATEX is the script that a page loads for readers' own formulas. Each line of the input is a formula, as
 * JSON: { tex, display, page, macros }; each line of the output is { html }, or { fault }, in words.
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { runInThisContext } from "node:vm";

const { katex } = runInThisContext(`${readFileSync(process.argv[2], "utf8")}; bookKatex`);
let last = { page: null, macros: {} };

function set({ tex, display, page, macros }) {
  if (page !== last.page) last = { page, macros }; // to which \newcommand in a formula adds
  const options = { displayMode: display, macros: last.macros, globalGroup: true, strict: false, trust: true };
  try {
    return { html: katex.renderToString(tex, options) };
  } catch (error) {
    return { fault: error.rawMessage ?? error.message };
  }
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(set(JSON.parse(line))));
