/**
 * Light or dark, for themes that do not say so on the root element, where the book's styles and figures look: some
 * say it on the body, some have a class for it, and some are always light. What the page looks like tells.
 */
const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const CHANNELS = /[\d.]+/g;

function follow() {
  const theme = isDark(document.body) ? "dark" : "light";
  if (root.dataset.theme !== theme) root.dataset.theme = theme;
}

/** Whether the ground of an element is dark; one without a ground shows that of what is behind it. */
function isDark(element) {
  if (!element) return false;
  const [red, green, blue, alpha = 1] = getComputedStyle(element).backgroundColor.match(CHANNELS)?.map(Number) ?? [];
  return alpha > 0.5 ? red + green + blue < 384 : isDark(element.parentElement);
}

if (!root.dataset.theme) {
  follow();
  system.addEventListener("change", follow);
  document.addEventListener("transitionend", ({ target }) => target === document.body && follow());
  const watch = { attributeFilter: ["class", "data-theme", "style"] };
  for (const place of [document.body, root]) new MutationObserver(follow).observe(place, watch);
}
