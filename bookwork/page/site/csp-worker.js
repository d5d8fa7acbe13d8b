/**
 * A worker that may ask no other host, whatever its page may.
 *
 * A worker that is created from an address has the policy that the server sends with its script: on most
 * hosts, none. One created from a blob has the policy of the document that made the blob. So each starts as
 * a few lines in a blob, which then import the script; messages that arrive before it has loaded wait for it.
 * Where the page may load from other hosts, an empty frame that may not makes the worker.
 */
import { element } from "./element.js";
import { IS_STRICT } from "./this-book.js";

const POLICY = "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; connect-src 'self' blob: data:; worker-src blob:";
let made = null; // the frame

const FIRST_LINES = (address, first) => `${first}
  const early = [];
  const keep = (event) => early.push(event);
  const hand = ({ data, ports }) => dispatchEvent(new MessageEvent("message", { data, ports }));
  addEventListener("message", keep);
  delete self.Worker;
  import(${JSON.stringify(address)}).then(
    () => (removeEventListener("message", keep), early.forEach(hand)),
    () => setTimeout(() => { throw new Error("its script did not arrive"); }),
  );`;

/** The address of a blob that starts a script in a worker, after lines of ours; never revoked, for it may be read late. */
export function firstLines(address, first = "", { URL, Blob } = window) {
  const { href } = new URL(address, document.baseURI);
  return URL.createObjectURL(new Blob([FIRST_LINES(href, first)], { type: "text/javascript" }));
}

/** Start a script in a worker. */
export async function startWorker(address) {
  const place = IS_STRICT ? window : /** @type {typeof window} */ ((await frame()).contentWindow);
  return new place.Worker(firstLines(address, "", place), { type: "module" });
}

/** The frame that makes workers, the same for all. @returns {Promise<HTMLIFrameElement>} */
function frame() {
  return (made ??= new Promise((resolve) => {
    const srcdoc = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
    const node = element("iframe", { hidden: true, title: "Python", srcdoc, onload: () => resolve(node) });
    document.body.append(node);
  }));
}
