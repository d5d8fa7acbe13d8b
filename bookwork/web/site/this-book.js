/** Which book this is, as sphinx/bundle.py writes it into each page: its id, for what is stored and saved, its title, whether no other host may be asked, macros of its formulas, and in the house style where the index of the search is, and the fonts. */
const said = /** @type {HTMLMetaElement | null} */ (document.querySelector('meta[name="bookwork"]'));

/** The address of the book's first page. */
export const ROOT = new URL(document.documentElement.dataset.content_root ?? "./", location.href);
export const ID = said?.content || "book";
export const TITLE = said?.dataset.title || "This book";
export const IS_STRICT = said?.dataset.policy === "strict";
export const MACROS = said?.dataset.macros ?? "{}";
export const INDEX = said?.dataset.index ?? "";
export const FONTS = said?.dataset.fonts?.split(" ").filter(Boolean) ?? [];
