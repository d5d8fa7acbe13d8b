/** What every page loads, in this order: widgets, code cells, exercises. */
import "./widgets.js";
import "./cells.js";
import "./exercise.js";
