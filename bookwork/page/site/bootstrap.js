/**
 * Loads the theme's Bootstrap when a reader first points at what needs it, a menu or a tooltip, or moves
 * the focus there. Where a page needs it from the start, the theme loads it (sphinx/page_scripts.py).
 */
import { whenParsed } from "./ready.js";
import { addScript } from "./script.js";

const EVENTS = ["pointerover", "focusin", "click"];
const waiting = /** @type {HTMLScriptElement | null} */ (document.getElementById("book-bootstrap"));
let pressed = null; // what the reader pressed while it was being loaded
let loading = false;

if (waiting) {
  EVENTS.forEach((kind) => document.addEventListener(kind, bring, true));
  whenParsed(() => document.querySelectorAll("[data-bs-toggle][title]").forEach(name));
}

/** Give a button without text the name that Bootstrap would give it. */
function name(button) {
  if (!button.textContent.trim() && !button.hasAttribute("aria-label")) button.setAttribute("aria-label", button.title);
}

async function bring(event) {
  const place = event.target.closest?.("[data-bs-toggle]");
  if (!place) return;
  if (event.type === "click" && place.dataset.bsToggle !== "tooltip") {
    event.preventDefault();
    event.stopPropagation();
    pressed = place;
  }
  if (loading) return;
  loading = true;
  await addScript(new URL(waiting.src)).then(go, () => (loading = false)); // the next attempt asks for it again
  if (event.type === "pointerover" && place.matches(":hover")) place.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
}

/** Leave everything to Bootstrap. */
function go() {
  EVENTS.forEach((kind) => document.removeEventListener(kind, bring, true));
  pressed?.click();
}
