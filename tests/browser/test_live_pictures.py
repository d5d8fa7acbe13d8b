"""Every view looks as it did."""

from browser.pictures import KEPT, differences, take


def test_every_view_looks_as_it_did(page, server):
    """Coarse pictures, on a screen and a phone, light and dark."""
    taken = take(page, f"{server}/search.html")
    assert {path.stem.partition("-")[0] for path in KEPT.iterdir()} == set(taken)
    found = [told for name, pictures in taken.items() for told in differences(name, pictures)]
    assert not found, "\n".join([*found, "see tests/browser/pictures.py"])
