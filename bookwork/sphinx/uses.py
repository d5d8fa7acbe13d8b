"""What the output of a chapter depends on: the definitions of the library that its cells use.

After a change of one function, only the chapters that use it, directly or through other functions,
run again. The library is read as files and never imported. Comments and unrelated definitions do
not count. An exercise's checker does not count either: a chapter is built with the exercise
unanswered, and an unanswered exercise is never checked.
"""

import ast
import hashlib
import re
from functools import cache, cached_property
from pathlib import Path

from bookwork.commands.steps import PACKAGE

WORKSHOP = "bookwork"


class Module:
    """The top level of a module: what it defines, and where its other names come from."""

    def __init__(self, name, path):
        self.name = name
        self.defined = {}  # name -> the statements that define it
        self.imported = {}  # name -> (module, name there)
        self.loose = []  # statements that every name of the module may depend on
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            self.take(statement)

    def take(self, statement):
        """File one statement."""
        if isinstance(statement, (ast.Import, ast.ImportFrom)):
            self.imported |= dict(imports(statement))
        elif names := defined_names(statement):
            for name in names:
                self.defined.setdefault(name, []).append(statement)
        elif not is_text(statement):
            self.loose.append(statement)


class Library:
    """The book's package and bookwork, as a graph of definitions."""

    def __init__(self, root, package):
        self.root, self.package = Path(root), package
        self.places = {WORKSHOP: PACKAGE.parent, package: self.root}
        self.checkers = re.compile(rf"{re.escape(package)}\.exercises\.[a-z]")
        self.module, self.next, self.texts = map(cache, (self.module, self.next, self.texts))
        self.digest_of = cache(self.digest_of)

    def module(self, name):
        """Return a module of the library by its dotted name, or None if there is none."""
        top = name.partition(".")[0]
        if not top or top not in self.places:
            return None
        base = self.places[top].joinpath(*name.split("."))
        found = [path for path in (base / "__init__.py", Path(f"{base}.py")) if path.is_file()]
        return Module(name, found[0]) if found else None

    def digest(self, names):
        """Return a digest of the definitions of pairs (module, name) and of all that they use."""
        return self.digest_of(frozenset(map(tuple, names)))

    def digest_of(self, pairs):
        """Compute the digest of a set of pairs."""
        met, waiting = set(), list(pairs)
        while waiting:
            pair = waiting.pop()
            if pair not in met and not self.is_checker(*pair):
                met.add(pair)
                waiting += self.next(*pair)
        texts = sorted(text for pair in met for text in self.texts(*pair))
        reads = any(module == f"{self.package}.datasets" for module, _ in met)
        data = self.data if reads or any("value='data'" in text for text in texts) else ""
        return hashlib.sha256("\n".join([*texts, data]).encode()).hexdigest()

    def is_checker(self, module, name):
        """Return whether a name is defined in a module of checkers, or is such a module."""
        path = f"{module}.{name}"
        return self.checkers.match(module) or (self.checkers.match(path) and self.module(path))

    def next(self, module, name):
        """Return the pairs that a name refers to."""
        if found := self.module(f"{module}.{name}"):  # the name of a module: all of it
            return [(found.name, other) for other in [*found.defined, *found.imported]]
        place = self.module(module)
        if place is None:
            return []
        if name in place.imported:
            pairs = [place.imported[name]]
            return [pair for pair in pairs if pair[0].partition(".")[0] in self.places]
        statements = [*place.defined.get(name, ()), *place.loose]
        return [(module, used) for statement in statements for used in used_names(statement)]

    def texts(self, module, name):
        """Return the code of a definition as text that does not depend on comments and layout."""
        place = self.module(module)
        statements = [*place.defined.get(name, ()), *place.loose] if place else []
        return [f"{module}: {ast.dump(statement)}" for statement in statements]

    @cached_property
    def data(self):
        """A digest of the library's data."""
        files = sorted((self.root / self.package / "data").glob("*"))
        return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()

    def used_by(self, codes):
        """Return the pairs (module, name) that the cells of a chapter import from the library."""
        pairs = set()
        for node in (node for code in codes for node in ast.walk(parsed(code))):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                found = [pair for _, pair in imports(node)]
                pairs |= {pair for pair in found if pair[0].split(".")[0] in self.places}
        return [list(pair) for pair in sorted(pairs)]


def parsed(code):
    """Return the syntax tree of a cell; a syntax error is reported when it runs."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return ast.Module([], [])


def imports(statement):
    """Yield what an import binds: a name, and the pair (module, name there)."""
    for alias in statement.names:
        if isinstance(statement, ast.ImportFrom):
            yield alias.asname or alias.name, (statement.module or "", alias.name)
        else:
            module, _, name = alias.name.rpartition(".")
            yield alias.asname or alias.name.split(".")[0], (module or name, name)


def defined_names(statement):
    """Return the names that a statement defines: a function, a class, a constant."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        nodes = [node for target in targets for node in ast.walk(target)]
        return [node.id for node in nodes if isinstance(node, ast.Name)]
    return []


def used_names(statement):
    """Return every name that a statement mentions."""
    return {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}


def is_text(statement):
    """Return whether a statement is only a string, like a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
