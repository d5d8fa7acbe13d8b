/**
 * What screen readers miss in the HTML of Jupyter Book's theme and of docutils: axe-core, which tests/browser runs on every page, found each.
 */
const MENDS = [
  ["#pst-primary-sidebar", "role", "region"], // the contents are a landmark of the page
  ["#pst-primary-sidebar", "aria-label", "The book"],
  [".bd-links summary", "aria-label", "Pages below this one"], // the arrow that unfolds a part of the contents
  ["[role=doc-biblioentry]", "role", "listitem"], // the role that docutils gives to references is removed
];

for (const [selector, name, value] of MENDS) for (const element of document.querySelectorAll(selector)) element.setAttribute(name, value);
document.querySelector(".search-button-field")?.removeAttribute("aria-label"); // its name is the text on it: "Search Ctrl+K"
