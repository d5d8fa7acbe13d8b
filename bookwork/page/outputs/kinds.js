/** The kinds of content that an output may have. */
import { VERDICT } from "../exercises/verdict.js";

/** HTML that markdown.js made of Markdown or TeX. */
export const RICH = "application/vnd.book.text+html";

/** The size that a picture should have: { width, height }, either of them or both. */
export const SIZE = "application/vnd.book.size+json";

/** A widget that the code made. */
export const WIDGET = "application/vnd.jupyter.widget-view+json";

/** A figure of plotly, which its own script draws. */
export const PLOTLY = "application/vnd.plotly.v1+json";

const PICTURES = ["image/svg+xml", "image/png", "image/jpeg", "image/gif"];
const TYPES = [VERDICT, WIDGET, PLOTLY, ...PICTURES, "text/html", RICH, "text/plain"]; // the one liked best first

/** The best type that a bundle { type: data } offers, if the page can draw any of them. */
export function bestOf(bundle) {
  return TYPES.find((type) => bundle[type] !== undefined && bundle[type] !== null);
}

/** Data as text, whatever they are. */
export function textOf(data) {
  return typeof data === "string" ? data : (JSON.stringify(data) ?? String(data));
}
