/**
 * Light or dark, for themes that do not say so on the root element: furo says "auto", "light" or "dark" on the
 * body. The book's styles and figures look at the root element alone.
 */
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");

function follow() {
  const chosen = document.body.dataset.theme;
  root.dataset.theme = chosen === "light" || chosen === "dark" ? chosen : system.matches ? "dark" : "light";
}

if (!root.dataset.theme) {
  follow();
  system.addEventListener("change", follow);
  new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
}
