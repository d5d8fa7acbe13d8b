"""How a chapter writes an exercise: its label, its effort, its choices and its points."""

import re

LABEL = re.compile(r"ex-[a-z0-9-]{1,60}")  # as in bookwork/page/exercises/verdict.js
LABEL_RULE = "begins with ex-, followed by at most 60 lower-case letters, digits and hyphens"
CHECK = re.compile(r"""\bcheck\(\s*["']([^"']*)["']""")
EFFORT = re.compile(r"\((?P<minutes>\d+) min, (?P<difficulty>easy|medium|hard)\)")
CHOICE = re.compile(r"^- \*\*(\w)\*\*: (.+)$", re.M)
POINT = re.compile(r"^\d\. ", re.M)
