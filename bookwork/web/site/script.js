import { element } from "./element.js";

const asked = new Set(); // addresses

/**
 * Add a script to the page; guard.js leaves to the caller what to say if it does not come.
 *
 * @returns {Promise<unknown>} fails if it does not arrive; resolves also when what has arrived is damaged
 */
export function addScript(/** @type {URL} */ address) {
  const again = asked.has(address.href); // what came was of no use, and the browser may have kept it
  asked.add(address.href);
  if (again) address.searchParams.set("again", String(Date.now()));
  return new Promise((onload, onerror) => {
    document.head.append(element("script", { src: address.href, "data-added": "", onload, onerror }));
  });
}
