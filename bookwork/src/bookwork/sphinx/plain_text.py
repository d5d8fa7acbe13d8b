"""Text without formulas, for what cannot show them: search, titles of windows, tooltips."""

import re
import unicodedata

STYLED = re.compile(r"\\(?:mathrm|mathbb|mathbf|text|operatorname)\{([^{}]*)\}")
COMMAND = re.compile(r"\\([A-Za-z]+|[,;!\s])")
SIGNS = {
    **{"top": "ᵀ", "sqrt": "√", "sum": "Σ", "cdot": "·", "times": "×", "in": "∈", "to": "→"},
    **{"le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "approx": "≈", "infty": "∞", "partial": "∂"},
    **{"dots": "…", "ldots": "…", "lVert": "‖", "rVert": "‖", "lambda": "λ"},
    **{"quad": " ", "exp": "exp", "log": "log", "max": "max", "tanh": "tanh"},
}


def plain(tex):
    r"""Return a formula as plain text, or three dots if it is too long.

    Examples
    --------
    >>> plain(r"q^\top k / \sqrt{d_k}"), plain(r"\alpha_{ij} \ge 0"), plain(r"\frac{1}{2}")
    ('qᵀ k / √d_k', 'α_ij ≥ 0', '…')
    >>> plain(r"\mathrm{rank}(\Pi X)"), plain(r"\unheardof")
    ('rank(Π X)', '…')
    """
    text = COMMAND.sub(sign, STYLED.sub(r"\1", tex))
    text = re.sub(r"[{}]", "", text).replace("^ᵀ", "ᵀ")
    return "…" if "\\" in text else squeezed(text)


def sign(command):
    """Return the character that a TeX command draws, or the command itself if it is unknown."""
    name = command[1]
    if not name.isalpha():
        return " "
    size = "CAPITAL" if name[0].isupper() else "SMALL"
    try:
        return SIGNS.get(name) or unicodedata.lookup(f"GREEK {size} LETTER {name.upper()}")
    except KeyError:
        return command[0]


def squeezed(text):
    """Return a text with each run of white space as one space."""
    return " ".join(text.split())
