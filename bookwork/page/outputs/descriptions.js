/**
 * Descriptions of widgets, which may have a little HTML. build.mjs puts this in place of the npm package sanitize-html,
 * which ipywidgets' manager calls for it: one cleaner of HTML is enough.
 */
import { POLICY, safeBody } from "./safe-html.js";

const ALLOWED_ATTR = ["class", "href", "src", "style", "title"];

/** Clean HTML, with the arguments of sanitize-html that are used. */
export default function sanitize(html, { allowedTags }) {
  return safeBody(html, { ...POLICY, ALLOWED_TAGS: [...allowedTags, "body"], ALLOWED_ATTR }).innerHTML;
}
