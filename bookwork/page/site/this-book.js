/** Which book this is, as sphinx/book_shell.py writes it into each page: its id, for what is stored and saved, its title, and the fonts of its text. */
const said = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="bookwork"]'));

export const ID = said?.content || "book";
export const TITLE = said?.dataset.title || "This book";
export const FONTS = said?.dataset.fonts?.split(" ").filter(Boolean) ?? [];
