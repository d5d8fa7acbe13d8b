"""Sphinx extension: the live figures and other widgets of a page.

myst-nb would put the state of a page's widgets into its head. Here it stands after the text, so
that the text does not wait for it; nothing in it is said twice; and large frames are in files
(lazy_frames.py). Before each live figure is its table of numbers (plain_figures.py), for readers
whose page runs no script.
"""

import json

from docutils import nodes
from sphinx.util import logging

from bookwork.sphinx.lazy_frames import put_in_files, remove_files
from bookwork.sphinx.pages import add_node, as_data, is_site
from bookwork.sphinx.plain_figures import SAID, plain_figure

WIDGET_STATE = "application/vnd.jupyter.widget-state+json"
VIEW = '<script type="application/vnd.jupyter.widget-view+json">'
LIVE = "bookwork.live.figure.Drawing"
MOST = 6  # MB of one page
HEAVY = (
    "the figures of this page have %.1f MB, more than %d: give them fewer values, "
    "or set bookwork_inline_limit"
)
logger = logging.getLogger(__name__)


class widget_state(nodes.General, nodes.Element):  # noqa: N801
    """The state of all widgets of a page."""


class plain_view(nodes.General, nodes.Element):  # noqa: N801
    """What stands on a page in the place of a figure until it is drawn."""


def setup(app):
    """Connect each step to Sphinx."""
    add_node(app, widget_state, write_state, "")
    add_node(app, plain_view, lambda writer, node: writer.body.append(node["html"]), "")
    app.connect("doctree-read", take_widgets)


def take_widgets(app, doctree):
    """Put the widgets of a page after its text, and tables in the place of its figures."""
    scripts = getattr(app.env, "nb_metadata", {}).get(app.env.docname, {}).get("js_files", {})
    _, script = scripts.pop("ipywidgets_state", (None, None))
    if script is None:
        return
    page = json.loads(script["body"])
    add_tables(doctree, page["state"])
    drop_repeats(page["state"])
    doctree += widget_state(page=page)


def add_tables(doctree, widgets):
    """Put tables in the place of each live figure, and a sentence below the title of the page."""
    found = [(node, find_drawing(view_in(node), widgets)) for node in doctree.findall(nodes.raw)]
    for node, drawing in [each for each in found if each[1]]:
        place = node.parent.index(node)
        node.parent.insert(place, plain_view(html=plain_figure(drawing)))
    if title := doctree.next_node(nodes.title):
        title.parent.insert(title.parent.index(title) + 1, plain_view(html=SAID))


def view_in(node):
    """Return the name of the widget that a node shows, or nothing."""
    text = node.astext()
    shows = text.startswith(VIEW)
    return json.loads(text[len(VIEW) : text.index("</script>")])["model_id"] if shows else ""


def find_drawing(name, widgets):
    """Return the drawn part of a live figure: the widget itself, or one inside it."""
    model = widgets.get(name, {"state": {}})
    if "spec" in model["state"] and "frames" not in model["state"]:
        return model
    inside = [child.removeprefix("IPY_MODEL_") for child in model["state"].get("children", ())]
    return next(filter(None, (find_drawing(child, widgets) for child in inside)), None)


def drop_repeats(widgets):
    """Leave out scripts and styles that the bundle has, and repeated ones but for a reference."""
    owners = {}
    for name, model in widgets.items():
        state = model["state"]
        for key in {"_esm", "_css"} & state.keys():
            owner = owners.setdefault((key, state[key]), name)
            if state.get("_anywidget_id") == LIVE:
                del state[key]
            elif state[key] and owner != name:
                state[key] = {"same as": owner}


def write_state(writer, node):
    """Write the widgets of a page, and beside it the files of large frames."""
    builder, page = writer.builder, node["page"]
    if is_site(builder):
        remove_files(builder.outdir, builder.current_docname)
        if limit := writer.config.bookwork_inline_limit:
            put_in_files(page["state"], limit, builder.outdir, builder.current_docname)
    text = as_data(page)
    if len(text) > MOST * 1e6:
        logger.warning(HEAVY, len(text) / 1e6, MOST, location=builder.current_docname)
    writer.body.append(f'\n<script type="{WIDGET_STATE}">{text}</script>\n')
