/** Call back once the page is parsed, even if scripts are still loading; at once if called from a deferred script. */
export function whenParsed(callback) {
  if (document.readyState === "loading") document.addEventListener("readystatechange", callback, { once: true });
  else callback();
}

/** The address of the book's first page. */
export function bookRoot() {
  return new URL(document.documentElement.dataset.content_root ?? "./", location.href);
}
