import { element } from "./element.js";

const asked = new Map(); // address -> how often it was asked for

/**
 * Add a script to the page; from the second time on its address is one that no cache has.
 *
 * @param {URL} address
 * Whoever calls this says so if it does not arrive: guard.js does not.
 *
 * @returns {Promise<unknown>} fails if it does not arrive; resolves also when what has arrived is damaged
 */
export function addScript(address) {
  const attempts = asked.get(address.href) ?? 0;
  asked.set(address.href, attempts + 1);
  const fresh = new URL(address);
  if (attempts) fresh.searchParams.set("again", String(attempts));
  return new Promise((resolve, reject) => {
    document.head.append(element("script", { "data-asked": "", src: fresh.href, onload: resolve, onerror: reject }));
  });
}
