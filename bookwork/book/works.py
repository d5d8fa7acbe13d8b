"""The works that a book cites, as its bibliographies have them."""

from string import ascii_lowercase

from pybtex.database import parse_file
from pybtex.richtext import Text


def works_of(bibliographies):
    """Return the works in the bibliographies of a book, by their keys."""
    files = [parse_file(str(path)) for path in bibliographies if path.is_file()]
    works = {key: work for file in files for key, work in file.entries.items()}
    tell_apart(works.values())
    return works


def tell_apart(works):
    """Let works of the same authors and year have years such as 2024a and 2024b."""
    alike = {}
    for work in works:
        alike.setdefault(f"{authors(work)} {year(work)}", []).append(work)
    for found in filter(lambda found: len(found) > 1, alike.values()):
        for letter, work in zip(ascii_lowercase, found, strict=False):
            work.fields["year"] = f"{year(work)}{letter}"


def authors(work, limit=2):
    """Return the family names of a work's authors."""
    people = work.persons.get("author") or work.persons.get("editor") or []
    names = [plain(" ".join([*p.prelast_names, *p.last_names])) for p in people]
    if len(names) > limit:
        return f"{names[0]} et al."
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def year(work):
    return work.fields.get("year", "no year")


def full_name(work):
    """Return authors, year and title of a work."""
    title = linked(plain(work.fields["title"]), work)
    return f"{authors(work, limit=8)} ({year(work)}). {title}."


def plain(text):
    """Return a text of the bibliography without TeX."""
    return str(Text.from_latex(text))


def linked(text, work):
    """Link a text to the work's address, if the bibliography has one."""
    fields = work.fields
    arxiv = fields.get("eprint")
    address = fields.get("url") or (arxiv and f"https://arxiv.org/abs/{arxiv}")
    if "doi" in fields:
        address = address or f"https://doi.org/{fields['doi']}"
    return f"[{text}]({address})" if address else text
