"""Which cells of a page can run there, judged by what they import, read and name.

A statement cannot run in a page if it imports what its Python does not have, reads a file or
another host, or needs a name that such a statement would have made. A cell with one of these, or
that a magic makes something other than Python, is not run; what else it does, imports above all,
is done for the cells below.
"""

import ast
import builtins
import re
import warnings
from fnmatch import fnmatchcase
from importlib import import_module
from textwrap import dedent
from typing import NamedTuple
from urllib.parse import urlsplit

MAGICS = import_module("bookwork.page.python.page_magics")  # in the page it is page_magics
READS = re.compile(
    r"open|load|loadtxt|genfromtxt|fromfile|imread|loadmat|url(?:open|retrieve)|ExcelFile|read_\w+"
)
WRITES = re.compile(
    r"to_(?:csv|excel|feather|file|hdf|html|json|latex|markdown|netcdf|orc|parquet|pickle|stata|xml)"
    r"|save\w*|dump|write_\w+|touch|extractall"
)
FETCHES = re.compile(  # what is read from another host, by its full name
    r"seaborn\.load_dataset|sklearn\.datasets\.fetch_\w+|statsmodels\..*get_rdataset"
)
# Names that a page has from the start.
GIVEN = {*dir(builtins), "display", "get_ipython", "check", "In", "Out", "_"}
ALONE = "a page reads from no other host"
PICTURE = re.compile(r"IPython\.(?:core\.)?display\.Image")
PLAYERS = re.compile(r"IPython\.(?:core\.)?display\.(?:\w*Video|IFrame)")
PATHS = {"Path", "PurePath", "join", "cwd", "getcwd"}
FILLS = {"append", "extend", "insert", "add", "update", "setdefault"}
FILE = re.compile(r"(?:[\w.~ -]+/)*[\w.~ -]+\.\w{1,5}")
WEB = re.compile(r"(?:https?|ftp|s3)://")
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
SCOPES += (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
IMPORTS = (ast.Import, ast.ImportFrom)
DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
GUARDED = (*SCOPES, ast.Try)  # what is imported here may be missing


class Obstacle(NamedTuple):
    """Why a cell cannot run in the page, and what of it can."""

    why: str  # after "Not run in the page: "; empty if the author wants it so
    rest: str  # code


def obstacles(cells, lacks):
    """Return for each cell of a page, (code, whether it is run), its obstacle or None.

    `lacks` returns a module that cannot be imported in the page with the reason, or an empty text.
    """
    page = PageNames(lacks)
    return [page.judge(code, wanted) for code, wanted in cells]


class PageNames:
    """What the cells of a page have made so far, and what they could not make."""

    def __init__(self, lacks):
        self.lacks = lacks
        self.lost = set()  # names that no statement could make
        self.made = set(GIVEN)  # names that a statement made, or would have made
        self.stars = {}  # a module of which all is imported, * -> whether it comes
        self.texts = {}  # name -> the text that it stands for, with * for what is not known
        self.files = set()  # that cells have written
        self.homes = {}  # what is imported -> its full name

    def judge(self, code, wanted):
        """Return the obstacle of the next cell, or None."""
        tree = parsed(code)
        reasons = {id(node): self.take(node, wanted) for node in tree.body}
        why = MAGICS.foreign(code) or next(filter(None, reasons.values()), "")
        if wanted and not why:
            return None
        kept = [ast.unparse(node) for node in tree.body if wanted and not reasons[id(node)]]
        return Obstacle(why if wanted else "", "\n".join(kept))

    def take(self, statement, wanted=True):
        """Return why a statement cannot run, or an empty text; note what it makes."""
        found = (node for node in ast.walk(statement) if isinstance(node, IMPORTS))
        pairs = [pair for node in found for pair in imports(node)]  # "import a.b" binds a
        self.homes |= {name: name if full.startswith(f"{name}.") else full for name, full in pairs}
        why = self.reason(statement) if wanted else "the author says so"
        made = made_by(statement)
        self.lost = self.lost | made | filled_by(statement) if why else self.lost - made
        self.made |= made
        self.stars |= {full.removesuffix(".*"): not why for name, full in pairs if name == "*"}
        match statement:
            case ast.Assign([ast.Name(name)], value):
                self.texts[name] = self.text_of(value)
        self.files |= {text for call in calls_in(statement) if (text := self.written_by(call))}
        return why

    def reason(self, statement):
        """Return why a statement cannot run, or an empty text."""
        for name in imported_by(statement):
            if why := self.lacks(name):
                return f"it imports {why}"
        for call in calls_in(statement):
            if why := self.reason_of_name(call) or self.reason_of_read(call):
                return why
        used = used_by(statement)
        if lost := sorted(used & self.lost):
            return f"it needs {lost[0]}, which is made by a cell that is not run"
        unknown = sorted(used - self.made - made_by(statement))
        if unknown and self.stars and not any(self.stars.values()):
            return f"it needs {unknown[0]}, which may come from {next(iter(self.stars))}"
        return ""

    def full_name(self, call):
        """Return the dotted name of what a call calls, from its import on."""
        first, *rest = ast.unparse(call.func).split(".")
        return ".".join([self.homes.get(first, ""), *rest])

    def reason_of_name(self, call):
        """Return why a page cannot do what a function is known for, or an empty text."""
        name = self.full_name(call)
        last = name.rpartition(".")[2]
        if PLAYERS.fullmatch(name):
            return f"a run cannot show what {last} shows"
        return f"{last} reads from the network, and {ALONE}" if FETCHES.fullmatch(name) else ""

    def reason_of_read(self, call):
        """Return why a call cannot read what it names, or an empty text."""
        reads = READS.fullmatch(called(call)) or PICTURE.fullmatch(self.full_name(call))
        text = self.file_of(call)[0] if reads else ""
        if WEB.match(text):
            host = urlsplit(text).netloc.partition("*")[0] or "the network"
            return f"it reads from {host}, and {ALONE}"
        ends = ("", ".*", "/*")  # a file, what was saved without an ending, what is in a folder
        is_there = any(fnmatchcase(text, file + end) for file in self.files for end in ends)
        is_missing = FILE.fullmatch(text) and not is_there and not self.written_by(call)
        return f"it reads {text}, a file that the page does not have" if is_missing else ""

    def written_by(self, call):
        """Return the file that a call writes, or an empty text."""
        text, modes = self.file_of(call)
        modes += [each.value for each in call.keywords if each.arg == "mode"]
        opened = called(call) == "open" and any(set("wax") & set(self.text_of(m)) for m in modes)
        return text if opened or WRITES.fullmatch(called(call)) else ""

    def file_of(self, call):
        """Return the file that a call may read or write, and the argument after it.

        The file is what the call is a method of, or its first argument.
        """
        match call.func:
            case ast.Attribute(owner) if text := self.text_of(owner):
                return text.removeprefix("./"), call.args[:1]
        named = [each.value for each in call.keywords if each.arg in {"filename", "url"}]
        first, *others = [*call.args, *named] or [None]
        return self.text_of(first).removeprefix("./"), others[:1]

    def text_of(self, node):
        """Return the text that an expression stands for, with * for what is not known.

        It is empty if not even the beginning is known.
        """
        match node:
            case ast.Constant(str() as text):
                return text
            case ast.Name(name):
                return self.texts.get(name, "")
            case ast.JoinedStr(parts):
                return self.joined(parts)
            case ast.BinOp(left, ast.Add(), right):
                return self.joined([left, right])
            case ast.FormattedValue(value):
                return self.text_of(value)
        return self.path_of(node)

    def joined(self, parts, between=""):
        """Return the text that expressions make together, as `text_of` does."""
        texts = [self.text_of(each) for each in parts]
        return between.join(text or "*" for text in texts) if texts and texts[0] else ""

    def path_of(self, node):
        """Return the path that an expression makes of texts, or an empty text."""
        match node:
            case ast.BinOp(left, ast.Div(), right):
                return self.joined([left, right], "/").removeprefix("./")
            case ast.Call(args=args) if called(node) in PATHS:
                return self.joined(args, "/").removeprefix("./") if args else "."
        return ""


def parsed(code):
    """Return the syntax tree of a cell; a syntax error is told when it runs."""
    try:
        return parse_cell(code)
    except (SyntaxError, ValueError, RecursionError):
        return ast.Module([], [])


def parse_cell(code, start=0):
    """Return the tree of a cell, with lines of the page, as a notebook reads it, without magics.

    Python's own warnings, of a backslash for example, are told when the cell runs.
    """
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with warnings.catch_warnings(action="ignore"):
        code = MAGICS.plain(dedent(code) if code[:1].isspace() else code)
        return compile("\n" * start + code, "cell", "exec", flags)


def called(call):
    """Return the last name of what a call calls.

    >>> called(ast.parse("pd.read_csv(url)", mode="eval").body)
    'read_csv'
    """
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def calls_in(node):
    """Return the calls that a statement may make, also in functions that it defines."""
    return [each for each in ast.walk(node) if isinstance(each, ast.Call)]


def imported_by(node):
    """Yield the dotted names that a statement imports, if it cannot do without them."""
    if isinstance(node, IMPORTS):
        yield from (full for _, full in imports(node))
    elif not isinstance(node, GUARDED):
        for inner in ast.iter_child_nodes(node):
            yield from imported_by(inner)


def all_imported(code):
    """Return the dotted names that code imports, even inside functions.

    >>> sorted(all_imported("def f():\\n    import a.b\\n    from c import d as e, f"))
    ['a.b', 'c.d', 'c.f']
    """
    found = [node for node in ast.walk(parsed(code)) if isinstance(node, IMPORTS)]
    return {full for node in found for _, full in imports(node)}


def imports(statement):
    """Yield what an import binds: a name, and the dotted one of what it stands for."""
    for alias in statement.names:
        if isinstance(statement, ast.Import):
            yield alias.asname or alias.name.split(".")[0], alias.name
        else:
            home = f"{statement.module}." if statement.module else ""
            yield alias.asname or alias.name, f"{'.' * statement.level}{home}{alias.name}"


def made_by(node):
    """Return the names that a statement makes for the cells below.

    >>> sorted(made_by(ast.parse("for i, x in pairs: import numpy as np").body[0]))
    ['i', 'np', 'x']
    """
    if isinstance(node, IMPORTS):
        return {name for name, _ in imports(node)}
    if isinstance(node, DEFINED):
        return {node.name}
    if isinstance(node, SCOPES):
        return set()
    own = {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else set()
    if isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar):
        own = {node.name} - {None}
    return own.union(*map(made_by, ast.iter_child_nodes(node)))


def filled_by(node):
    """Return the names of what a statement puts something into.

    >>> sorted(filled_by(ast.parse("for x in data: a.append(x); b[x] = 1; plt.plot(x)").body[0]))
    ['a', 'b']
    """
    found = set()
    for each in ast.walk(node):
        match each:
            case ast.Subscript(ast.Name(name), _, ast.Store()):
                found.add(name)
            case ast.Call(ast.Attribute(ast.Name(name), method)) if method in FILLS:
                found.add(name)
    return found


def used_by(node):
    """Return the names that a statement needs from above, also in functions that it defines.

    >>> sorted(used_by(ast.parse("y += [x * k for x in data]").body[0]))
    ['data', 'k', 'y']
    """
    nodes = list(ast.walk(node))
    names = [each for each in nodes if isinstance(each, ast.Name)]
    used = {name.id for name in names if isinstance(name.ctx, ast.Load)}
    grown = [each.target for each in nodes if isinstance(each, ast.AugAssign)]
    return (used - local_to(node)) | {each.id for each in grown if isinstance(each, ast.Name)}


def local_to(node):
    """Return the names that belong to functions and comprehensions in a statement."""
    inner = [
        each for scope in ast.walk(node) if isinstance(scope, SCOPES) for each in ast.walk(scope)
    ]
    classes = [each for each in inner if isinstance(each, ast.ClassDef)]
    methods = {id(each) for owner in classes for each in owner.body}  # their names are not names
    made = {name for each in inner if id(each) not in methods for name in made_by(each)}
    return made | {each.arg for each in inner if isinstance(each, ast.arg)}
