/** What every page loads, in this order: widgets, code cells, exercises, notebooks, the place to go on from, words that were searched for, terms, wide tables. */
import "./own-page.js"; // before all others
import "./once.js";
import "./widgets.js";
import "./cells.js";
import "./exercise.js";
import "./notebooks.js";
import "./place.js";
import "./found.js";
import "./terms.js";
import "./tables.js";
