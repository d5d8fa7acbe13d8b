/** Which book this is, as sphinx/bundle.py writes it into each page: its id, for what is stored and saved, its title, whether no other host may be asked, and the fonts of the house style. */
const said = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="bookwork"]'));

/** The address of the book's first page. */
export const ROOT = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
export const ID = said?.content || "book";
export const TITLE = said?.dataset.title || "This book";
export const IS_STRICT = said?.dataset.policy === "strict";
export const FONTS = said?.dataset.fonts?.split(" ").filter(Boolean) ?? [];
