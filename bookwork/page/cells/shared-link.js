/**
 * Links that carry texts: `page.html#section?name=a%20text`. Whatever follows the # stays in the browser.
 *
 * Only letters and digits are written as they are, because mail programs cut a link at other signs or change them.
 */
import { decoded } from "../site/ready.js";

const SHARED = /^#([^?]*)\?(.+)$/s;
const HALF = /\p{Surrogate}/gu; // of a character, which no address can hold
const LEFT = /[!'()*.~_]/g; // signs that encodeURIComponent leaves as they are

/** Characters that a text in a link may have. */
export const LONGEST = 2_000;

/** Return the address of this page at a section, with texts by name. */
export function linkTo(section, texts) {
  const pairs = Object.entries(texts).map(([name, text]) => `${name}=${encode(text)}`);
  return `${location.href.split("#")[0]}#${section}?${pairs.join("&")}`;
}

/**
 * Return what the address of this page carries, or null.
 *
 * @returns {{ section: string, texts: Map<string, string>, isCut: boolean } | null}
 */
export function readLink() {
  const [, section, query] = location.hash.match(SHARED) ?? [];
  if (query === undefined) return null;
  const given = [...new URLSearchParams(query)];
  const texts = new Map(given.map(([name, text]) => [name, cut(text)]));
  return { section: decoded(section), texts, isCut: given.some(([, text]) => text !== cut(text)) };
}

/** Whether a text fits into a link. */
export function fits(text) {
  return text === cut(text);
}

/** At most so many characters, and none of them half. */
function cut(text) {
  return [...text].slice(0, LONGEST).join("");
}

function encode(text) {
  return encodeURIComponent(text.replace(HALF, "\ufffd")).replace(LEFT, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
