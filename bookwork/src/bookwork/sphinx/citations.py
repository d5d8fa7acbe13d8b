"""Sphinx extension: in the house style, citations such as "(Bahdanau et al., 2015)"."""

import dataclasses
from functools import partial

from pybtex.backends.plaintext import Backend as PlainText
from pybtex.plugin import register_plugin as register_style
from pybtex.richtext import Text
from pybtex.style.formatting.unsrt import Style as PlainStyle
from pybtex.style.labels import BaseLabelStyle
from sphinxcontrib.bibtex.plugin import register_plugin as register_reference
from sphinxcontrib.bibtex.style.referencing import BracketStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle

NAME = "book"
ROUND = partial(BracketStyle, left="(", right=")")


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
    # or each reference looks for it among all that is installed: a tenth of the time of a build
    register_style("pybtex.backends", "plaintext", PlainText, force=True)
    app.connect("config-inited", choose_styles, priority=100)


def choose_styles(app, config):
    """Cite by author and year, in the house style, where a book loads sphinxcontrib-bibtex."""
    if not config.bookwork_house_style or "sphinxcontrib.bibtex" not in app.extensions:
        return
    config.bibtex_reference_style = NAME
    config.bibtex_default_style = NAME
    config.bibtex_cite_id = "work-{key}"


def authors(work):
    """Return the family names of a work's authors."""
    people = work.persons.get("author") or work.persons.get("editor") or []
    names = [" ".join([*p.prelast_names, *p.last_names]) for p in people]
    names = [str(Text.from_latex(name)) for name in names]
    if len(names) > 2:
        return f"{names[0]} et al."
    return " and ".join(names)


def year(work):
    """Return the year of a work."""
    return work.fields.get("year", "no year")
