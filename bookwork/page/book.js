/** What every page loads, in this order: widgets, code cells, exercises, links to notebooks, the reader's last place, search highlights, the search dialog, glossary terms, wide tables. */
import "./own-page.js"; // before all others
import "./once.js";
import "./theme.js";
import "./widgets.js";
import "./cells.js";
import "./exercise.js";
import "./notebook-links.js";
import "./place.js";
import "./found.js";
import "./search-dialog.js";
import "./terms.js";
import "./tables.js";
