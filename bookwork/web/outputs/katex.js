/** KaTeX and Markdown. A page loads them with a reader's first formula or text; the build sets the book's own formulas with KaTeX. */
import katex from "katex";
import "katex/contrib/mhchem";
import setIn from "katex/contrib/auto-render";
import { render } from "./markdown.js";

export { katex, render, setIn };
