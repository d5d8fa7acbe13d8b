/**
 * Reads a file while Python waits, in the middle of a run.
 *
 * Nothing can end a synchronous request early, so each is short, and between two of them Stop is noticed. A file that
 * does not arrive in one request is requested in parts, as large as they arrive in time.
 */
const [SHORT, LONG] = [1_000, 16_000]; // milliseconds of one request: Python gets longer than the first to stop
const [FIRST, LARGEST, SMALLEST] = [2 ** 18, 2 ** 22, 2 ** 14]; // bytes of a part

/** Python should not wait any longer. */
export class Interrupted extends Error {}

/**
 * Fetch a file; throws an Error that says why it does not arrive.
 *
 * @param {string} address
 * @param {number} size of the file, in bytes
 * @param {{ isInterrupted: () => boolean, onSize: (bytes: number) => void }} options both called between two requests;
 *   onSize: with how much of the file has arrived
 * @returns {Uint8Array}
 */
export function readNow(address, size, { isInterrupted, onSize }) {
  const whole = new Uint8Array(size);
  let [at, part, time] = [0, size, SHORT];
  while (at < size) {
    if (isInterrupted()) throw new Interrupted();
    const { status, response } = request(address, at, part, size, time);
    if (!status && time > LONG) throw new Error("the server does not respond");
    if (status) {
      const bytes = new Uint8Array(response);
      if (status === 200) at = 0; // a server that knows no parts sends all of it
      if (!bytes.length || at + bytes.length > size || (status === 200 && bytes.length < size)) throw new Error("it arrived damaged");
      whole.set(bytes, at);
      at += bytes.length;
      [part, time] = [Math.min(LARGEST, 2 * part), SHORT];
      onSize(at);
    } else if (part > SMALLEST) part = Math.max(SMALLEST, Math.min(Math.ceil(part / 4), FIRST));
    else time *= 2;
  }
  return whole;
}

/** Send a short request for a part of a file; its status is 0 if it took too long. */
function request(address, at, part, size, time) {
  const asked = new XMLHttpRequest();
  asked.open("GET", address, false);
  asked.responseType = "arraybuffer";
  asked.timeout = time;
  if (at || part < size) asked.setRequestHeader("Range", `bytes=${at}-${at + part - 1}`);
  try {
    asked.send();
  } catch (error) {
    if (error.name !== "TimeoutError") throw new Error("the server does not respond", { cause: error });
  }
  if (asked.status && asked.status !== 200 && asked.status !== 206) throw new Error(`the server responds with ${asked.status}`);
  return asked;
}
