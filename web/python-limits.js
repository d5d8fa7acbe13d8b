/** What the worker of Python takes away before any code of the reader's can reach it: import this first. */

const PAGE_SIZE = 65536; // bytes by which WebAssembly counts memory
const MOST_MEMORY = 2 ** 30; // beyond this a tab may be killed; below it Python raises MemoryError

/** Sends a message to the page. It is the worker's alone: `js.postMessage` could flood the page. */
export const postMessage = self.postMessage.bind(self);

hidePostMessage();
capMemory();

function hidePostMessage() {
  for (let holder = self; holder; holder = Object.getPrototypeOf(holder)) delete holder.postMessage;
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
