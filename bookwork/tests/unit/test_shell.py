"""What every page has: colours that can be read, each script once, a bundle that is up to date."""

import json
import re
from types import SimpleNamespace

import pytest
from bookwork.site import build_web
from bookwork.sphinx import bundle, figures
from checks import contrast
from places import WEB
from sphinx.errors import ConfigError

ROLES = ["accent", "orange", "green", "purple", "good", "warn", "bad"]
TEXT_COLOURS = ["ink", "muted", *ROLES]


def palettes():
    css = (WEB / "site" / "book.css").read_text()
    blocks = [
        re.search(start + r" \{(.*?)\n\}", css, re.S)[1]
        for start in (r"\nhtml", r'\nhtml\[data-theme="dark"\]')
    ]
    return [dict(re.findall(r"--book-([\w-]+): (#\w{6});", block)) for block in blocks]


def test_light_and_dark_define_the_same_colours():
    light, dark = palettes()
    assert light.keys() == dark.keys() >= set(TEXT_COLOURS)


@pytest.mark.parametrize("name", TEXT_COLOURS)
@pytest.mark.parametrize("ground", ["page", "surface"])
def test_text_colours_can_be_read_in_light_and_dark(name, ground):
    for palette in palettes():
        assert contrast(palette[name], palette[ground]) >= 4.5


class Settings(dict):
    """Sphinx's settings, which are read as attributes too."""

    __getattr__, __setattr__ = dict.__getitem__, dict.__setitem__


@pytest.mark.parametrize("is_ours", [True, False])
def test_figures_have_numbers_in_the_house_style_and_else_as_the_book_says(is_ours, tmp_path):
    config = Settings(overrides={}, _raw_config={}, exclude_patterns=[], project="A book")
    config |= {"bookwork_house_style": is_ours, "bookwork_policy": "none", "bookwork_id": "a"}
    bundle.set_defaults(SimpleNamespace(srcdir=tmp_path), config)
    assert ("numfig" in config) is is_ours


def test_a_page_says_no_script_twice_and_leaves_that_of_live_figures_to_the_bundle():
    models = {"a": {"_esm": "</draw>", "_css": "x"}, "b": {"_esm": "</draw>"}, "c": {"value": 1}}
    live = {"_esm": "live", "_css": "y", "_anywidget_id": figures.LIVE}
    state = {name: {"state": model} for name, model in (models | {"d": live}).items()}
    state = json.loads(json.dumps(state))
    figures.drop_repeats(state)
    state = {name: model["state"] for name, model in state.items()}
    assert state == models | {"b": {"_esm": {"same as": "a"}}, "d": {"_anywidget_id": figures.LIVE}}


@pytest.mark.parametrize("room", ["sphinx", "sphinx/templates", "book", "site"])
def test_pages_are_read_again_when_what_makes_them_has_changed(tmp_path, monkeypatch, room):
    (tmp_path / room).mkdir(parents=True)
    monkeypatch.setattr(bundle, "PACKAGE", tmp_path)
    noted = set()
    for text in ("before", "after"):
        (tmp_path / room / "it.py").write_text(text)
        noted.add(bundle.digest_of_workshop())
    assert len(noted) == 2


def test_a_policy_that_does_not_exist_is_refused():
    with pytest.raises(ConfigError, match="bookwork_policy is none or strict, and not 'lax'"):
        bundle.set_defaults(None, SimpleNamespace(bookwork_policy="lax"))


def test_every_build_brings_the_bundle_up_to_date_also_that_of_jupyter_book(monkeypatch, tmp_path):
    asked = []
    monkeypatch.setattr(build_web, "main", lambda: asked.append("now"))
    app = SimpleNamespace(outdir=tmp_path, add_css_file=nothing, add_js_file=nothing)
    config = SimpleNamespace(html_static_path=[], bookwork_house_style=False)
    bundle.add_bundle(app, config)
    assert asked == ["now"]


def nothing(*_, **__):
    pass
