"""What the chapter on shares says is what its cells give."""

from chapters.claims import Claims

CLAIMS = Claims(  # a phrase of the text, with {} for a number or a word, and what computes it
    ("put {}, {} and {} bags", lambda c: c["bags"]),
    ("third baker gets {} of it", lambda c: c["weights"][2]),
)


@CLAIMS.says("The more the third baker gives, the less is left for the others")
def the_others_get_less(c):
    """Compare two frames."""
    few, many = (c.figure("fig-shares").frame(third=bags)["result"] for bags in (3, 5))
    assert (many[:2] < few[:2]).all()
