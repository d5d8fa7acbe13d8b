/** The files in the download menu, such as a chapter's notebook, are saved, not shown in a tab. */
for (const link of document.querySelectorAll("a.btn-save-file")) {
  link.setAttribute("download", "");
  link.removeAttribute("target");
}
