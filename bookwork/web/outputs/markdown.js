/** Markdown and TeX that code shows, as HTML with formulas set: HTML within them is text. */
import katex from "katex";
import MarkdownIt from "markdown-it";

const MOST = 50_000; // characters; a longer text is shown as it is
const CODE = /\\[$`\\]|(?<ticks>`+)[^]*?[^`]\k<ticks>(?!`)/; // and escaped signs: nothing in them is a formula
const FORMULA = /\$\$(?<displayed>[^]+?)\$\$|\$(?<inline>(?:\\[^]|[^$\\])+?)\$|\\begin\{(?<name>\w+\*?)\}[^]*?\\end\{\k<name>\}/;
const PARTS = new RegExp(`(?<code>${CODE.source})|${FORMULA.source}`, "g");
const HELD = /<[^>]*>|\uE000(\d+)\uE000/g; // signs for private use stand for formulas until Markdown has been read
const LEVELS = 2; // how far below those of the page headings begin: those of an output are none of the page's

const reader = new MarkdownIt().disable("image");

/** @param {string} text @param {object} options of KaTeX @returns {string} HTML */
export function render(text, options) {
  if (text.length > MOST) return `<pre>${reader.utils.escapeHtml(text)}</pre>`;
  const formulas = [];
  const hold = (whole, ...found) => {
    const { code, displayed, inline } = found.at(-1);
    if (code) return code;
    const formula = katex.renderToString(displayed ?? inline ?? whole, { ...options, displayMode: inline === undefined });
    return `\uE000${formulas.push(formula) - 1}\uE000`;
  };
  const html = reader.render(text.replace(PARTS, hold));
  return html
    .replace(HELD, (whole, place) => formulas[place] ?? whole)
    .replace(/(<\/?h)([1-4])>/g, (_, start, level) => `${start}${Number(level) + LEVELS}>`);
}
