/**
 * Frames of large figures, which the page leaves in files (see bookwork/sphinx/lazy_frames.py).
 *
 * A file is a script: unlike data, it can be loaded from a disk too.
 */
import { addScript } from "../site/script.js";
import { ROOT } from "../site/this-book.js";

/** Those of some widgets, { id: widget }, whose frames have not come yet. */
export function lacking(widgets) {
  return [...widgets.values()].filter(({ state }) => state.frames?.inFile);
}

/** Give widgets the frames that they lack. */
export async function bringFrames(widgets) {
  for (const { state } of lacking(widgets)) state.frames = await load(state.frames.inFile);
}

/** Load a file of frames. */
async function load(name) {
  if (!window.bookFrames?.[name]) await addScript(new URL(`_static/book-frames/${name}.js`, ROOT)).catch(() => {});
  const text = window.bookFrames?.[name];
  if (!text) throw new Error("its numbers did not arrive; check your connection and reload the page");
  return bytesOf(text);
}

/** Bytes from base 64. */
export function bytesOf(text) {
  const letters = atob(text);
  const bytes = new Uint8Array(letters.length);
  for (let k = 0; k < letters.length; k++) bytes[k] = letters.charCodeAt(k);
  return new DataView(bytes.buffer);
}
