/** What every page loads, in this order: widgets, code cells, exercises, notebooks, the place to go on from. */
import "./widgets.js";
import "./cells.js";
import "./exercise.js";
import "./notebooks.js";
import "./place.js";
