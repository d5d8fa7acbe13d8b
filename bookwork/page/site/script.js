import { element } from "./element.js";

/** Add a script to the page. @returns {Promise<unknown>} fails if it does not arrive; resolves also when what has arrived is damaged */
export function addScript(/** @type {URL} */ { href }) {
  return new Promise((onload, onerror) => document.head.append(element("script", { src: href, onload, onerror })));
}
