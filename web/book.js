/** What every page loads, in this order: widgets, code cells, exercises, notebooks, words that were searched for. */
import "./widgets.js";
import "./cells.js";
import "./exercise.js";
import "./notebooks.js";
import "./found.js";
