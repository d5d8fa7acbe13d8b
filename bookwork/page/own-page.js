/**
 * The book's scripts run only in its own pages, and take the reader nowhere else.
 *
 * An iframe that was put into a page with `srcdoc` may load these scripts to draw whatever widgets it
 * contains: there they end at once. And where the browser announces that it is about to leave a page,
 * no script may take the reader to another host; a reader who clicks a link may go.
 */
import { notify } from "./notice.js";

if (!["http:", "https:", "file:"].includes(location.protocol)) {
  throw new Error("the book's scripts run only in its own pages");
}

window.navigation?.addEventListener("navigate", (event) => {
  const { origin, href } = new URL(event.destination.url);
  if (event.userInitiated || !event.cancelable || origin === location.origin) return;
  event.preventDefault();
  notify(`A script wanted to open another page and was stopped: ${href.slice(0, 200)}`);
});
