// In JupyterLite: let the bar above a chapter's notebook lead to the chapter's own page.

const file = new URLSearchParams(location.search).get("path") ?? "";
const chapter = /^\d\d-([a-z0-9-]+)\.ipynb$/.exec(file)?.[1].replaceAll("-", "_");
if (chapter) {
  const link = document.querySelector("#book-way-back a");
  link.setAttribute("href", `../../chapters/${chapter}.html`);
  link.textContent = "← Back to this chapter in the book";
}
