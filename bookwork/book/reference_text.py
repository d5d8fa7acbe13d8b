"""The library's public definitions, read from its files: names, signatures, docstrings and code.

Nothing is imported, so that a running build sees changes in the library.
"""

import ast
import re
from dataclasses import dataclass, field, replace

from bookwork.book.files import PACKAGE, cache_until_changed


@dataclass
class Definition:
    """A public function, class, method or property."""

    kind: str  # as in the Python domain of Sphinx
    name: str  # as it is imported: "bookwork.live.bars"; within a class, its own
    signature: str
    docstring: str
    code: str = ""  # of a function, without its docstring
    members: list["Definition"] = field(default_factory=list)

    @property
    def summary(self):
        """The first sentence of the docstring."""
        return " ".join(self.docstring.partition("\n\n")[0].split())


def definitions(module, library):
    """Return the definitions of a module such as "scores" or "bookwork/live/views", in order.

    These are the names that its package lists in ``__all__`` or, if it lists none of them, as for
    "datasets", all public ones.
    """
    library, module = place_of(module, library)
    package = library.joinpath(module).parent
    home = ".".join([library.name, *package.relative_to(library).parts])
    found = public_in(library / f"{module}.py")
    exported = found.keys() & listed_in(package / "__init__.py")
    if not exported:
        home, exported = f"{home}.{library.joinpath(module).name}", found
    return [replace(found[name], name=f"{home}.{name}") for name in found if name in exported]


@cache_until_changed
def public_in(path):
    """Return the public definitions of a file by their names, in order."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    code = code_in(tree, text)
    return {node.name: defined(node, code) for node in public(tree.body)}


def place_of(module, library):
    """Return the package that a module belongs to, and the module's name in it."""
    top, _, inside = module.partition("/")
    beside = PACKAGE if top == "bookwork" else library.with_name(top)
    is_beside = inside and (beside / "__init__.py").is_file()
    return (beside, inside) if is_beside else (library, module)


def public(statements):
    """Yield the functions and classes that have a docstring and a name without underscore."""
    for node in statements:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node):
            yield node


@cache_until_changed
def listed_in(path):
    """Return the names in the ``__all__`` of a file."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def code_in(tree, text):
    """Return the code of each function of a file, followed by that of the formula behind it."""
    found = {each.name: each for each in tree.body if isinstance(each, ast.FunctionDef)}
    code = {name: without_docstring(node, text) for name, node in found.items()}
    formulas = {name: code.get(f"_{name}") for name in code}
    return {name: "\n\n\n".join(filter(None, [code[name], formulas[name]])) for name in code}


def defined(node, code):
    """Return a definition with what it contains; `code` has that of functions, not of methods."""
    docstring, signature = ast.get_docstring(node), ""
    if isinstance(node, ast.ClassDef):
        made = [inner for inner in node.body if getattr(inner, "name", "") == "__init__"]
        signature = signature_of(made[0]) if made else ""
        members = [defined(inner, {}) for inner in public(node.body)]
        return Definition("class", node.name, signature, docstring, members=members)
    if "property" in map(ast.unparse, node.decorator_list):
        return Definition("property", node.name, signature, docstring)
    kind = "function" if code else "method"
    return Definition(kind, node.name, signature_of(node), docstring, code.get(node.name, ""))


def without_docstring(node, text):
    """Return the lines of a function in its file, without those of its docstring."""
    lines, first = text.splitlines()[: node.end_lineno], node.body[0]
    if not ast.get_docstring(node):
        return "\n".join(lines[node.lineno - 1 :])
    return "\n".join(lines[node.lineno - 1 : first.lineno - 1] + lines[first.end_lineno :])


def signature_of(node):
    """Return the parameters without their types.

    >>> signature_of(ast.parse("def f(self, x: int, *, y: str = '') -> int: ...").body[0])
    "(x, *, y='')"
    """
    for argument in ast.walk(node.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return re.sub(r"^\((self|cls)(, /)?(, )?", "(", f"({ast.unparse(node.args)})")
