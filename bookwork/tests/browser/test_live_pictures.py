"""Every view looks as it did: coarse pictures, the same on every machine, beside those kept.

    PYTHONPATH=bookwork/tests python -m browser.test_live_pictures

takes the kept ones anew. Look at them before you commit them: one square is 10 × 10 pixels.
"""

import io
from pathlib import Path

import numpy as np
from bookwork.live import bars, curve, flow, heatmap, live, plane, stage, token_buttons
from bookwork.testing.chromium import open_chromium
from bookwork.testing.shown import TWO_PAINTS, add_widgets, to_weights
from PIL import Image
from places import BUILT

SITE = BUILT / "_build" / "html"
KEPT = Path(__file__).with_name("pictures")
SIZES, SCHEMES = (1280, 390), ("light", "dark")
# The figures stand in a column as wide as a chapter's text, beside nothing that comes and goes.
CALM = """() => {
  document.documentElement.style.scrollbarWidth = "none";
  document.querySelector("#pst-back-to-top")?.remove();
  for (const { style } of document.querySelectorAll(".added")) {
    style.width = `${Math.min(658, innerWidth - 32)}px`;
    style.margin = "30px 0";
  }
}"""
COARSE = 10  # pixels that become one
ALLOWED = 40  # of 255, between two of these
WORDS = ["the", "dog", "chased", "its", "tail"]
POINTS = np.array([[1.0, 2.0], [2.0, 0.5], [-1.5, 1.0], [0.2, -2.0], [-2.0, -1.5]])
SCORES = POINTS @ POINTS.T / 2


def figures():
    """Return one figure for each view, made of fixed numbers."""
    weights, x = to_weights(SCORES), np.linspace(1, 100, 34)
    layer = {"X": POINTS, "Q": POINTS, "K": POINTS, "scores": SCORES, "weights": weights}
    stages = [stage("X"), stage("Q", after="X", colour="blue")]
    stages += [stage("K", after="X", colour="orange")]
    stages += [stage("scores", after={"Q": "row", "K": "all"}), stage("weights", after="scores")]
    lines = {"log": "xy", "xlabel": "tokens", "ylabel": "cost"}
    moved = plane(points=POINTS, labels=WORDS, moves_to="after")
    views = {
        "heatmap": ({"w": weights}, heatmap(WORDS, WORDS, "w")),
        "difference": ({"w": weights - 0.2}, heatmap(WORDS, WORDS, "w", limits=(-1, 1))),
        "bars": ({"w": weights[1]}, bars(WORDS, "w")),
        "plane": ({"after": POINTS / 2}, moved),
        "curve": ({"slow": x, "fast": x**1.5}, curve(x, ["slow", "fast"], **lines)),
        "flow": (layer, flow(stages, rows=WORDS, at="asks")),
    }
    asks = {"flow": {"asks": token_buttons(WORDS)}}
    return {
        name: live(lambda of=of, **_: of, view, name=name, **asks.get(name, {}))
        for name, (of, view) in views.items()
    }


def take(page, address):
    """Return the coarse pictures of each view, at every size and in both schemes, by file."""
    made = figures()
    page.goto(address)
    page.evaluate("() => bookWidgets.ready")
    add_widgets(page, *made.values())
    taken = {}
    for width in SIZES:
        page.set_viewport_size({"width": width, "height": 1200})
        page.evaluate(CALM)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.evaluate("() => document.fonts.ready.then(() => null)")
            page.evaluate(TWO_PAINTS)
            for k, name in enumerate(made):
                taken[f"{name}-{width}-{scheme}.png"] = coarse(page.locator(".live-views").nth(k))
    return taken


def coarse(views):
    """Return a picture whose squares are the mean colours of what is drawn."""
    shot = views.screenshot(animations="disabled", caret="hide")
    picture = Image.open(io.BytesIO(shot)).convert("RGB")
    size = (picture.width // COARSE, picture.height // COARSE)
    whole = picture.crop((0, 0, size[0] * COARSE, size[1] * COARSE))
    return whole.resize(size, Image.Resampling.BOX)


def test_every_view_looks_as_it_did(page, server):
    """On a screen and a phone, light and dark."""
    taken = take(page, f"{server}/search.html")
    assert {path.name for path in KEPT.iterdir()} == set(taken)
    told = [difference_of(name, picture) for name, picture in taken.items()]
    assert not any(told), "\n".join(filter(None, told))


def difference_of(name, picture):
    """Return in words where a picture differs from the one that is kept, or None."""
    kept = Image.open(KEPT / name).convert("RGB")
    if picture.size != kept.size:
        return f"{name} has {picture.size} squares, and had {kept.size}"
    away = np.abs(np.asarray(picture, int) - np.asarray(kept, int)).max(axis=2)
    if away.max() <= ALLOWED:
        return None
    y, x = (COARSE * int(k) for k in np.unravel_index(away.argmax(), away.shape))
    return f"{name} looks different, most of all {x} pixels across and {y} down"


def main():
    with open_chromium() as browser:
        page = browser.new_context(device_scale_factor=1).new_page()
        page.set_default_timeout(180_000)
        for name, picture in take(page, f"{SITE.as_uri()}/search.html").items():
            picture.save(KEPT / name, optimize=True)


if __name__ == "__main__":
    main()
