/** Call back once the page is parsed, whatever scripts have not come yet: at once from a deferred one. */
export function whenParsed(callback) {
  if (document.readyState === "loading") document.addEventListener("readystatechange", callback, { once: true });
  else callback();
}

/** The address of the book's first page, for every page of it. */
export function bookRoot() {
  return new URL(document.documentElement.dataset.content_root ?? "./", location.href);
}
