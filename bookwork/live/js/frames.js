// Read frames: one buffer of codes, looked up by the places of the controls.

/** Return a function from the places of the controls to a frame {name: numbers}. */
export function frameReader(arrays, view) {
  const bytes = view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength);
  return (places) => Object.fromEntries(arrays.map((array) => [array.name, readArray(bytes, array, places)]));
}

function readArray(bytes, { begin, counts, shape, low, high, steps }, places) {
  const size = shape.reduce((product, n) => product * n, 1);
  const frame = counts.reduce((sum, count, k) => sum * count + (count > 1 ? places[k] : 0), 0);
  const Codes = steps > 65535 ? Uint32Array : Uint16Array;
  const first = begin + frame * size * Codes.BYTES_PER_ELEMENT;
  const codes = new Codes(bytes.slice(first, first + size * Codes.BYTES_PER_ELEMENT));
  return Float64Array.from(codes, (code) => low + ((high - low) / steps) * code);
}

/** Return the place, among a control's values, of the one it has or the nearest to it. */
export function placeOf(control, model) {
  if (control.kind === "bool") return model.get("value") ? 1 : 0;
  if (control.kind === "value") return nearestPlace(control, model.get("value"));
  return control.texts[model.get("index")] === undefined ? control.start : model.get("index");
}

/** Move a control to a place among its values, as if the reader had done it. */
export function moveTo(control, model, place) {
  const at = Math.max(0, Math.min(control.texts.length - 1, place));
  if (control.kind === "index") model.set("index", at);
  else model.set("value", control.kind === "bool" ? at === 1 : control.values[at]);
  model.save_changes?.();
}

/** Move a control that holds a value which is not on its list to the nearest one that is. */
export function settle(control, model) {
  const place = placeOf(control, model);
  if (!holds(control, model, place)) moveTo(control, model, place);
  return place;
}

function holds({ kind, values }, model, place) {
  if (kind === "bool") return true;
  if (kind === "index") return model.get("index") === place;
  const rounding = 1e-9 * (Math.abs(values[0]) + Math.abs(values.at(-1)));
  return Math.abs(model.get("value") - values[place]) <= rounding;
}

/** Return the place of the value that is nearest to a number. */
export function nearestPlace({ values }, number) {
  const away = values.map((value) => Math.abs(value - number));
  return Math.max(0, away.indexOf(Math.min(...away)));
}
