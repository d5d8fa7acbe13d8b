"""What the library offers, read from its files: names, signatures and docstrings.

Nothing is imported: a build that goes on while the library changes reads what is there now.
"""

import ast
import re
from dataclasses import dataclass, field

from tools.steps import ROOT

LIBRARY = ROOT / "attention_lib"


@dataclass
class Definition:
    """A public function, class, method or property."""

    kind: str  # as in the Python domain of Sphinx
    name: str  # from where it is imported: "attention_lib.live.bars"
    signature: str
    docstring: str
    members: list["Definition"] = field(default_factory=list)

    @property
    def summary(self):
        """The first sentence of the docstring."""
        return " ".join(self.docstring.partition("\n\n")[0].split())


def definitions(module, library=LIBRARY):
    """Return what a module such as "scores" or "live/views" offers, in the order of its file.

    That is what its package lists in ``__all__``; of a module of which it lists nothing, such as
    "datasets", all that is public.
    """
    package = library.joinpath(module).parent
    home = ".".join([library.name, *package.relative_to(library).parts])
    nodes = {node.name: node for node in public(parsed(library / f"{module}.py").body)}
    exported = [name for name in nodes if name in listed_in(package / "__init__.py")]
    if exported:
        return [defined(nodes[name], f"{home}.{name}") for name in exported]
    return [defined(node, f"{home}.{module}.{name}") for name, node in nodes.items()]


def public(statements):
    """Yield the functions and classes that have a docstring and a name without underscore."""
    for node in statements:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
            continue
        if ast.get_docstring(node):
            yield node


def parsed(path):
    return ast.parse(path.read_text(encoding="utf-8"))


def listed_in(path):
    """Return the names in the ``__all__`` of a file."""
    for node in parsed(path).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def defined(node, name):
    """Return a definition with what it contains."""
    kind = "class" if isinstance(node, ast.ClassDef) else "function"
    made = Definition(kind, name, signature_of(node), ast.get_docstring(node))
    if kind == "class":
        made.members = [member(inner) for inner in public(node.body)]
    return made


def member(node):
    """Return a method or a property of a class."""
    is_property = "property" in map(ast.unparse, node.decorator_list)
    kind, signature = ("property", "") if is_property else ("method", signature_of(node))
    return Definition(kind, node.name, signature, ast.get_docstring(node))


def signature_of(node):
    """Return the arguments as a reader types them, without their types.

    >>> signature_of(ast.parse("def f(self, x: int, *, y: str = '') -> int: ...").body[0])
    "(x, *, y='')"
    """
    if isinstance(node, ast.ClassDef):
        return ""
    for argument in ast.walk(node.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    return re.sub(r"^\((self|cls)(, /)?(, )?", "(", f"({ast.unparse(node.args)})")
