/** HTML that code of the reader's made, without what could lead out of the page or act by itself. */
import { excess, withoutTurns } from "./limits.js";

const REMOVED =
  "script, meta, base, link, iframe, frame, frameset, object, embed, applet, portal, template, noscript, dialog[open], animate, set";
const UNWRAPPED = "form";
const ADDRESSES = ["href", "src", "xlink:href", "action", "formaction", "poster", "data", "background"];
const LINK = /^(?:https?:|mailto:|#|[^:]*$)/i; // what a link may name; another scheme has a colon
const ALIGNED = /^text-align:\s*(?:left|center|right);?$/; // the one style of a table in Markdown
const EFFECTS = ["filter", "backdrop-filter"]; // of styles: a single one may take seconds to paint
const RULES = /(?:-webkit-)?(?:backdrop-)?filter(?=\s*:)/gi;
const OUTPUTS = ".book-own, .book-widget";
const IMAGE = /^(?:data:image\/|blob:|#|[^:]*$)/i;

/**
 * Parse HTML in a separate document, which runs and fetches nothing.
 *
 * @returns {HTMLElement} a body whose links open a new tab
 */
export function safeBody(html, limits = {}) {
  const sentence = excess("text/html", html, limits);
  const written = `<body>${sentence ? "" : withoutTurns(html)}`; // or a style sheet at its head would not be part of it
  const { body } = new DOMParser().parseFromString(written, "text/html");
  if (sentence) body.append(sentence);
  body.querySelectorAll(REMOVED).forEach((node) => node.remove());
  body.querySelectorAll(UNWRAPPED).forEach((node) => node.replaceWith(...node.childNodes));
  body.querySelectorAll("*").forEach(clean);
  return body;
}

/** The same for a widget, which is part of the page itself: its styles reach outputs and widgets, but not the page. */
export function confinedBody(html, limits) {
  const body = safeBody(html, limits);
  body.querySelectorAll("style").forEach(confine);
  return body;
}

function confine(node) {
  const sheet = new CSSStyleSheet(); // whose rules end where they seem to
  sheet.replaceSync(node.textContent);
  const rules = [...sheet.cssRules];
  const write = (areMoves) => rules.filter((rule) => rule instanceof CSSKeyframesRule === areMoves).map(({ cssText }) => cssText);
  node.textContent = [...write(true), `@scope (${OUTPUTS}) {`, ...write(false), "}"].join("\n");
}

/** The same for text that stands in the page itself: without styles and names of its own. */
export function plainBody(html) {
  const body = safeBody(html);
  body.querySelectorAll("style").forEach((node) => node.remove());
  body.querySelectorAll("*").forEach(makePlain);
  return body;
}

function makePlain(node) {
  for (const name of ["class", "id"]) node.removeAttribute(name);
  if (!ALIGNED.test(node.getAttribute("style"))) node.removeAttribute("style");
}

/** SVG that is not well formed stays as it is: it is not drawn. */
export function withoutEffects(svg) {
  if (!/filter|\\|<!ENTITY/i.test(svg)) return svg;
  const made = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (made.querySelector("parsererror")) return svg;
  made.querySelectorAll("*").forEach(calm);
  made.doctype?.remove();
  return new XMLSerializer().serializeToString(made);
}

/** Remove what takes long to paint. */
function calm(node) {
  EFFECTS.forEach((name) => node.style?.removeProperty(name));
  node.removeAttribute("filter");
  if (node.localName === "filter") node.remove();
  if (node.localName === "style") node.textContent = unescaped(node.textContent).replace(RULES, "x");
}

/** A style sheet in which letters stand for themselves: `f\\69lter` is a filter, too. */
function unescaped(sheet) {
  const letters = sheet.replace(/\\0{0,4}([46][1-9a-f]|[57][0-9a])(?![0-9a-f])\s?/gi, (_, code) => String.fromCharCode(parseInt(code, 16)));
  return letters.replace(/\\([g-z])/gi, "$1");
}

/** Keep the attributes of an element that only describe it. */
export function clean(node) {
  calm(node);
  for (const { name, value } of [...node.attributes]) {
    if (!isHarmless(name.toLowerCase(), value.trim(), node)) node.removeAttribute(name);
  }
  if (node.localName !== "a" && node.localName !== "area") return;
  node.setAttribute("target", "_blank");
  node.setAttribute("rel", "noopener noreferrer");
}

function isHarmless(name, value, node) {
  if (name.startsWith("on") || ["name", "target", "ping", "srcdoc", "autofocus", "form", "http-equiv"].includes(name)) return false;
  if (!ADDRESSES.includes(name)) return true;
  const isLink = node.localName === "a" || node.localName === "area";
  return (isLink ? LINK : IMAGE).test(value.replace(/[\x00-\x20]/g, ""));
}
