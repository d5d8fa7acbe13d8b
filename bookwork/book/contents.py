"""The table of contents, _toc.yml: which pages a book has, in which order and which parts."""


def files_of(toc):
    """Return the pages of a table of contents in their order.

    >>> files_of({"root": "start", "parts": [{"chapters": [{"file": "one"}, {"file": "two"}]}]})
    ['start', 'one', 'two']
    """
    here = [str(toc[key]) for key in ("root", "file") if key in toc]
    lists = [toc.get(key) or [] for key in ("parts", "subtrees", "chapters", "sections", "entries")]
    return here + [name for below in lists for entry in below for name in files_of(entry)]


def parts_of(toc):
    """Return the names of the parts of a table of contents, each by the first page of its part."""
    return {part["chapters"][0]["file"]: part.get("caption", "") for part in toc.get("parts", [])}


def numbers_of(toc):
    """Return the numbers of the chapters that a table of contents numbers, as texts."""
    parts = [part for part in [toc, *toc.get("parts", [])] if part.get("numbered")]
    entries = [entry for part in parts for entry in part.get("chapters", []) if "file" in entry]
    return {entry["file"]: str(k) for k, entry in enumerate(entries, start=1)}
