"""Words of a sentence that a reader types."""

MOST = 64


def letters_of(text):
    """Return the words of a text, in small letters."""
    words = [word.strip(".,") for word in text.lower().split()]
    if len(words) > MOST:
        raise ValueError(f"at most {MOST} words are read here, and there are {len(words)}")
    return words
