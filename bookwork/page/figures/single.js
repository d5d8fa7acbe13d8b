/** What a figure that was saved as one file contains: live/save.py puts it there. */
import "../site/theme.js";
import "./figures.js";
