// Reload this page when the book was built again, and go back to where its reader was.

const KEY = "where the reader was";

/** The section that is being read, and how far its top lies above that of the window. */
function whereabouts() {
  const sections = [...document.querySelectorAll("main section[id]")];
  const read = sections.filter((section) => section.getBoundingClientRect().top <= 0).pop() ?? sections[0];
  return { page: location.pathname, id: read?.id, top: read?.getBoundingClientRect().top };
}

function goBack({ page, id, top }) {
  const section = document.getElementById(id ?? "");
  if (page !== location.pathname || !section) return;
  scrollBy({ top: section.getBoundingClientRect().top - top, behavior: "instant" });
}

const before = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
sessionStorage.removeItem(KEY);
goBack(before);
window.bookWidgets?.ready.then(() => goBack(before)); // figures above have their height only now

const { src } = /** @type {HTMLScriptElement} */ (document.currentScript);
new EventSource(`/changes${new URL(src).search}`).onmessage = () => {
  sessionStorage.setItem(KEY, JSON.stringify(whereabouts()));
  location.reload();
};
