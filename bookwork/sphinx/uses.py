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

from bookwork.book.files import PACKAGE, cache_until_changed, files_below
from bookwork.book.runnable import IMPORTS, all_imported, imports


class Module:
    """The top level of a module: what it defines, and where its other names come from."""

    def __init__(self, name, path):
        self.name, self.is_package = name, path.name == "__init__.py"
        self.defined = {}  # name -> the statements that define it
        self.imported = {}  # name -> (module, name there)
        self.loose = []  # statements that every name of the module may depend on
        self.names, self.state = map(cache, (self.names, self.state))
        for statement in ast.parse(path.read_text(encoding="utf-8")).body:
            self.take(statement)

    def take(self, statement):
        """File one statement."""
        if isinstance(statement, IMPORTS):
            self.imported |= {name: pair_of(full) for name, full in imports(statement)}
        elif names := defined_names(statement):
            for name in names:
                self.defined.setdefault(name, []).append(statement)
        elif not is_text(statement):
            self.loose.append(statement)

    def statements(self, name):
        """Return the statements that a name may depend on."""
        return [*self.defined.get(name, ()), *self.loose]

    def names(self, name):
        """Return every name that these statements mention."""
        nodes = (node for statement in self.statements(name) for node in ast.walk(statement))
        return {node.id for node in nodes if isinstance(node, ast.Name)}

    def state(self, name):
        """Return a digest of these statements, without comments and layout."""
        texts = [f"{self.name}: {ast.dump(statement)}" for statement in self.statements(name)]
        return hashlib.sha256("\n".join(texts).encode()).hexdigest()


@cache_until_changed
def module_in(path, name):
    """Return the module in a file."""
    return Module(name, path)


class Library:
    """The book's packages and bookwork, as a graph of definitions."""

    def __init__(self, root, package, exercises=""):
        exercises = exercises or f"{package}.exercises"
        self.root, self.package = Path(root), package
        self.places = dict.fromkeys((package, exercises.partition(".")[0]), self.root)
        self.places["bookwork"] = PACKAGE.parent
        self.checkers = re.compile(rf"{re.escape(exercises)}\.[a-z]")
        self.module, self.digest_of = map(cache, (self.module, self.digest_of))

    def module(self, name):
        """Return a module of the library by its dotted name, or None if there is none."""
        folder = self.places.get(name.partition(".")[0])
        if not name or folder is None:
            return None
        base = folder.joinpath(*name.split("."))
        found = [path for path in (base / "__init__.py", Path(f"{base}.py")) if path.is_file()]
        return module_in(found[0], name) if found else None

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
        states = {module.state(name) for place, name in met if (module := self.module(place))}
        data = self.data if states else ""
        return hashlib.sha256("\n".join([*sorted(states), data]).encode()).hexdigest()

    def is_checker(self, module, name):
        """Return whether a name is defined in a module of checkers, or is such a module."""
        path = f"{module}.{name}"
        return self.checkers.match(module) or (self.checkers.match(path) and self.module(path))

    def next(self, module, name):
        """Return the pairs that a name refers to."""
        place = self.module(module)
        inner = self.module(f"{module}.{name}") if place is None or place.is_package else None
        if inner:  # the name of a module: all of it
            return [(inner.name, other) for other in [*inner.defined, *inner.imported]]
        if place is None:
            return []
        if name in place.imported:
            return [place.imported[name]] if self.has(place.imported[name]) else []
        return [(module, used) for used in place.names(name)]

    @cached_property
    def data(self):
        """A digest of the library's data, which any of its functions may read."""
        files = sorted(files_below(self.root / self.package / "data")) if self.package else []
        return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()

    def used_by(self, codes):
        """Return the pairs (module, name) that the cells of a chapter import from the library."""
        pairs = {pair_of(full) for code in codes for full in all_imported(code)}
        return [list(pair) for pair in sorted(pairs) if self.has(pair)]

    def has(self, pair):
        """Return whether a pair (module, name) belongs to the library."""
        return pair[0].partition(".")[0] in self.places


def pair_of(full):
    """Return what a dotted name stands for as a pair (module, name there)."""
    module, _, name = full.rpartition(".")
    return module or name, name


def defined_names(statement):
    """Return the names that a statement defines: a function, a class, a constant."""
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return [statement.name]
    if isinstance(statement, (ast.Assign, ast.AnnAssign)):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        nodes = [node for target in targets for node in ast.walk(target)]
        return [node.id for node in nodes if isinstance(node, ast.Name)]
    return []


def is_text(statement):
    """Return whether a statement is only a string, like a docstring."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
