"""Leave out of the theme's style sheets what no page of a book can use.

Of the styles of Jupyter Book's theme, a book uses a quarter: two thousand icons are in them. A rule
stays if every class and id in its selector is in a page, or is a word in a script, which may add it
later; for "alert-" in a script, all that begin so. What a book itself brings, and the style sheets
of other themes and extensions, are left as they are.
"""

import re

from bookwork.build.policy import inline_scripts

SHEETS = (
    "styles/pydata-sphinx-theme.css",
    "styles/sphinx-book-theme.css",
    "sphinx-design.min.css",
    "mystnb.*.css",
    "basic.css",
)
OURS = ("book", "book-frames")  # folders of scripts that put no name of the theme together
READERS = {"dataframe"}  # classes in what readers' own code shows
ATTRIBUTE = re.compile(r"""\b(?:class|id)=\\?["']?([^"'>\\]*)""")
WORD = re.compile(r"[\w-]+")
TOKEN = re.compile(
    r"""/\*.*?\*/|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|url\((?!["'])[^)]*\)|[{};]""", re.S
)
COMMENT = re.compile(r"/\*.*?\*/", re.S)
GROUP = re.compile(r"\s*@(?:media|supports|layer|container)\b")
INSIDE = r"\((?:[^()]|\([^()]*\))*\)"  # parentheses may contain others
SELECTOR = re.compile(rf"(?:[^,()]|{INSIDE})+")
CONDITION = re.compile(rf"{INSIDE}|\[[^\]]*\]")
NAME = re.compile(r"[.#]((?:[\w-]|\\.)+)")


def purge(site):
    """Rewrite the theme's style sheets in a site; Sphinx copies them whole before each build.

    Maps from what is loaded to the theme's sources go, too: no page loads them.
    """
    static = site / "_static"
    names, beginnings = names_in(site)
    for path in [path for sheet in SHEETS for path in static.glob(sheet)]:
        css = path.read_text(encoding="utf-8")
        path.write_text(purged(css, names, tuple(beginnings)), encoding="utf-8")
    for path in [*static.glob("styles/*.css.map"), *static.glob("scripts/*.js.map")]:
        path.unlink()


def names_in(site):
    """Return all names that pages have or scripts may add, and with what others may begin."""
    names, scripts = set(READERS), []
    for path in site.rglob("*.html"):
        page = path.read_text(encoding="utf-8")
        names.update(*map(str.split, ATTRIBUTE.findall(page)))
        scripts += inline_scripts(page)
    static = site / "_static"
    for path in static.glob("book/*.js"):
        names.update(WORD.findall(path.read_text(encoding="utf-8")))
    for path in static.rglob("*.js"):
        if path.relative_to(static).parts[0] not in OURS:
            scripts.append(path.read_text(encoding="utf-8"))
    words = {word for script in scripts for word in WORD.findall(script)}
    beginnings = {word for word in words if re.fullmatch(r"[a-z]{2,}[a-z-]*-", word)}
    return names | words, beginnings


def purged(css, names, beginnings=()):
    """Return a style sheet without the rules that apply to none of these names.

    >>> purged(".a,.b:not(.x){top:0}@media print{.c{top:0}}p{top:0}.d-1{top:0}", {"a"}, ("d-",))
    '.a{top:0}p{top:0}.d-1{top:0}'
    """
    kept = (kept_of(head, body, names, beginnings) for head, body in statements(css))
    return "".join(kept)


def kept_of(head, body, names, beginnings):
    """Return what is left of a rule, or of a group of rules; all that is no rule stays."""
    rule = COMMENT.sub("", head)
    if body is None:
        return head
    if GROUP.match(rule):
        inside = purged(body, names, beginnings)
        return f"{head}{{{inside}}}" if inside else ""
    if rule.lstrip().startswith("@"):
        return f"{head}{{{body}}}"
    used = [each for each in SELECTOR.findall(rule) if is_used(each, names, beginnings)]
    return f"{','.join(used)}{{{body}}}" if used else ""


def is_used(selector, names, beginnings):
    """Return whether all names in a selector are used."""
    return all(name in names or name.startswith(beginnings) for name in named(selector))


def statements(css):
    """Yield what stands before each block at the top of a style sheet, and the block, if any."""
    depth = start = opened = 0
    for token in TOKEN.finditer(css):
        depth += {"{": 1, "}": -1}.get(token[0], 0)
        if token[0] == "{" and depth == 1:
            opened = token.start()
        elif token[0] == "}" and depth == 0:
            yield css[start:opened], css[opened + 1 : token.start()]
            start = token.end()
        elif token[0] == ";" and depth == 0:
            yield css[start : token.end()], None
            start = token.end()


def named(selector):
    """Return the classes and ids that an element must have, with others around it.

    >>> sorted(named('.a #b > [href$=".pdf"]:not(.c)'))
    ['a', 'b']
    """
    return {re.sub(r"\\(.)", r"\1", name) for name in NAME.findall(CONDITION.sub("", selector))}
