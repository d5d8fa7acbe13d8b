"""What a verdict is: a status, and a message in words."""

import html
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias

NOT_STARTED = "put your answer in place of the dots, then run the cell."
Status: TypeAlias = Literal["not started", "wrong shape", "known mistake", "not yet", "correct"]
MIME = "application/vnd.book.verdict+json"
LOOKS = {"not started": ("…", "#8a8a8a"), "correct": ("✓", "#2e8b57")}  # a mark, the bar's colour
BOX = """<div class="mathjax_ignore tex2jax_ignore" style="border-left: 4px solid {colour}; \
padding-left: 10px;"><strong>{mark} {status}:</strong> {message}</div>"""


class Finding(NamedTuple):
    """What a checker found: a verdict that does not know its label yet."""

    status: Status
    message: str


def unfinished(answer: object) -> bool:
    """Return whether the answer is still dots, or None."""
    if isinstance(answer, tuple | list):
        return any(part is ... for part in answer)
    return answer is ... or answer is None or answer is NotImplemented


@dataclass(frozen=True)
class Verdict:
    """The judgement of the answer to an exercise: how far it has come, and what to say.

    Examples
    --------
    >>> print(Verdict("ex-shares", "not yet", "the rows sum to 2."))
    Not yet: the rows sum to 2.
    """

    label: str
    status: Status
    message: str

    def __str__(self) -> str:
        return f"{self.status.capitalize()}: {self.message}"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        mark, colour = LOOKS.get(self.status, ("✗", "#c9702b"))
        status, message = self.status.capitalize(), html.escape(self.message)
        plain = re.sub(r"([\\`*_{}\[\]<>#|$~^&])", r"\\\1", self.message)  # no markup of answers
        return {
            "text/plain": str(self),
            "text/html": BOX.format(colour=colour, mark=mark, status=status, message=message),
            "text/markdown": f"**{status}:** {plain}",
            MIME: asdict(self),
        }
