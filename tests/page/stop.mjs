/** Ask for a signal of which one address goes on answering after it was revoked, as in WebKit: node stop.mjs ADDRESS */
import { interrupt, isRevoked } from "../../bookwork/page/python/interrupt.js";

const [, , stuck] = process.argv;

globalThis.XMLHttpRequest = class {
  open(_method, address) {
    this.address = address;
  }
  send() {
    if (this.address !== stuck) throw new Error("revoked");
  }
};

const signal = ["one", "other"];
const heard = [isRevoked(signal), isRevoked(signal)];
interrupt.arm(signal, 60_000);
const told = [];
for (let k = 0; k < 2; k++) {
  interrupt.polled = -Infinity;
  told.push(interrupt[0]);
}
console.log(JSON.stringify({ heard, told }));
