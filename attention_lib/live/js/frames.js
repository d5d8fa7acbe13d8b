// Read frames: one buffer of 16-bit codes, looked up by the places of the controls.

/** Return a function from the places of the controls to a frame {name: numbers}. */
export function frameReader(arrays, view) {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  const codes = new Uint16Array(bytes);
  return (places) =>
    Object.fromEntries(arrays.map((array) => [array.name, readArray(codes, array, places)]));
}

function readArray(codes, { begin, counts, shape, low, high }, places) {
  const size = shape.reduce((product, n) => product * n, 1);
  const frame = counts.reduce((sum, count, k) => sum * count + (count > 1 ? places[k] : 0), 0);
  const step = (high - low) / 65535;
  const numbers = new Float64Array(size);
  for (let i = 0; i < size; i++) numbers[i] = low + step * codes[begin + frame * size + i];
  return numbers;
}

/** Return the place of a control's present value among its values. */
export function placeOf(control, model) {
  const last = control.texts.length - 1;
  if (control.kind === "index") return model.get("index");
  if (control.kind === "bool") return model.get("value") ? 1 : 0;
  const value = model.get("value");
  const along = control.kind === "log" ? Math.log(value) : value;
  return Math.max(0, Math.min(last, Math.round((along - control.low) / control.step)));
}

/** Move a control to a place among its values, as if the reader had done it. */
export function moveTo(control, model, place) {
  const last = control.texts.length - 1;
  const at = Math.max(0, Math.min(last, place));
  if (control.kind === "index") model.set("index", at);
  else if (control.kind === "bool") model.set("value", at === 1);
  else model.set("value", valueAt(control, at));
  model.save_changes?.();
}

/** Return the number that a slider has at a place. */
export function valueAt(control, place) {
  const along = control.low + control.step * place;
  return control.kind === "log" ? Math.exp(along) : Number(along.toFixed(10));
}

/** Return the place of a slider that is nearest to a number. */
export function nearestPlace(control, value) {
  const along = control.kind === "log" ? Math.log(value) : value;
  return Math.round((along - control.low) / control.step);
}
