/**
 * The links to a chapter's notebook. JupyterLite needs a server, so the button that opens it is
 * shown only where there is one; files in the download menu are saved, not shown in a tab.
 */
if (location.protocol.startsWith("http")) {
  for (const link of document.querySelectorAll(".book-needs-host")) link.classList.remove("book-needs-host");
}
for (const link of document.querySelectorAll("a.btn-save-file")) {
  link.setAttribute("download", "");
  link.removeAttribute("target");
}
