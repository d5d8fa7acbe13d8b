/**
 * A worker that may ask no other host, whatever its page may: cells/python.js starts Python in one.
 *
 * A worker that is created from an address has the policy that the server sends with its script: on most hosts, none. One that
 * is created from a blob has the policy of the document that made it: the page, or an empty frame with a policy of its own if the
 * page has none. So each starts as a few lines in a blob, which then import the script; messages that arrive before it has loaded
 * wait for it. (A page's policy that says 'self' would let a worker of a frame import nothing in Firefox: there the frame is 'self'.)
 */
import { element } from "./element.js";
import { IS_STRICT } from "./this-book.js";

const HERE = location.origin;
const POLICY = `default-src 'none'; script-src ${HERE} blob: 'wasm-unsafe-eval'; connect-src ${HERE} blob: data:; worker-src blob:`;
let made = null; // the frame

const FIRST_LINES = (address) => `
  const early = [];
  const keep = (event) => early.push(event);
  const hand = ({ data, ports }) => dispatchEvent(new MessageEvent("message", { data, ports }));
  addEventListener("message", keep);
  delete self.Worker;
  import(${JSON.stringify(address)}).then(
    () => (removeEventListener("message", keep), early.forEach(hand)),
    () => setTimeout(() => { throw new Error("its script did not arrive"); }),
  );`;

/** The address of a blob, made by a window, that starts a script in a worker; never revoked, for it may be read late. */
function firstLines(address, { URL, Blob }) {
  const { href } = new URL(address, document.baseURI);
  return URL.createObjectURL(new Blob([FIRST_LINES(href)], { type: "text/javascript" }));
}

/** Start a script in a worker. */
export async function startWorker(address) {
  const place = IS_STRICT ? window : (await (made ??= makeFrame())).contentWindow;
  return new place.Worker(firstLines(address, place), { type: "module" });
}

/** @returns {Promise<any>} the frame that makes all workers */
function makeFrame() {
  const srcdoc = `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
  return new Promise((resolve) => {
    document.body.append(element("iframe", { hidden: true, title: "Python", srcdoc, onload: ({ target }) => resolve(target) }));
  });
}
