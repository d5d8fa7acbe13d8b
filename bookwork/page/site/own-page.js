/** The book's scripts run only in its own pages, not in an iframe that was put into one with `srcdoc`. */
if (!["http:", "https:", "file:"].includes(location.protocol)) {
  throw new Error("the book's scripts run only in its own pages");
}
