// Frames: one buffer of codes, looked up by the places of the controls; and the controls, whose models hold these places.
import { within } from "./svg.js";

/** Return a function from the places of the controls to a frame {name: numbers}, or to those of some names. */
export function frameReader(arrays, view) {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  return (places, names = arrays.map(({ name }) => name)) =>
    Object.fromEntries(arrays.filter(({ name }) => names.includes(name)).map((array) => [array.name, readArray(bytes, array, places)]));
}

function readArray(bytes, { begin, counts, shape, low, high, steps }, places) {
  const size = shape.reduce((product, n) => product * n, 1);
  const frame = counts.reduce((sum, count, k) => sum * count + (count > 1 ? places[k] : 0), 0);
  const Codes = steps > 65535 ? Uint32Array : steps > 255 ? Uint16Array : Uint8Array;
  const first = begin + frame * size * Codes.BYTES_PER_ELEMENT;
  const codes = new Codes(bytes.slice(first, first + size * Codes.BYTES_PER_ELEMENT));
  return Float64Array.from(codes, (code) => low + ((high - low) / steps) * code);
}

/** Return a control: what Python tells of it, its place among its values, and how it moves as if the reader had done it. */
export function makeControl(told, model) {
  const { kind, values, texts, start } = told;
  const key = kind === "index" ? "index" : "value";

  /** The place of the value that is nearest to a number. */
  function nearest(number) {
    const away = values.map((value) => Math.abs(value - number));
    return Math.max(0, away.indexOf(Math.min(...away)));
  }

  function place() {
    const at = model.get(key);
    if (kind === "index") return texts[at] === undefined ? start : at;
    return kind === "bool" ? Number(at) : nearest(at);
  }

  function choose(wanted) {
    const at = within(0, texts.length - 1, wanted);
    model.set(key, { index: at, bool: at === 1, value: values?.[at] }[kind]);
    model.save_changes?.();
  }

  /** Return its place; a value that is not on its list, as a reader may type, moves to the nearest one that is. */
  function settle() {
    const [at, held] = [place(), model.get(key)];
    const isOff =
      kind === "value" ? Math.abs(held - values[at]) > 1e-9 * (Math.abs(values[0]) + Math.abs(values.at(-1))) : Number(held) !== at;
    if (isOff) choose(at);
    return at;
  }

  /** Call back when it has moved; returns the cleanup. */
  function follow(moved) {
    model.on(`change:${key}`, moved);
    return () => model.off(`change:${key}`, moved);
  }

  const text = () => texts[place()];
  const approach = (number) => choose(nearest(number));
  return { ...told, place, text, choose, approach, settle, follow };
}
