"""What the chapter on shares says is what its cells give."""

from book.chapters import run_chapter

CLAIMS = [  # a piece of the text with its numbers in brackets, and what they are
    (r"put (\w+), (\w+) and (\w+) bags", lambda c: c["bags"]),
    (r"third baker gets (\S+) of it", lambda c: [c["weights"][2]]),
]


def test_the_figure_follows_its_slider():
    """A frame is what the function returns for that position."""
    figure = run_chapter("shares").figure("fig-shares")
    assert figure.frame(third=5)["result"].round(2).tolist() == [0.2, 0.3, 0.5]
