"""Every view looks as it did, and what spoils a figure is noticed."""

import pytest
from browser.looks import LAYOUT
from browser.pictures import ALLOWED, CALM, KEPT, coarse, differences, distances, figures, take
from browser.shown import TWO_PAINTS, add_widgets

SPOIL = {  # what goes wrong in the first figure, and what is said of it
    "a label is cut": (
        "const label = picture.querySelector('text.live-end'); label.setAttribute('x', 5);",
        r'"the" is cut by the edge of its picture',
    ),
    "labels overlap": (
        "const [a, b] = picture.querySelectorAll('text.live-end');"
        "b.setAttribute('y', a.getAttribute('y'));",
        r'"the" and "dog" overlap in heatmap',
    ),
    "half is empty": (
        "picture.setAttribute('width', 250);"
        "picture.querySelectorAll('text').forEach((text) => text.remove());",
        r"% of the width is used by heatmap",
    ),
}


def test_every_view_looks_as_it_did(page, server):
    """Coarse pictures, on a screen and a phone, light and dark."""
    taken = take(page, f"{server}/search.html")
    assert {path.stem.partition("-")[0] for path in KEPT.iterdir()} == set(taken)
    found = [told for name, pictures in taken.items() for told in differences(name, pictures)]
    assert not found, "\n".join([*found, "see tests/browser/pictures.py"])


@pytest.mark.rare  # this tests the test above
def test_what_spoils_a_figure_is_noticed(page, server):
    page.goto(f"{server}/search.html")
    page.evaluate("() => bookWidgets.ready")
    for what, (do, says) in SPOIL.items():
        add_widgets(page, figures()["heatmap"])
        page.evaluate(CALM)
        page.evaluate(TWO_PAINTS)
        views = page.locator(".live-views")
        before = coarse(views)
        assert page.evaluate(LAYOUT) == []
        page.evaluate(
            f"() => {{ const picture = document.querySelector('.live-views svg'); {do} }}"
        )
        assert any(says in fault for fault in page.evaluate(LAYOUT)), what
        spoilt = coarse(views)
        assert spoilt.size != before.size or distances(before, spoilt).max() > ALLOWED, what
        page.evaluate("() => document.querySelector('.book-widget.added').remove()")
