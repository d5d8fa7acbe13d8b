/** HTML made by the reader's code, without anything that could leave the page or act by itself. */
import { excess } from "./limits.js";

const REMOVED =
  "script, meta, base, link, iframe, frame, frameset, object, embed, applet, portal, template, noscript, dialog[open], animate, set";
const UNWRAPPED = "form";
const ADDRESSES = ["href", "src", "xlink:href", "action", "formaction", "poster", "data", "background"];
const LINK = /^(?:https?:|mailto:|#|[^:]*$)/i; // what a link may contain; other schemes have a colon
const IMAGE = /^(?:data:image\/|blob:|#|[^:]*$)/i;

/**
 * Parse HTML in a separate document, which runs and fetches nothing.
 *
 * @returns {HTMLElement} a body whose links open a new tab
 */
export function safeBody(html) {
  const sentence = excess("text/html", html);
  const { body } = new DOMParser().parseFromString(sentence ? "" : html, "text/html");
  if (sentence) body.append(sentence);
  body.querySelectorAll(REMOVED).forEach((node) => node.remove());
  body.querySelectorAll(UNWRAPPED).forEach((node) => node.replaceWith(...node.childNodes));
  body.querySelectorAll("*").forEach(clean);
  return body;
}

/** Keep the attributes of an element that only describe it. */
function clean(node) {
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
