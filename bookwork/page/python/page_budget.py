"""How much one run may show: so much text, so many values, so many bytes.

What is beyond that is counted, or replaced by a sentence. How many nodes HTML may have is decided
in the page, which parses it.
"""

from collections.abc import Iterable
from typing import Any

TEXT_LIMIT = 100_000  # characters that one run may print
DISPLAY_LIMIT = 200  # values and figures that one run may show
BYTE_LIMIT = 20_000_000  # of all these together
FULL = (
    "This output is not shown: with it the run would show {size:.1f} MB, and the page takes "
    "{most:.0f} MB. Show a part of it."
)


class OutputBudget:
    """What one run has shown."""

    def __init__(self) -> None:
        self.printed = self.dropped = self.unshown = 0
        self.sizes: list[int] = []  # of each value that is shown
        self.places: dict[str, int | None] = {}  # display_id -> place in `sizes`; None: not shown

    def cut(self, text: str) -> str:
        """Return what may still be printed of a text, and count the rest."""
        kept = text[: TEXT_LIMIT - self.printed]
        self.printed += len(kept)
        self.dropped += len(text) - len(kept)
        return kept

    def place_for(self, kind: str, name: str | None) -> int | None:
        """Return the place of a new value, or of the one it replaces; None if there is none."""
        if kind == "update" and name in self.places:
            return self.places[name]
        place = len(self.sizes) if len(self.sizes) < DISPLAY_LIMIT else None
        if place is None:
            self.unshown += 1
        else:
            self.sizes.append(0)
        if name is not None:
            self.places[name] = place
        return place

    def fit(self, place: int, bundle: dict[str, Any]) -> dict[str, Any]:
        """Return what to show in a place: a bundle, or a sentence if that is too large."""
        self.sizes[place] = size_of(bundle.values())
        if sum(self.sizes) <= BYTE_LIMIT:
            return bundle
        sentence = FULL.format(size=sum(self.sizes) / 1e6, most=BYTE_LIMIT / 1e6)
        self.sizes[place] = 0
        return {"text/plain": sentence}

    @property
    def left_out(self) -> dict[str, int]:
        """How many characters and values were not shown."""
        return {"dropped": self.dropped, "unshown": self.unshown}


def size_of(values: Iterable[Any]) -> int:
    """Return the size of all texts and bytes among values, about that in memory."""
    return sum(len(value) for value in values if isinstance(value, str | bytes))
