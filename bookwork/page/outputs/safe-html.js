/** HTML that the reader's code made, without what could act by itself or lead out of the page. */
import DOMPurify from "dompurify";

const ELEMENTS = 10_000; // that HTML may have
/** What is left out of all HTML, as DOMPurify takes it. */
export const POLICY = {
  IN_PLACE: true,
  ADD_TAGS: ["use"], // of parts of the same drawing, see isAllowed
  FORBID_TAGS: ["form", "dialog", "template"],
  FORBID_ATTR: ["action", "autofocus", "background", "form", "formaction", "name", "ping", "popover", "srcset", "target"],
  ALLOW_DATA_ATTR: false,
};
const PLAIN = { ...POLICY, FORBID_TAGS: [...POLICY.FORBID_TAGS, "style"], FORBID_ATTR: [...POLICY.FORBID_ATTR, "class", "id"] };
const ADDRESSES = ["href", "src", "xlink:href", "poster"];
const LINK = /^(?:https?:|mailto:|#|[^:]*$)/i; // what a link may name; another scheme has a colon
const IMAGE = /^(?:data:image\/|blob:|#|[^:]*$)/i;
const SPACES = /[\x00-\x20]/g; // which browsers skip in an address
const ALIGNED = /^text-align:\s*(?:left|center|right);?$/; // the one style of a table in Markdown
const OUTPUTS = ".book-own, .book-widget";

DOMPurify.addHook("uponSanitizeAttribute", (node, data) => {
  if (ADDRESSES.includes(data.attrName)) data.keepAttr = isAllowed(node, data.attrValue);
});
DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (isLink(node)) openBeside(node);
});

function isLink({ localName }) {
  return localName === "a" || localName === "area";
}

function isAllowed(node, address) {
  const plain = address.replace(SPACES, "");
  if (node.localName.toLowerCase() === "use") return plain.startsWith("#");
  return (isLink(node) ? LINK : IMAGE).test(plain);
}

/** Let a link open a new tab. */
function openBeside(link) {
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer");
}

/** Check a link that another script made: TeX knows links, too. */
export function checkLink(link) {
  if (!isAllowed(link, link.getAttribute("href") ?? "")) link.removeAttribute("href");
  openBeside(link);
}

/**
 * Parse HTML in a separate document, which runs and fetches nothing.
 *
 * @returns {HTMLElement} a body whose links open a new tab
 */
export function safeBody(html, policy = POLICY) {
  const { body } = new DOMParser().parseFromString(`<body>${html}`, "text/html"); // or a style sheet at its head would not be part of it
  const { length } = body.getElementsByTagName("*");
  if (length <= ELEMENTS) return /** @type {any} */ (DOMPurify.sanitize(body, policy));
  const [found, most] = [length, ELEMENTS].map((number) => number.toLocaleString("en"));
  body.textContent = `This output is not shown: it is HTML of ${found} elements, and the page shows at most ${most}. Show a part of it.`;
  return body;
}

/** The same for a widget, which is part of the page itself: its styles reach outputs and widgets, but not the page. */
export function confinedBody(html) {
  const body = safeBody(html);
  body.querySelectorAll("style").forEach(confine);
  return body;
}

function confine(node) {
  const sheet = new CSSStyleSheet(); // whose rules end where they seem to, and which imports nothing
  sheet.replaceSync(node.textContent);
  const rules = [...sheet.cssRules];
  const write = (areMoves) => rules.filter((rule) => rule instanceof CSSKeyframesRule === areMoves).map(({ cssText }) => cssText);
  node.textContent = [...write(true), `@scope (${OUTPUTS}) {`, ...write(false), "}"].join("\n");
}

/** The same for text that stands in the page itself: without styles and names of its own. */
export function plainBody(html) {
  const body = safeBody(html, PLAIN);
  body.querySelectorAll("[style]").forEach((node) => ALIGNED.test(node.getAttribute("style")) || node.removeAttribute("style"));
  return body;
}
