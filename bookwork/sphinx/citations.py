"""Sphinx extension: citations by author and year, and a bibliography with links back.

A chapter says "(Bahdanau et al., 2015)". The entry of the work lists the chapters that cite it,
each with a link to the place, and where it can be read: arXiv numbers become links, as DOIs are.
"""

import dataclasses
import re
from functools import partial

from docutils import nodes
from pybtex.plugin import find_plugin as find_style
from pybtex.plugin import register_plugin as register_style
from pybtex.style.formatting.unsrt import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinxcontrib.bibtex.plugin import register_plugin as register_reference
from sphinxcontrib.bibtex.style.referencing import BracketStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

from bookwork.book.works import authors, tell_apart, year
from bookwork.sphinx.pages import has_changed, number_of, reading_order, title_of

ARXIV = re.compile(r"arXiv:(?P<number>[\w.-]+/?\d+(?:v\d+)?)")
NAME = "book"
ROUND = partial(BracketStyle, left="(", right=")")
SOUGHT = [  # what each citation looks for again, among all the packages that are installed
    *[("pybtex.backends", name) for name in ("plaintext", "docutils")],
    ("pybtex.style.names", "plain"),
]


@dataclasses.dataclass
class AuthorYear(AuthorYearReferenceStyle):
    """Citations such as "(Boyd and Vandenberghe, 2004)" and "Boyd and Vandenberghe (2004)"."""

    bracket_parenthetical: BracketStyle = dataclasses.field(default_factory=ROUND)
    bracket_textual: BracketStyle = dataclasses.field(default_factory=ROUND)


class Labels(BaseLabelStyle):
    """Entries of the bibliography begin as they are cited: "Boyd and Vandenberghe, 2004"."""

    def format_labels(self, sorted_entries):
        """Yield the label of each work."""
        for work in sorted_entries:
            yield f"{authors(work)}, {year(work)}"


class Bibliography(PlainStyle):
    """The bibliography, by authors and year."""

    default_label_style = NAME
    default_sorting_style = "author_year_title"
    formatted = {}  # noqa: RUF012  shared by all builds: to format an entry takes longest

    def format_entry(self, label, entry, bib_data=None):
        """Return an entry as text, formatted once for bibliography, tooltips and later builds."""
        key = label, entry.key, repr(entry)
        if key not in self.formatted:
            self.formatted[key] = super().format_entry(label, entry, bib_data)
        return self.formatted[key]


def setup(app):
    """Register the styles, and connect to Sphinx."""
    register_reference("sphinxcontrib.bibtex.style.referencing", NAME, AuthorYear)
    register_style("pybtex.style.labels", NAME, Labels)
    register_style("pybtex.style.formatting", NAME, Bibliography)
    for group, name in SOUGHT:  # they are found at once from now on
        register_style(group, name, find_style(group, name), force=True)
    app.connect("config-inited", choose_styles, priority=100)


def choose_styles(app, config):
    """Cite by author and year, in the house style, where a book loads sphinxcontrib-bibtex."""
    if not config.bookwork_house_style or "sphinxcontrib.bibtex" not in app.extensions:
        return
    app.connect("env-before-read-docs", tell_years_apart)
    app.connect("env-updated", rewrite_bibliography)
    app.add_post_transform(LeadOn)
    config.bibtex_reference_style = NAME
    config.bibtex_default_style = NAME
    config.bibtex_cite_id = "work-{key}"


def tell_years_apart(app, env, docnames):
    """Let works be cited as 2024a and 2024b, where 2024 would be either."""
    tell_apart(env.get_domain("cite").bibdata.data.entries.values())


def rewrite_bibliography(app, env):
    """Write the bibliography again when a chapter's citations have changed."""
    domain = env.get_domain("cite")
    changed = has_changed(env, "citations", sorted(map(str, domain.citation_refs)))
    return sorted({key.docname for key in domain.bibliographies}) if changed else []


class LeadOn(SphinxPostTransform):
    """Link each work of the bibliography to where it can be read, and to where it is cited."""

    default_priority = 6  # after sphinxcontrib-bibtex has written the entries

    def run(self, **kwargs):
        """Complete each entry."""
        domain = self.env.get_domain("cite")
        keys = {citation.citation_id: citation.key for citation in domain.citations}
        for node in list(self.document.findall(nodes.citation)):
            key = next((keys[name] for name in node["ids"] if name in keys), None)
            node["backrefs"] = []  # the list below has them all, from every page
            link_arxiv(node)
            node.extend(self.way_back(places_of(domain, key)))

    def way_back(self, places):
        """Return a line with links to the places that cite a work, if there are any."""
        line = nodes.paragraph("", "Cited in ", classes=["book-cited"])
        pages = [page for page in reading_order(self.env) if page in places]
        for k, page in enumerate(pages):
            address = self.app.builder.get_relative_uri(self.env.docname, page)
            number = number_of(self.env, page)
            name = f"chapter {number}" if number else title_of(self.env, page)
            for again, place in enumerate(places[page], start=1):
                line += nodes.Text(" " if again > 1 else ", " if k else "")
                text, target = f"({again})" if again > 1 else name, f"{address}#{place}"
                line += nodes.reference("", text, internal=True, refuri=target)
        return [line] if pages else []


def places_of(domain, key):
    """Return the places that cite a work, in a list for each page."""
    places = {}
    for reference in domain.citation_refs:
        if key in {target.key for target in reference.targets}:
            places.setdefault(reference.docname, []).append(reference.citation_ref_id)
    return places


def link_arxiv(node):
    """Turn the arXiv numbers in an entry into links."""
    for text in list(node.findall(nodes.Text)):
        match = ARXIV.search(text)
        if match and not isinstance(text.parent, nodes.reference):
            link = nodes.reference("", match[0], refuri=f"https://arxiv.org/abs/{match['number']}")
            around = nodes.Text(text[: match.start()]), nodes.Text(text[match.end() :])
            text.parent.replace(text, [around[0], link, around[1]])
