/** A script that was slow, asked for again and then came twice must not set the page up twice. */
if (window.bookCells) throw new Error("the book's script has come already");
