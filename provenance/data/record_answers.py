"""Ask SmolLM2 all that three chapters ask, and store its answers in two files.

    python -m attention_lib.models.fetch
    PYTHONPATH=. python provenance/data/record_answers.py  # smollm2_….npz; ten minutes

Run it again whenever a function of one that is marked `stored` has changed. Answers to
questions that are stored already, by the same code, are taken over; `--all` asks everything again.
"""

import linecache
import re
import sys

from archives import ROOT

from attention_lib.models import answers

CHAPTERS = {  # those whose answers are in each file
    answers.FILE: ["a_real_language_model"],
    answers.TRACES: ["the_machine", "welcome"],
}
CELL = re.compile(
    r"^```\{code-cell\} ipython3\n(?!:tags: \[exercise)(?::tags:.*?\n|---\n.*?^---\n)?(.*?)^```",
    re.M | re.S,
)


def main():
    for path, chapters in CHAPTERS.items():
        answers.RECORD = {}
        if "--all" in sys.argv:
            path.unlink(missing_ok=True)
        for chapter in chapters:
            run((ROOT / "chapters" / f"{chapter}.md").read_text(encoding="utf-8"))
        answers.save(answers.RECORD, path)


def run(text):
    """Run the cells of a chapter, which are recorded."""
    names = {"__name__": "__main__"}
    for number, code in enumerate(CELL.findall(text)):
        file = f"<cell {number}>"
        linecache.cache[file] = (len(code), None, code.splitlines(keepends=True), file)
        exec(compile(code, file, "exec"), names)


if __name__ == "__main__":
    main()
