"""Pictures load when a reader comes near; their place is kept free until then."""

import re

PICTURE = re.compile(
    r'<img (?![^>]*\b(?:loading|width|height)=)(?P<rest>[^>]*?\bsrc="(?P<path>[^"?:]+\.png)[?"])'
)
SIZE = slice(16, 24)  # bytes of a PNG file: its width and height


def wait(page, folder):
    """Return a page from a folder whose pictures wait, those whose size their file says."""

    def waiting(match):
        file = folder / match["path"]
        if not file.is_file():
            return match[0]
        size = file.read_bytes()[SIZE]
        width, height = int.from_bytes(size[:4]), int.from_bytes(size[4:])
        return f'<img loading="lazy" width="{width}" height="{height}" {match["rest"]}'

    return PICTURE.sub(waiting, page)
