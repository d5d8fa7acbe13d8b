"""A page of the house style as it is written: what it loads, how, and what it links to instead."""

import re
import zlib

import pytest
from small_books import run, write

CONF = """extensions = ["myst_nb", "sphinx_book_theme", "bookwork"]
html_theme = "sphinx_book_theme"
bookwork_house_style = True
bookwork_policy = "strict"
templates_path = ["_templates"]
template_bridge = "own_bridge.Bridge"
"""
BRIDGE = """from sphinx.jinja2glue import BuiltinTemplateLoader
class Bridge(BuiltinTemplateLoader):
    def render(self, template, context):
        return super().render(template, context) + "<!-- the bridge of the book -->"
"""
PLAIN = """# Plain

![A picture](a.png)

![Another](a.svg)

![A dot](drawn.svg)

<iframe width="9" src="https://www.youtube-nocookie.com/embed/Ab-1?rel=0"></iframe>

<video controls>
<source src="//films.example/a.mp4"></video>

<iframe src="_static/own.html"></iframe>

Text <audio src=https://tones.example/a.mp3></audio> and text.
"""
DRAWN = '<svg class="drawing" role="img"><title>Dot</title><a href="index.html"><g/></a></svg>'
CONTENTS = "# Start\n\n```{toctree}\nplain\n```\n"


def png(width, height):
    """Return the beginning of a picture, which is all that is read of it."""
    head = b"IHDR" + width.to_bytes(4) + height.to_bytes(4) + bytes([8, 0, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + (13).to_bytes(4) + head + zlib.crc32(head).to_bytes(4)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("book")
    texts = {
        "conf.py": CONF,
        "own_bridge.py": BRIDGE,
    }
    write(
        folder,
        texts | {"index.md": CONTENTS, "plain.md": PLAIN} | {"a.svg": "<svg/>", "drawn.svg": DRAWN},
    )
    (folder / "a.png").write_bytes(png(720, 377))
    code, said = run(folder, "-m", "bookwork.site.build")
    assert code == 0, said
    return folder / "_build" / "html"


@pytest.fixture(scope="module")
def page(site):
    return (site / "plain.html").read_text()


def test_what_the_theme_loads_for_nothing_is_left_out_and_the_rest_waits(page):
    for needless in ("fontawesome.js", "all.min.js", 'as="script"', "searchtools.js", "thebe"):
        assert needless not in page
    assert 'rel="next"' not in page
    assert "scripts/bootstrap.js" in page
    files = re.findall(r'<script [^>]*src="[^>]*>', page)
    assert len(files) > 4
    assert [file for file in files if "defer" not in file] == []


def test_a_picture_has_a_digest_and_a_png_waits_in_a_place_of_its_size(page):
    sizes = re.findall(r'<img loading="lazy" width="720" height="377" [^>]*src="([^"]*)"', page)
    assert re.fullmatch(r"_images/a\.png\?v=\w{8}", sizes[0])
    assert re.search(r'<img alt="Another" src="_images/a\.svg\?v=\w{8}"', page)
    assert '<svg class="drawing" role="group" aria-label="A dot"><a href="index.html">' in page


def test_a_book_with_a_template_bridge_of_its_own_has_its_policy_too(page):
    assert "<!-- the bridge of the book -->" in page
    assert page.count("Content-Security-Policy") == 1
