/** Call back once the page is parsed, even if scripts are still loading; at once if called from a deferred script. */
export function whenParsed(callback) {
  if (document.readyState === "loading") document.addEventListener("readystatechange", callback, { once: true });
  else callback();
}

/** Decode part of an address, which may contain anything, even a malformed escape. */
export function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The words of a heading, without the link to it. */
export function headingText(heading) {
  const copy = heading?.cloneNode(true);
  copy?.querySelector(".headerlink")?.remove();
  return copy?.textContent.trim() ?? "";
}

/** The address of the book's first page. */
export function bookRoot() {
  return new URL(document.documentElement.dataset.content_root ?? "./", location.href);
}
