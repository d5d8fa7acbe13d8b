/** SHA-256 as 64 hexadecimal digits, in plain JavaScript: the browser's own is asynchronous, and only available over https. */
const CONSTANTS = Int32Array.from(firstPrimes(64), (prime) => fraction(Math.cbrt(prime)));
const START = firstPrimes(8).map((prime) => fraction(Math.sqrt(prime)));

/** @param {Uint8Array} bytes */
export function sha256(bytes) {
  const padded = pad(bytes);
  const words = new DataView(padded.buffer);
  const state = Int32Array.from(START);
  const schedule = new Int32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) schedule[i] = words.getInt32(at + 4 * i);
    extend(schedule);
    mix(state, schedule);
  }
  return Array.from(new Uint32Array(state.buffer), (word) => word.toString(16).padStart(8, "0")).join("");
}

/** Add the end mark and the number of bits, up to a whole number of blocks. */
function pad(bytes) {
  const padded = new Uint8Array((Math.floor((bytes.length + 8) / 64) + 1) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(padded.length - 4, bytes.length << 3);
  return padded;
}

function extend(schedule) {
  for (let i = 16; i < 64; i++) {
    const early = schedule[i - 15];
    const late = schedule[i - 2];
    const first = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const second = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    schedule[i] = schedule[i - 16] + first + schedule[i - 7] + second;
  }
}

function mix(state, schedule) {
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const sum = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + CONSTANTS[i] + schedule[i];
    const most = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    ((h = g), (g = f), (f = e), (e = (d + sum) | 0), (d = c), (c = b), (b = a), (a = (sum + most) | 0));
  }
  const mixed = [a, b, c, d, e, f, g, h];
  for (let i = 0; i < 8; i++) state[i] += mixed[i];
}

function turn(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/** The first 32 bits after the point. */
function fraction(number) {
  return Math.floor((number % 1) * 2 ** 32);
}

function firstPrimes(count) {
  const primes = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes;
}
