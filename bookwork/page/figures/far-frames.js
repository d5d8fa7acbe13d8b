/**
 * Frames of large figures, which the page leaves in files (see bookwork/sphinx/far_frames.py).
 *
 * A file is a script: unlike data, it can be loaded from a disk too.
 */
import { bookRoot } from "../site/ready.js";
import { addScript } from "../site/script.js";

const NEAR = "1200px"; // how far from the screen a figure begins to fetch its frames
const apart = new Map(); // id of a model -> name of its file

/** Take note of the figures in a widget-state object whose frames are in files. */
export function noteFrames({ state }) {
  for (const [id, { state: model }] of Object.entries(state)) {
    if (model.frames?.apart) apart.set(id, model.frames.apart);
  }
}

/** The parts of a widget, at any depth, whose frames have not come yet. */
export function lacking(model) {
  const parts = new Set([model]);
  for (const part of parts) part.get("children")?.forEach((child) => parts.add(child)); // also these, but each once
  return [...parts].filter(({ model_id }) => apart.has(model_id));
}

/** Wait until an element is near the screen. */
export function whenNear(element) {
  return new Promise((/** @type {(near?: void) => void} */ resolve) => {
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        resolve();
      },
      { rootMargin: NEAR },
    );
    observer.observe(element);
  });
}

/** Give a widget the frames that it lacks. */
export async function bringFrames(model) {
  for (const part of lacking(model)) {
    part.set("frames", await load(apart.get(part.model_id)));
    apart.delete(part.model_id);
  }
}

/** Load a file of frames, once more if the last time failed. */
async function load(name) {
  if (!window.bookFrames?.[name]) await addScript(new URL(`_static/book-frames/${name}.js`, bookRoot())).catch(fail);
  const text = window.bookFrames?.[name];
  if (!text) throw new Error("its numbers could not be read");
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new DataView(bytes.buffer);
}

function fail() {
  throw new Error("its numbers did not arrive; check your connection");
}
