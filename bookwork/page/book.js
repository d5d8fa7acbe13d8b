/** What every page loads, in this order: figures, code cells, exercises, links to notebooks, the reader's last place, search highlights, the search dialog, glossary terms, wide tables. */
import "./site/own-page.js"; // before all others
import "./site/theme.js";
import "./site/bootstrap.js";
import "./figures/figures.js";
import "./cells/cells.js";
import "./exercises/exercise.js";
import "./site/notebook-links.js";
import "./site/place.js";
import "./search/found.js";
import "./search/search-dialog.js";
import "./site/terms.js";
import "./site/tables.js";
