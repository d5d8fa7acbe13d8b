/**
 * Files that Python reads in the middle of a run, while it waits.
 *
 * Nothing can end a synchronous request early, so each is short, and between two of them Stop is noticed. A file that
 * does not arrive in one request is requested in parts, as large as they arrive in time. A server that knows no parts is given longer.
 */
const SHORT = 1_000; // milliseconds of one request; less than Python gets to stop
const AT_ONCE = 15_000; // milliseconds of silence after which the file is given up
const [FIRST, LARGEST, SMALLEST] = [2 ** 18, 2 ** 22, 2 ** 14]; // bytes of a part

/** Python should not wait any longer. */
export class Interrupted extends Error {}

/**
 * Fetch a file; throws an Error that says why it does not arrive.
 *
 * @param {string} address
 * @param {{ isInterrupted: () => boolean, onSize: (bytes: number) => void }} options both called between two requests;
 *   onSize: with how much of the file has arrived
 * @returns {Uint8Array}
 */
export function getNow(address, { isInterrupted, onSize }) {
  const file = new Arriving(address);
  while (!file.isWhole) {
    if (isInterrupted()) throw new Interrupted();
    file.getMore();
    onSize(file.size);
  }
  return joined(file.parts);
}

class Arriving {
  parts = [];
  size = 0; // bytes that have arrived
  most = null; // bytes to request next; null: all of them
  knowsParts = null; // whether the server sends parts; null: not asked yet
  largest = LARGEST; // bytes that may be requested
  time = SHORT; // milliseconds of the next request
  isWhole = false;
  heard = performance.now(); // when something last arrived

  constructor(address) {
    this.address = address;
  }

  getMore() {
    const request = this.#send();
    if (request.status === 200) this.#take(request, true);
    else if (request.status === 206) this.#take(request, isLast(request));
    else if (request.status) throw new Error(`the server responds with ${request.status}`);
    else this.#wait();
  }

  /** Send a short request; its status is 0 if it took too long. */
  #send(method = "GET") {
    const request = new XMLHttpRequest();
    request.open(method, this.address, false);
    request.responseType = "arraybuffer";
    request.timeout = this.time;
    if (this.most) request.setRequestHeader("Range", `bytes=${this.size}-${this.size + this.most - 1}`);
    try {
      request.send();
    } catch (error) {
      if (error.name !== "TimeoutError") throw new Error("the server does not respond", { cause: error });
    }
    return request;
  }

  #take({ status, response }, isWhole) {
    if (status === 200) this.parts = []; // a server that knows no parts sends all of it
    this.parts.push(new Uint8Array(response));
    this.size += response.byteLength;
    this.most = Math.min(this.largest, 2 * (this.most ?? FIRST));
    this.heard = performance.now();
    this.isWhole = isWhole;
  }

  #wait() {
    if (performance.now() - this.heard > AT_ONCE) throw new Error(`nothing has arrived for ${AT_ONCE / 1000} seconds`);
    this.knowsParts ??= this.#askForParts();
    if (this.knowsParts === false) return this.#allowLonger();
    const tooMuch = this.most ?? 4 * FIRST;
    this.largest = Math.max(SMALLEST, tooMuch / 2);
    this.most = Math.max(SMALLEST, tooMuch / 4);
  }

  #allowLonger() {
    this.most = null;
    this.time *= 4;
  }

  /** Whether the server sends parts of files; null if it does not say so in time. */
  #askForParts() {
    const answer = this.#send("HEAD");
    return answer.status === 200 ? answer.getResponseHeader("Accept-Ranges") === "bytes" : null;
  }
}

/** Whether a part is the last: `bytes 100-199/200`. */
function isLast(request) {
  const [, end, all] = request.getResponseHeader("Content-Range")?.match(/-(\d+)\/(\d+)/) ?? [];
  return !(Number(end) + 1 < Number(all));
}

/** Parts of a file, as one. */
export function joined(parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
