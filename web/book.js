/** What every page loads, in this order: widgets, code cells, exercises, notebooks. */
import "./once.js";
import "./widgets.js";
import "./cells.js";
import "./exercise.js";
import "./notebooks.js";
