/** The kinds of content that an output may have. */
import { VERDICT } from "../exercises/verdict.js";

/** The size that a picture should have: { width, height }, either of them or both. */
export const SIZE = "application/vnd.book.size+json";

/** A widget that the code made: { model_id }, and the state of all that it consists of, as JSON. */
export const WIDGET = "application/vnd.jupyter.widget-view+json";
export const STATE = "application/vnd.jupyter.widget-state+json";

const PICTURES = ["image/svg+xml", "image/png", "image/jpeg", "image/gif"];
const TYPES = [VERDICT, WIDGET, ...PICTURES, "text/html", "text/markdown", "text/latex", "text/plain"]; // the one liked best first

/** The best type that a bundle { type: data } offers, if the page can draw any of them. */
export function bestOf(bundle) {
  return TYPES.find((type) => bundle[type] !== undefined && bundle[type] !== null);
}

/** Data as text, whatever they are. */
export function textOf(data) {
  return typeof data === "string" ? data : (JSON.stringify(data) ?? String(data));
}
