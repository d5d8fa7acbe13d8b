/** A slow script that was requested again, and then arrived twice, must not set up the page twice. */
if (window.bookCells) throw new Error("the book's script has already loaded");
