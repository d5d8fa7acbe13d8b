/** What Python's worker removes before the reader's code can reach it: import this first. */

const PAGE_SIZE = 65536; // bytes in a WebAssembly page of memory
const MOST_MEMORY = 2 ** 30; // beyond this a tab may be killed; below it Python raises MemoryError

/** Sends a message to the page. Only the worker has it: `js.postMessage` could flood the page. */
export const postMessage = self.postMessage.bind(self);

["postMessage", "close"].forEach(hide); // a worker that closes itself leaves the page waiting
capMemory();

function hide(name) {
  for (let holder = self; holder; holder = Object.getPrototypeOf(holder)) delete holder[name];
}

/** Refuse memory beyond the limit; Python turns this into a MemoryError. */
function capMemory() {
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = function (pages) {
    const wanted = this.buffer.byteLength + Number(pages) * PAGE_SIZE;
    if (wanted > MOST_MEMORY) throw new RangeError("the page's memory limit");
    return grow.call(this, pages);
  };
}
