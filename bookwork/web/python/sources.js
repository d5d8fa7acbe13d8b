/** The book's Python modules that run the reader's code, by file name. */
import backend from "./backend_inline.py";
import display from "./page_display.py";
import magics from "./page_magics.py";
import outbox from "./page_outbox.py";
import shell from "./page_shell.py";
import widgets from "./page_widgets.py";
import runtime from "./runtime.py";

export const SOURCES = {
  "backend_inline.py": backend,
  "page_display.py": display,
  "page_magics.py": magics,
  "page_outbox.py": outbox,
  "page_shell.py": shell,
  "page_widgets.py": widgets,
  "runtime.py": runtime,
};
