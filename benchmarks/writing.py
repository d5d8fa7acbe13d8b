"""How long a reader waits for names and for lines of a play, in the page of "A model that writes".

The cell that trains is run as a reader runs it, after all cells above it, in a page that has just
been opened. The clock starts at Run and stops when the line of step 60 is in the document, whose
names sound like names. While it runs, a timer of the page that is due every 20 ms says how long
the page did not answer. Then the writer writes, with the cache and without it.
"""

import statistics
import tempfile

from benchmarks.report import RUN, WINDOW, print_table, save, serve
from tools import require_book
from tools.open_chromium import open_profile

ROUNDS, TOKENS = 3, 60
CHAPTER = "chapters/a_model_that_writes.html"
TRAIN = """async () => {
  const cell = bookCells.cells.find(({ code }) => code.trim() === "learn(100)");
  const began = performance.now(), seen = {};
  let last = began, longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last - 20);
    last = now;
    const text = document.body.innerText;
    const isThere = (step) => text.match(new RegExp(`^${step} \\\\d`, "m"));
    for (const step of [20, 60]) if (isThere(step)) seen[step] ??= now - began;
  }, 20);
  for (const old of document.querySelectorAll(".cell_output")) old.remove();
  await bookCells.run(cell);
  clearInterval(timer);
  return { first: seen[20], names: seen[60], all: performance.now() - began, longest };
}"""
WRITE = f"""
from time import perf_counter
from attention_lib import generate
from attention_lib.models import load_writer
writer = load_writer()
begin = writer.pairs.encode("JULIET.\\nO Romeo,")
for cache in (True, False):
    generate(writer.parameters, begin, 5, cache=cache)
    start = perf_counter()
    generate(writer.parameters, begin, {TOKENS}, cache=cache)
    print({TOKENS} / (perf_counter() - start))
"""


def main():
    """Measure, print the tables and save every time."""
    require_book()
    with serve() as server:
        rounds = [visit(f"{server}/{CHAPTER}") for _ in range(ROUNDS)]
    report(rounds)


def visit(address):
    """Train and write in a browser that has loaded nothing yet; return times and speeds."""
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    with folder as home, open_profile(home, viewport=WINDOW) as browser:
        page = browser.new_page()
        page.goto(address)
        page.evaluate("() => window.bookWidgets.ready")
        trained = page.evaluate(TRAIN)
        cached, plain = page.evaluate(RUN, WRITE)
        return trained | {"cached": cached, "plain": plain}


def report(rounds):
    """Print medians, and save all rounds."""
    middle = {name: statistics.median(r[name] for r in rounds) for name in rounds[0]}
    print(f"\nThe page trains and writes; medians of {ROUNDS} rounds\n")
    times = {"first": "first line", "names": "names (step 60)", "all": "all 100 steps"}
    rows = [[f"from Run to {told}", f"{middle[name] / 1000:.1f} s"] for name, told in times.items()]
    rows.append(["longest time without an answer", f"{middle['longest']:.0f} ms"])
    rows.append(["writer, tokens a second, with the cache", f"{middle['cached']:.0f}"])
    rows.append(["without it", f"{middle['plain']:.0f}"])
    print_table(["what", "median"], rows)
    save("writing", {"rounds": rounds})


if __name__ == "__main__":
    main()
