"""Sphinx extension: in the house style, the first use of a term links to the glossary.

The title of the link is the definition, which page/site/terms.js shows in a box on hover, focus or
tap. Headings, code, formulas, tables, captions, exercises and other links are not changed. A
chapter that first uses a word in another sense says so in its metadata: ``not_in_glossary: key``.
"""

import re
from functools import cache

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms.post_transforms import SphinxPostTransform

from bookwork.sphinx.book_search import prose
from bookwork.sphinx.exercises import exercise_group
from bookwork.sphinx.pages import all_if_changed, is_inside, notes_of, number_of
from bookwork.sphinx.plain_text import squeezed

LEFT_ALONE = (
    *(nodes.title, nodes.literal, nodes.literal_block, nodes.math, nodes.math_block, nodes.raw),
    *(nodes.reference, nodes.caption, nodes.table, nodes.rubric, nodes.citation, nodes.figure),
    *(addnodes.glossary, exercise_group),
)
EXCEPT = "not_in_glossary"
NOTED = "bookwork terms"  # the note of a page: word -> anchor and definition


def setup(app):
    """Connect each step to Sphinx."""
    app.add_post_transform(LinkTerms)
    app.connect("doctree-read", note_terms)
    app.connect("env-updated", lambda app, env: all_if_changed(env, NOTED))


def note_terms(app, doctree):
    """Store the terms of a page and their definitions."""
    found = {}
    for glossary in doctree.findall(addnodes.glossary):
        for item in glossary.findall(nodes.definition_list_item):
            term = item.next_node(nodes.term)
            meaning = meaning_of(item.next_node(nodes.definition).deepcopy())
            for word in term.astext().split(", "):
                found[word.lower()] = (term["ids"][0], meaning)
    if found:
        app.env.metadata[app.env.docname][NOTED] = found


def meaning_of(definition):
    """Return a definition as text, without the chapter in parentheses that it may end with."""
    for reference in list(definition.findall(addnodes.pending_xref)):
        if reference["reftype"] == "ref" and not reference["refexplicit"]:
            reference.parent.remove(reference)
    return squeezed(prose(definition)).removesuffix(" ()")


class LinkTerms(SphinxPostTransform):
    """Link the first use of each term in a chapter."""

    default_priority = 200  # after all other references are resolved
    formats = ("html",)

    def run(self, **kwargs):
        """Go through the text of a chapter, once."""
        page = self.env.docname
        if not number_of(self.env, page) or NOTED in self.env.metadata[page]:
            return
        if not self.config.bookwork_house_style:
            return
        terms = self.terms_for(page)
        pattern = pattern_of(tuple(terms))
        for text in list(self.document.findall(nodes.Text)):
            if terms and not is_inside(text, LEFT_ALONE):
                text.parent.replace(text, linked(str(text), terms, pattern))

    def terms_for(self, page):
        """Return what is still to be linked: word -> address and definition."""
        excluded = self.env.metadata[page].get(EXCEPT, "").split(", ")
        terms = {}
        for place, found in notes_of(self.env, NOTED).items():
            address = self.app.builder.get_relative_uri(page, place)
            for word, (anchor, meaning) in found.items():
                if word not in excluded:
                    terms[word] = (f"{address}#{anchor}", meaning)
        return terms


def linked(text, terms, pattern):
    """Return a text as nodes, with its terms linked; those are then removed from `terms`."""
    parts, last = [], 0
    for match in pattern.finditer(text):
        word = squeezed(match[0]).lower()
        term = next((term for term in terms if word in (term, plural(term))), None)
        if term is None:  # linked before
            continue
        address, meaning = terms.pop(term)
        parts.append(nodes.Text(text[last : match.start()]))
        said = {"refuri": address, "reftitle": meaning, "classes": ["book-term"]}
        parts.append(nodes.reference("", match[0], internal=True, **said))
        last = match.end()
    return [*parts, nodes.Text(text[last:])]


@cache
def pattern_of(terms):
    """Return a pattern for all terms and their plurals as whole words, long ones first."""
    words = sorted({form for term in terms for form in (term, plural(term))}, key=len, reverse=True)
    forms = "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words)
    return re.compile(rf"(?<![\w-])(?:{forms})(?![\w-])", re.IGNORECASE)


@cache
def plural(term):
    """Return the plural of a term.

    Examples
    --------
    >>> plural("query"), plural("bias"), plural("key"), plural("sparse matrix")
    ('queries', 'biases', 'keys', 'sparse matrices')
    """
    rules = [(r"rix$", "rices"), (r"([^aeiou])y$", r"\1ies"), (r"(s|x|ch)$", r"\1es"), (r"$", "s")]
    return next(re.sub(end, new, term, count=1) for end, new in rules if re.search(end, term))
