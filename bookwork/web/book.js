/** What every page loads: it runs in this order. */
import "./site/theme.js";
import "./site/landmarks.js";
import "./figures/figures.js";
import "./cells/notebook.js";
import "./exercises/exercise.js";
import "./site/notebook-links.js";
import "./search/search.js";
import "./search/found.js";
import "./site/way.js";
import "./site/terms.js";
import "./site/tables.js";
