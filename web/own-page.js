/**
 * The book's scripts run in its own pages only, and stay there.
 *
 * A frame that was put into a page with `srcdoc` may load these scripts, and would have them draw
 * whatever widgets it holds: there they end at once. And where the browser asks before it leaves a
 * page, no script may take the reader to another host; whoever clicks a link may go.
 */
import { notify } from "./notice.js";

if (!["http:", "https:", "file:"].includes(location.protocol)) {
  throw new Error("the scripts of the book run in its own pages only");
}

window.navigation?.addEventListener("navigate", (event) => {
  const { origin, href } = new URL(event.destination.url);
  if (event.userInitiated || !event.cancelable || origin === location.origin) return;
  event.preventDefault();
  notify(`A script wanted to open another page and was stopped: ${href.slice(0, 200)}`);
});
