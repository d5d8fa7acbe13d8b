"""Which cells above each cell of a page needs, judged by the names that they make, change and use.

A cell needs those that gave the names it uses their present values: that made them last, and that
have changed them since by an item, an attribute, a method, or a function of the page that does so.
Rather one too many than one too few: what changes a thing may change all that it was taken from.
A method changes what it belongs to if nothing is made of what it gives back, or if its name says
so. What names do not show, such as options of a module or a written file, every cell needs.
"""

import ast
import builtins
import re
from copy import deepcopy
from typing import NamedTuple

from bookwork.book.names import (
    DEFINED,
    IMPORTS,
    SCOPES,
    called,
    calls_in,
    local_to,
    made_by,
    parsed,
    used_by,
)

CHANGES = re.compile(  # methods that change what they belong to, functions that change their module
    r"append|extend|insert|clear|seed|use|next|send|draw|sample|step|run|shuffle|uniform|permut\w+"
    r"|(?:pop|fit|train|set|reset|update|enable|disable|register|install|read|simple|standard_)\w*"
    r"|beta|binomial|choice|exponential|filterwarnings|integers|normal|poisson|random"
)
PARTS = re.compile(  # calls that give a part of what they belong to, or hold what they are given
    r"[A-Z]\w*|diagonal|get|items|keys|ravel|reshape|squeeze|swapaxes|transpose|values|view"
    r"|parameters|dict|enumerate|filter|iter|list|map|reversed|set|sorted|tuple|zip"
)
HIDDEN = re.compile(  # calls that change what no name shows: random numbers, files, all names
    r"(?:\w+\.)?random\.(?!default_rng|Generator|SeedSequence|PCG64)\w+"
    r"|exec|eval|globals|locals|vars|get_ipython|open"
    r"|(?:.*\.)?(?:to_(?!d|f|list|num|string)[a-z]+|save\w*|dump|write_\w+|touch|extractall)"
)
LATER = (*SCOPES, ast.Yield, ast.YieldFrom)  # what is not done at once
OTHER = "all else"  # stands for what names do not show


class Order(NamedTuple):
    """The numbers of the cells that a cell needs, and of those that have to run again after it."""

    needs: list[int]
    undoes: list[int]


def orders(cells):
    """Return the order of each cell of a page: (code, whether it starts anew, where it is apart).

    What is apart, an exercise or a solution, is needed by nobody else.
    """
    page, rooms, found, undone = Page(), {}, [], {}
    for number, (code, starts_anew, room) in enumerate(cells):
        if starts_anew:
            page = Page()
        names = rooms.setdefault(room, deepcopy(page)) if room else page
        needs, pairs = names.take(number, parsed(code))
        found.append(sorted(needs))
        for early, late in pairs:
            undone.setdefault(early, set()).add(late)
    return [Order(needs, sorted(undone.get(k, ()))) for k, needs in enumerate(found)]


class Page:
    """What the cells of a page have made of names so far."""

    def __init__(self):
        self.makers = {OTHER: set()}  # name -> cells that its value comes from
        self.writers = {}  # name -> all cells that have given it a value
        self.needs = {}  # cell -> all cells that it needs
        self.links = {}  # name -> names of what may be the same thing, or a part of it
        self.behind = {}  # function or what holds one -> the names that it uses when it is called
        self.effects = {}  # function -> the names that it changes
        self.takers = {"next", "setattr", "delattr"}  # functions that change what they are given
        self.keepers = set()  # functions and classes that give something to be called
        self.modules = set()

    def take(self, number, tree):
        """Return what the next cell needs, and pairs of cells of which the first undoes the second.

        That is so where both give a value to the same name, and a cell needs that of the second.
        """
        needs, pairs, own = set(self.makers[OTHER]), set(), set()
        for statement in tree.body:
            uses = self.closure(self.uses(statement))
            for name in uses - own:
                makers = self.makers.get(name, ())
                needs.update(makers)
                pairs |= {(a, b) for b in makers for a in self.writers[name] if a < b}
            changes = self.changes(statement).union(*(self.effects.get(name, ()) for name in uses))
            self.note(number, statement, changes)
            own |= sure_in(statement)
        needs = needs.union(*(self.needs[each] for each in needs - {number})) - {number}
        self.needs[number] = needs
        return needs, pairs

    def uses(self, statement):
        """Return the names that a statement uses, without what a function does when called."""
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            return set().union(*map(used_by, [*statement.decorator_list, statement.args]))
        if isinstance(statement, ast.For):
            used, own = used_by(statement.iter), made_by(statement.target)
            for inner in statement.body + statement.orelse:
                used |= self.uses(inner) - own
                own |= sure_in(inner)
            return used
        return used_by(statement)

    def closure(self, names):
        """Return names with all that is used when they are called."""
        found, new = set(), set(names)
        while new:
            found |= new
            new = set().union(*(self.behind.get(name, ()) for name in new)) - found
        unknown = {n for n in found if n not in self.makers and not hasattr(builtins, n)}
        return found | ({"*"} if unknown else set())

    def note(self, number, statement, changes):
        """Keep what a statement makes and changes."""
        made = made_by(statement)
        if not isinstance(statement, ast.For):
            for name in sure_in(statement):
                self.forget(name)
        self.describe(statement, made)
        changed = set().union(*map(self.same, changes))
        for name in made | changed | ({OTHER} if changes & self.modules else set()):
            self.makers.setdefault(name, set()).add(number)
            self.writers.setdefault(name, set()).add(number)

    def forget(self, name):
        """Take a name for another thing than before."""
        for known in (self.makers, self.behind, self.effects):
            known.pop(name, None)
        for other in self.links.pop(name, ()):
            self.links[other].discard(name)
        for kind in (self.modules, self.takers, self.keepers):
            kind.discard(name)

    def describe(self, statement, made):
        """Note what names that a statement makes stand for."""
        later = [each for each in ast.walk(statement) if isinstance(each, LATER)]
        if isinstance(statement, ast.Import):
            self.modules |= made
        elif isinstance(statement, DEFINED):
            name = statement.name
            self.behind[name] = used_by(statement)
            self.effects[name] = self.changes(statement)
            arguments = {each.arg for each in ast.walk(statement) if isinstance(each, ast.arg)}
            if self.changes(statement, inside=True) & arguments:
                self.takers.add(name)
            if isinstance(statement, ast.ClassDef) or len(later) > 1:
                self.keepers.add(name)
        else:
            called_only = {id(call.func) for call in calls_in(statement)}
            named = [each for each in ast.walk(statement) if isinstance(each, ast.Name)]
            held = [n.id for n in named if id(n) not in called_only or n.id in self.keepers]
            kept = self.behind.keys() & set(held) - local_to(statement)
            if any(isinstance(each, ast.Lambda) for each in later):
                kept |= used_by(statement)
            for name in made if kept else ():
                self.behind[name] = self.behind.get(name, set()) | kept
            self.link(statement)

    def link(self, statement):
        """Note which names stand for the same thing, or a part of it."""
        for each in ast.walk(statement):
            value = getattr(each, "value", getattr(each, "iter", getattr(each, "context_expr", 0)))
            targets = [getattr(each, name, None) for name in ("target", "optional_vars")]
            targets = [*getattr(each, "targets", ()), *filter(None, targets)]
            if not targets or not value or isinstance(each, ast.AugAssign):
                continue
            for one in set().union(*map(made_by, targets)):
                for other in self.roots(value) - self.modules - {one}:
                    self.links.setdefault(one, set()).add(other)
                    self.links.setdefault(other, set()).add(one)

    def same(self, name):
        """Return all names of what a name stands for."""
        found, new = set(), {name}
        while new:
            found |= new
            new = set().union(*(self.links.get(each, ()) for each in new)) - found
        return found

    def roots(self, node):
        """Return the names of the things that an expression is, or is a part of, or holds."""
        if isinstance(node, ast.Name):
            return {node.id}
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            return self.roots(node.value)
        if isinstance(node, ast.Call):
            name = called(node)
            if not (PARTS.fullmatch(name) or name in self.keepers):
                return set()
            return self.roots(node.func).union(*map(self.roots, node.args)) - {name}
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Dict | ast.IfExp | ast.BoolOp):
            return set().union(*map(self.roots, ast.iter_child_nodes(node)))
        return set()

    def changes(self, statement, inside=False):
        """Return the names of what a statement changes; with `inside`, its own as well."""
        nodes = list(ast.walk(statement))
        bare = {id(each.value) for each in nodes if isinstance(each, ast.Expr)}
        found = set()
        for each in nodes:
            is_whole = isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
            if isinstance(each, ast.AugAssign):
                found |= self.roots(each.target)
            elif isinstance(getattr(each, "ctx", None), ast.Store | ast.Del) and not is_whole:
                found |= self.roots(each)
            elif isinstance(each, ast.Call):
                found |= self.changed_by(each, id(each) in bare)
        known = {name for each in nodes if isinstance(each, ast.Global) for name in each.names}
        return found if inside else found - local_to(statement) | known

    def changed_by(self, call, is_bare):
        """Return the names of what a call changes, as far as that is to be seen."""
        words = {each.arg: each.value for each in call.keywords}
        given = set().union(*map(self.roots, [*call.args, *words.values()]))
        name = called(call)
        found = self.roots(words["out"]) if "out" in words else set()
        if name in self.takers:
            found |= given
        if isinstance(call.func, ast.Attribute):
            owners = self.roots(call.func.value)
            is_command = is_bare and not owners & self.modules
            if is_command or CHANGES.fullmatch(name) or "inplace" in words:
                found |= owners
        if HIDDEN.fullmatch(ast.unparse(call.func)):
            found.add(OTHER)
        return found


def sure_in(statement):
    """Return the names that a statement makes in any case; nearly every loop runs once."""
    if isinstance(statement, (ast.Assign, ast.AnnAssign, *IMPORTS, *DEFINED)):
        return made_by(statement)
    return made_by(statement.target) if isinstance(statement, ast.For) else set()
