/**
 * A worker under the page's content security policy.
 *
 * A worker that is created from an address has the policy that the server sends with its script: on most
 * hosts, none. One created from a blob has the page's policy. So each starts as a few lines in a
 * blob, which then import the script; messages that arrive before it has loaded wait for it.
 */
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
export function firstLines(address, first = "") {
  const { href } = new URL(address, document.baseURI);
  return URL.createObjectURL(new Blob([FIRST_LINES(href, first)], { type: "text/javascript" }));
}
