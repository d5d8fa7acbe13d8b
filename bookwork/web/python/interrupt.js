/** How Python in a worker learns that it should stop. */

export const POLL = 100; // milliseconds between two checks of the signal

/**
 * What Python reads to learn that it should stop. Pyodide reads `buffer[0]` and takes 2 for
 * Ctrl+C. Without shared memory, which needs special headers, the page signals Stop by revoking the
 * addresses of two blobs: once one cannot be fetched, Stop was pressed. They are asked for in turn, because WebKit
 * goes on answering for an address that is revoked while a request for it is under way.
 */
export const interrupt = {
  signal: null,
  deadline: Infinity,
  polled: 0,
  reason: null, // "stop" or "limit", once it has told Python to stop
  arm(signal, limit) {
    Object.assign(this, { signal, deadline: performance.now() + limit, polled: 0, reason: null });
  },
  disarm() {
    Object.assign(this, { signal: null, deadline: Infinity });
  },
  get 0() {
    const now = performance.now();
    if (now > this.deadline) return this.tell("limit");
    if (now - this.polled < POLL) return 0;
    this.polled = now;
    return isRevoked(this.signal) ? this.tell("stop") : 0;
  },
  set 0(_) {},
  tell(reason) {
    this.disarm();
    this.reason = reason;
    return 2;
  },
};

let asked = 0; // which of the two addresses was asked for last

/** Whether Stop was pressed in the page. @param {string[] | null} signal two addresses, while there is something to stop */
export function isRevoked(signal) {
  if (!signal) return false;
  asked = 1 - asked;
  const request = new XMLHttpRequest();
  try {
    request.open("GET", signal[asked], false);
    request.send();
    return false;
  } catch {
    return true;
  }
}
