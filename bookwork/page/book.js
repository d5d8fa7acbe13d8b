/** What every page loads, in this order: figures, code cells, exercises, links to notebooks, the search, the words that it found, glossary terms, wide tables. */
import "./site/theme.js";
import "./site/bootstrap.js";
import "./figures/figures.js";
import "./cells/cells.js";
import "./exercises/exercise.js";
import "./site/notebook-links.js";
import "./search/search.js";
import "./search/found.js";
import "./site/terms.js";
import "./site/tables.js";
