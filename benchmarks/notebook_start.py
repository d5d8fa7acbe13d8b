"""Time to the first executed cell of a chapter as a notebook, and what JupyterLite weighs.

JupyterLab: from the start of what `make lab` runs, including the copies, to the number beside the
first cell. JupyterLite: from the click in the page, with an empty cache and with a filled one.
"""

import functools
import tempfile
import threading
import time
from pathlib import Path

from benchmarks.report import SITE, print_table, require_book, save
from bookwork.book.notebook_book import notebook_names
from bookwork.commands.serve import Handler, Server
from tools import notebooks
from tools.open_chromium import open_chromium
from tools.start_lab import start_lab

CHAPTER = "queries_keys_values"
PATIENCE = 240_000  # milliseconds
REPEATS = 3
PROMPT = """(pattern) => {
  const prompt = document.querySelector(".jp-CodeCell .jp-InputPrompt");
  return prompt !== null && new RegExp(pattern).test(prompt.textContent);
}"""
HAS_STARTED, HAS_RUN = r"\[[*\d]", r"\[\d+\]"


def main():
    """Measure, print a table and save the numbers."""
    require_book()
    with open_chromium() as browser:
        lab = [time_lab(browser) for _ in range(REPEATS)]
        cold, warm = zip(*[time_lite(browser) for _ in range(REPEATS)], strict=True)
    seconds = {"make lab": lab, "JupyterLite, cold": cold, "JupyterLite, warm": warm}
    rows = [(name, *(f"{s:.1f} s" for s in sorted(taken))) for name, taken in seconds.items()]
    print_table(["to the first executed cell", "least", "middle", "most"], rows)
    weights = weigh()
    print()
    print_table(["the built site", "size"], [(k, f"{v / 1e6:.1f} MB") for k, v in weights.items()])
    save("notebook_start", {"seconds": seconds, "bytes": weights})


def time_lab(browser):
    """Return the seconds from the command to the first cell's number, in new copies."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        notebooks.refresh(Path(folder) / "my-notebooks", notebooks.all_notebooks())
        home = Path(folder) / "home"
        with start_lab(Path(folder) / "my-notebooks", home) as address_of:
            context = browser.new_context()
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.goto(address_of(f"{notebook_names()[CHAPTER]}.ipynb"))
            page.locator("#jp-main-statusbar").get_by_text("Idle").wait_for()  # the kernel listens
            run_first(page)
            taken = time.perf_counter() - start
            context.close()
    return taken


def time_lite(browser):
    """Return the seconds from the click in the page to the first cell's number, cold and warm."""
    handler = functools.partial(Handler, directory=SITE)
    with Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/chapters/{CHAPTER}.html"
        context = browser.new_context()
        try:
            return [time_click(context, address) for _ in ("cold", "warm")]
        finally:
            context.close()
            server.shutdown()


def time_click(context, address):
    """Open the chapter's notebook from its page in a new tab."""
    page = context.new_page()
    page.goto(address)
    start = time.perf_counter()
    with context.expect_page() as opened:
        page.locator("a.btn-open-notebook").click()
    run_first(opened.value)
    taken = time.perf_counter() - start
    opened.value.close()
    page.close()
    return taken


def run_first(page):
    """Run the first code cell as soon as the notebook can; wait for its number."""
    page.set_default_timeout(PATIENCE)
    editor = page.locator(".jp-CodeCell .cm-content").first
    while not page.evaluate(PROMPT, HAS_STARTED):  # it may not be ready yet
        editor.press("Control+Enter")
        page.wait_for_timeout(100)
    page.wait_for_function(PROMPT, arg=HAS_RUN)


def weigh():
    """Return the bytes of the site's files: without JupyterLite, with it, and the downloads."""
    sizes = {path.relative_to(SITE).parts[0]: 0 for path in SITE.rglob("*")}
    for path in SITE.rglob("*"):
        sizes[path.relative_to(SITE).parts[0]] += path.stat().st_size if path.is_file() else 0
    lite, whole = sizes.get("lite", 0), sum(sizes.values())
    return {
        "without JupyterLite": whole - lite,
        "with JupyterLite": whole,
        "downloads: notebooks, Python files, wheel": sizes.get("notebooks", 0),
    }


if __name__ == "__main__":
    main()
