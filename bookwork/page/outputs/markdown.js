/**
 * Markdown and TeX that code shows, as HTML in which formulas stand in brackets: \(…\) or \[…\].
 *
 * The worker makes it: a text that is hard to read keeps nobody waiting there. The page takes the
 * result for HTML of a stranger's, whoever made it (see outputs.js).
 */
import MarkdownIt from "markdown-it";
import { RICH, bestOf } from "./kinds.js";

const [MARKDOWN, TEX] = ["text/markdown", "text/latex"];
const MOST = 50_000; // characters; a longer text is shown as it is
const FORMULA = /\$\$([^]+?)\$\$|\$((?:\\[^]|[^$\\])+?)\$|\\begin\{(\w+\*?)\}[^]*?\\end\{\3\}/y;
const LEVELS = 2; // how far below those of the page headings begin

const reader = new MarkdownIt({ html: true });
reader.inline.ruler.before("escape", "formula", readInline);
reader.block.ruler.before("code", "formula", readBlock, { alt: ["paragraph"] });
reader.renderer.rules.formula = (tokens, i) => reader.utils.escapeHtml(tokens[i].content);
for (const edge of ["heading_open", "heading_close"]) reader.renderer.rules[edge] = lowered;

/** Give a bundle { type: data } whose best form is Markdown or TeX the HTML of it. */
export function enrich(bundle) {
  if (!["text/plain", undefined].includes(bestOf(bundle))) return;
  const { [MARKDOWN]: markdown, [TEX]: tex } = bundle;
  if (isText(markdown)) bundle[RICH] = reader.render(markdown);
  else if (isText(tex)) bundle[RICH] = `<p>${reader.utils.escapeHtml(tex.replace(new RegExp(FORMULA, "g"), inBrackets))}</p>`;
}

function isText(data) {
  return typeof data === "string" && data.length <= MOST;
}

function inBrackets(formula, displayed, inline) {
  if (displayed) return `\\[${displayed}\\]`;
  return inline ? `\\(${inline}\\)` : formula;
}

/** The formula that stands at a place of a text, or null. */
function formulaAt(text, place) {
  FORMULA.lastIndex = place;
  return FORMULA.exec(text);
}

/** A formula within a paragraph. */
function readInline(state, isSilent) {
  const found = formulaAt(state.src, state.pos);
  if (!found) return false;
  if (!isSilent) state.push("formula", "", 0).content = inBrackets(...found);
  state.pos += found[0].length;
  return true;
}

/** A formula that begins a line and may go on for several, whatever these begin with. */
function readBlock(state, line, end, isSilent) {
  const start = state.bMarks[line] + state.tShift[line];
  const found = formulaAt(state.src, start);
  const last = found && lineOf(state, line, end, start + found[0].length);
  if (!found || last === line || state.src.slice(start + found[0].length, state.eMarks[last]).trim()) return false;
  if (!isSilent) {
    state.push("formula", "", 0).content = `${inBrackets(...found)}\n`;
    state.line = last + 1;
  }
  return true;
}

/** The line on which a place of the text lies. */
function lineOf(state, line, end, place) {
  while (line < end - 1 && state.eMarks[line] < place) line += 1;
  return line;
}

/** A heading among the output of a cell is none of the page's. */
function lowered(tokens, i, options, _env, renderer) {
  const token = tokens[i];
  token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + LEVELS)}`;
  return renderer.renderToken(tokens, i, options);
}
