/** KaTeX. A page loads it with a reader's first formula; the build sets the book's own with it. */
import katex from "katex";
import "katex/contrib/mhchem";
import setIn from "katex/contrib/auto-render";

export { katex, setIn };
