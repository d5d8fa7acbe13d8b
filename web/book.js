/** What every page loads, in this order: widgets, code cells, exercises, notebooks. */
import "./own-page.js"; // before all others
import "./widgets.js";
import "./cells.js";
import "./exercise.js";
import "./notebooks.js";
