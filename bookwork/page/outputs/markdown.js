/** Markdown and TeX that code shows, as HTML with formulas set: HTML within them is text. */
import katex from "katex";
import MarkdownIt from "markdown-it";

const MOST = 50_000; // characters; a longer text is shown as it is
const FORMULA = /\$\$([^]+?)\$\$|\$((?:\\[^]|[^$\\])+?)\$|\\begin\{(\w+\*?)\}[^]*?\\end\{\3\}/y;
const LEVELS = 2; // how far below those of the page headings begin

const readers = {
  "text/markdown": new MarkdownIt().use(withFormulas).disable("image"),
  "text/latex": new MarkdownIt("zero").use(withFormulas),
};

/** @param {string} type @param {string} text @param {object} options of KaTeX @returns {string} HTML */
export function render(type, text, options) {
  const reader = readers[type];
  return text.length > MOST ? `<pre>${reader.utils.escapeHtml(text)}</pre>` : reader.render(text, { katex: options });
}

function withFormulas(reader) {
  reader.inline.ruler.before("escape", "formula", readInline);
  reader.block.ruler.before("code", "formula", readBlock, { alt: ["paragraph"] });
  reader.renderer.rules.formula = (tokens, i, _options, env) =>
    katex.renderToString(tokens[i].content, { ...env.katex, ...tokens[i].meta });
  for (const edge of ["heading_open", "heading_close"]) reader.renderer.rules[edge] = lowered;
}

/** Make a token of a formula that was found. @param {any} state @param {string[]} found */
function add(state, [whole, displayed, inline]) {
  const token = state.push("formula", "", 0);
  token.content = displayed ?? inline ?? whole;
  token.meta = { displayMode: inline === undefined };
}

/** The formula that stands at a position of a text, or null. */
function formulaAt(text, position) {
  FORMULA.lastIndex = position;
  return FORMULA.exec(text);
}

/** A formula within a paragraph. */
function readInline(state, isSilent) {
  const found = formulaAt(state.src, state.pos);
  if (!found) return false;
  if (!isSilent) add(state, found);
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
    add(state, found);
    state.line = last + 1;
  }
  return true;
}

/** The line on which a position of the text lies. */
function lineOf(state, line, end, position) {
  while (line < end - 1 && state.eMarks[line] < position) line += 1;
  return line;
}

/** A heading among the output of a cell is none of the page's. */
function lowered(tokens, i, options, _env, renderer) {
  const token = tokens[i];
  token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + LEVELS)}`;
  return renderer.renderToken(tokens, i, options);
}
