/** Ask for a signal of which one address goes on answering after it was revoked, as in WebKit: node stop.mjs ADDRESS */
import { isRevoked } from "../../../web/python/interrupt.js";

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
console.log(JSON.stringify([isRevoked(signal), isRevoked(signal)]));
