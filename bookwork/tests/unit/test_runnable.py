"""Which cells can run in a page: those that import nothing that a page does not have."""

import pytest
from bookwork.book.runnable import obstacle

WHY = "it imports far, which Python in a page does not have"


def lacks(name):
    return "far" if name.split(".")[0] == "far" else ""


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import far", WHY),
        ("if True:\n    from far.off import thing", WHY),
        ("%%bash\nls", "%%bash works in Jupyter only"),
        ("%%html\n<b>b</b>", "%%html works in Jupyter only"),
    ],
)
def test_what_a_page_cannot_do_is_told(code, why):
    assert obstacle(code, lacks) == (why, "")


@pytest.mark.parametrize(
    "code",
    [
        "%matplotlib inline\n!pip install far\n%time x = 1",
        "%%time\nx = 1",
        "try:\n    import far\nexcept ImportError:\n    far = None",
        "def later():\n    import far",
        "%load_ext rpy2.ipython\n!wget x\n1",
        "open('data.csv')",
        "this is no Python",
    ],
)
def test_what_a_page_can_do_is_not(code):
    assert obstacle(code, lacks) is None


def test_what_such_a_cell_does_without_that_import_is_done_for_the_cells_below():
    found = obstacle("import numpy as np\nimport far as f\nx = f.x + 1\ny = x\nz = 1", lacks)
    assert found == (WHY, "import numpy as np\nz = 1")
