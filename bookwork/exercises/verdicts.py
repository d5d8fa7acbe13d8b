"""What a verdict is: a status, and a message in words."""

import html
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

NOT_STARTED = "put your answer in place of the dots, then run the cell."
Status: TypeAlias = Literal["not started", "wrong shape", "known mistake", "not yet", "correct"]
STATUSES: tuple[Status, ...] = get_args(Status)  # how far an answer has come, in this order
MIME = "application/vnd.book.verdict+json"
COLOURS = {"not started": "#8a8a8a", "correct": "#2e8b57"}  # of the bar beside a verdict
MARKS = {"not started": "…", "correct": "✓"}
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
    """The judgement of one answer, in words.

    Parameters
    ----------
    label : str
        The exercise, ``"ex-shares"``.
    status : str
        How far the answer has come: ``"not started"``, ``"wrong shape"``, ``"known mistake"``,
        ``"not yet"`` or ``"correct"``.
    message : str
        One or two sentences to the reader.

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

    def _repr_html_(self) -> str:
        colour, mark = COLOURS.get(self.status, "#c9702b"), MARKS.get(self.status, "✗")
        message = html.escape(self.message)
        return BOX.format(
            colour=colour, mark=mark, status=self.status.capitalize(), message=message
        )

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        plain = re.sub(r"([\\`*_{}\[\]<>#|$~^&])", r"\\\1", self.message)  # no markup of answers
        return {
            "text/plain": str(self),
            "text/html": self._repr_html_(),
            "text/markdown": f"**{self.status.capitalize()}:** {plain}",
            MIME: asdict(self),
        }
