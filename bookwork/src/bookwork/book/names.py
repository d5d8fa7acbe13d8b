"""The names in the code of a cell: what it imports, makes, calls and uses."""

import ast
import warnings
from importlib.util import module_from_spec, spec_from_file_location
from textwrap import dedent

from bookwork.book.files import WEB


def read_magics():
    """Return the module that leaves magics out, which belongs to the page's Python."""
    spec = spec_from_file_location("page_magics", WEB / "python" / "page_magics.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAGICS = read_magics()
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
SCOPES += (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
IMPORTS = (ast.Import, ast.ImportFrom)
DEFINED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
GUARDED = (*SCOPES, ast.Try)  # what is imported here may be missing


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
    inner = () if isinstance(node, SCOPES) else ast.iter_child_nodes(node)
    return made_here(node).union(*map(made_by, inner))


def made_here(node):
    """Return the names that a node makes itself, whatever is in it."""
    if isinstance(node, IMPORTS):
        return {name for name, _ in imports(node)}
    if isinstance(node, (*DEFINED, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return {node.name} - {None}
    return {node.id} if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) else set()


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
    scopes = [each for each in ast.walk(node) if isinstance(each, SCOPES)]
    inner = {each for scope in scopes for each in ast.walk(scope)}
    methods = {each for one in scopes if isinstance(one, ast.ClassDef) for each in one.body}
    made = set().union(*map(made_here, inner - methods))  # names of methods are no names
    return made | {each.arg for each in inner if isinstance(each, ast.arg)}
