"""Ask SmolLM2 all that the chapter "A real language model" asks, and store its answers.

    python -m attention_lib.models.fetch
    PYTHONPATH=. python provenance/data/record_answers.py  # smollm2_answers.npz; three minutes

Run it again whenever a function of the chapter that is marked `stored` has changed. Answers to
questions that are stored already, by the same code, are taken over; `--all` asks everything again.
"""

import linecache
import re
import sys

from archives import ROOT

from attention_lib.models import answers

CHAPTER = ROOT / "chapters" / "a_real_language_model.md"
CELL = re.compile(
    r"^```\{code-cell\} ipython3\n(?!:tags: \[exercise)(?::tags:.*?\n|---\n.*?^---\n)?(.*?)^```",
    re.M | re.S,
)


def main():
    answers.RECORD = {}
    if "--all" in sys.argv:
        answers.FILE.unlink(missing_ok=True)
    names = {"__name__": "__main__"}
    for number, code in enumerate(CELL.findall(CHAPTER.read_text(encoding="utf-8"))):
        file = f"<cell {number}>"
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        exec(compile(code, file, "exec"), names)
    answers.save(answers.RECORD)


if __name__ == "__main__":
    main()
