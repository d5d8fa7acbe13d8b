"""What SmolLM2 costs a reader: in the page of "A real language model", on a beginning of their own.

A reader types a beginning of 15 tokens, presses Run, is told what the cell needs, and presses
*Fetch SmolLM2*. The first token counts from the moment when the file has arrived, so the time to
read the model is in it. Meanwhile a timer of the page that is due every 20 ms says how long the
page did not answer. Memory is what the page's process has to itself, before Python starts, before
the file is fetched and after the last token; and Python's own, as it was reserved. The driver of
the browser keeps what a page fetches in that process, so some 200 MB are not the page's.
"""

from pathlib import Path

from benchmarks.report import RUN, WINDOW, print_table, save, serve
from tools import SITE, require_book
from tools.open_chromium import open_chromium

CHAPTER = "chapters/a_real_language_model.html"
BEGINNING = "The dog was very happy when he saw his owner come home in the evening"
WRITE = """async (beginning) => {
  const cell = bookCells.cells.find(({ code }) => code.startsWith("beginning ="));
  const field = cell.element.querySelector("textarea");
  field.value = beginning;
  field.dispatchEvent(new Event("input"));
  const first = await cell.run();
  const { python } = bookCells, times = { longest: 0, tokens: [] };
  const download = python.download.bind(python);
  python.download = async (file) => {
    const began = performance.now(), result = await download(file);
    Object.assign(times, { fetching: performance.now() - began, fetched: performance.now() });
    return result;
  };
  let last = performance.now(), seen = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    times.longest = Math.max(times.longest, now - last - 20);
    last = now;
    const { length } = cell.element.querySelector(".book-own .book-stdout")?.textContent ?? "";
    if (times.fetched && length > seen) times.tokens.push(now);
    if (times.fetched) seen = length;
  }, 20);
  await bookCells.run(cell, first.wants);
  clearInterval(timer);
  return times;
}"""
MEMORY = {"page": "the page alone", "python": "Python", "model": "Python and the model"}
SIZES = f"""from pyodide_js import _module
print(_module.HEAPU8.length)
print(len(model.encode({BEGINNING!r})))"""


def main():
    """Measure, print the table and save every number."""
    require_book()
    with serve() as server, open_chromium() as browser:
        page = browser.new_page(viewport=WINDOW)
        page.goto(f"{server}/{CHAPTER}")
        report(visit(page, browser.new_browser_cdp_session()))


def visit(page, session):
    """Let a reader's beginning be continued; return times, sizes and memory."""
    found = {"page": private_memory(session)}
    page.evaluate("() => bookCells.startPython()")
    found["python"] = private_memory(session)
    found |= page.evaluate(WRITE, BEGINNING)
    found["model"] = private_memory(session)
    found["heap"], found["prompt"] = page.evaluate(RUN, SIZES)
    found["bytes"] = sum(path.stat().st_size for path in (SITE / "_offered").glob("*.bin"))
    return found


def private_memory(session):
    """Return the bytes that the largest page of this browser has to itself (Linux)."""
    processes = session.send("SystemInfo.getProcessInfo")["processInfo"]
    pages = [each["id"] for each in processes if each["type"] == "renderer"]
    return max(private_of(pid) for pid in pages)


def private_of(pid):
    """Return the bytes that a process shares with no other."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return 1024 * sum(int(line.split()[1]) for line in lines if line.startswith("Private_"))


def report(found):
    """Print what was found, and save it."""
    first, *later = found["tokens"]
    speed = 1000 * len(later) / (later[-1] - first)
    found |= {"first": first - found["fetched"], "speed": speed}
    print("\nSmolLM2 goes on from a reader's own beginning; one round\n")
    rows = [
        ["bytes, fetched when asked for", f"{found['bytes'] / 1e6:.1f} MB"],
        ["fetching them, from this machine", f"{found['fetching'] / 1000:.1f} s"],
        [f"first token, {found['prompt']} tokens of prompt", f"{found['first'] / 1000:.1f} s"],
        ["then, tokens a second", f"{speed:.1f}"],
        ["longest time without an answer", f"{found['longest']:.0f} ms"],
        *([f"memory with {name}", f"{found[key] / 1e6:.0f} MB"] for key, name in MEMORY.items()),
        ["of it reserved for Python", f"{found['heap'] / 1e6:.0f} MB"],
    ]
    print_table(["what", "measured"], rows)
    save("language_model", found)


if __name__ == "__main__":
    main()
