"""Which cells can run in a page: those that need nothing that a page does not have."""

import pytest

from bookwork.book.runnable import obstacles


def lacks(name):
    return "far, which is away" if name.split(".")[0] == "far" else ""


def judge(*codes):
    """Return why each cell cannot run, or an empty text, and what of it is run all the same."""
    found = obstacles([(code, True) for code in codes], lacks)
    return [(each.why, each.rest) if each else "" for each in found]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("import far", "it imports far, which is away"),
        ("if True:\n    from far.off import thing", "it imports far, which is away"),
        ("%%bash\nls", "%%bash works in Jupyter only"),
        ("%%html\n<b>b</b>", "%%html works in Jupyter only"),
        (
            "import seaborn as sns\nsns.load_dataset('tips')",
            "load_dataset reads from the network, and a page reads from no other host",
        ),
        (
            "from sklearn import datasets as d\nd.fetch_openml()",
            "fetch_openml reads from the network, and a page reads from no other host",
        ),
        (
            "from sklearn.datasets import fetch_california_housing as get\nget()",
            "fetch_california_housing reads from the network, and a page reads from no other host",
        ),
        (
            "import statsmodels.api as sm\nsm.datasets.get_rdataset('a')",
            "get_rdataset reads from the network, and a page reads from no other host",
        ),
        (
            "DATA = Path.cwd() / 'data'\npd.read_csv(DATA / 'x.csv')",
            "it reads data/x.csv, a file that the page does not have",
        ),
        ("Path('a.txt').read_text()", "it reads a.txt, a file that the page does not have"),
        (
            "from IPython.display import Image\nImage(filename='x.png')",
            "it reads x.png, a file that the page does not have",
        ),
        (
            "import sklearn.datasets\nsklearn.datasets.fetch_openml('x')",
            "fetch_openml reads from the network, and a page reads from no other host",
        ),
        (
            "s.to_frame('data')\npd.read_csv('data.csv')",
            "it reads data.csv, a file that the page does not have",
        ),
        (
            "from IPython.display import YouTubeVideo\nYouTubeVideo('abc')",
            "a run cannot show what YouTubeVideo shows",
        ),
        ("pd.read_csv('a/b.csv')", "it reads a/b.csv, a file that the page does not have"),
        (
            "url = 'https://x.org/a'\npd.read_csv(url + '.csv')",
            "it reads from x.org, and a page reads from no other host",
        ),
        (
            "with open('data.txt') as file: pass",
            "it reads data.txt, a file that the page does not have",
        ),
        (
            "np.load(f'https://{host}')",
            "it reads from the network, and a page reads from no other host",
        ),
    ],
)
def test_what_a_page_cannot_do_is_told(code, why):
    assert [told for told, _ in judge(code)] == [why]


@pytest.mark.parametrize(
    "code",
    [
        "%matplotlib inline\n!pip install far\n%time x = 1",
        "%%time\nx = 1",
        "try:\n    import far\nexcept ImportError:\n    far = None",
        "def later():\n    import far",
        "with open('a.txt', 'w') as file: pass\nopen('a.txt')",
        "df.to_csv('a.csv')\npd.read_csv('a.csv')",
        "%load_ext rpy2.ipython\n!wget x\n1",
        "file = Path('a') / 'b.txt'\nfile.write_text('c.d')\nfile.open().read()\nopen('a/b.txt')",
        "for k in '12': (Path('a') / f'b{k}.txt').write_text(k)\nopen('a/b1.txt')",
        "Path('b.txt').open('w')\nopen('b.txt')",
        "df = 'a'\ndf = make(df)\ndf.to_csv('a.csv')\nopen('a.csv')",
        "from book import DATA\nopen(DATA / 'a.csv')",
        "def load_dataset(name): pass\nload_dataset('tips')\nImage(b'')\nmine.fetch_all()",
        "class Image: pass\nImage('cat.png')",
        "open('x.csv', 'w')\npd.read_csv(os.path.join(os.getcwd(), 'x.csv'))",
        "np.save('x', a)\nnp.load('x.npy')",
        "archive.extractall('data')\nopen(Path('data') / 'x.csv')",
        "pd.read_csv(io.StringIO('a,b.c'))\nload('no file')",
        "this is no Python",
    ],
)
def test_what_a_page_can_do_is_not(code):
    assert judge(code) == [""]


def test_cells_below_do_without_what_was_not_made_and_keep_the_rest():
    assert judge(
        "import numpy as np\nimport far as f\nx = f.x + 1",
        "y = x * 2",
        "np.sum([y for y in range(3)])",
        "x = 3",
        "x += 1",
        "def more(f): return f + y",
        "more(2)",
        "class M:\n    def y(self): return y.upper()",
    ) == [
        ("it imports far, which is away", "import numpy as np"),
        ("it needs x, which is made by a cell that is not run", ""),
        "",
        "",
        "",
        ("it needs y, which is made by a cell that is not run", ""),
        ("it needs more, which is made by a cell that is not run", ""),
        ("it needs y, which is made by a cell that is not run", ""),
    ]


def test_what_nobody_made_may_come_from_a_module_that_is_lacking():
    first, second, *_ = judge("from far import *", "data = load_it('a')", "data = 1", "data + 1")
    assert first == ("it imports far, which is away", "")
    assert second == ("it needs load_it, which may come from far", "")
    assert judge("from math import *", "from far import *", "pi")[2] == ""
    known = "try:\n    y = data\nexcept KeyError as e:\n    print(e, [k for k in y])"
    assert judge("from far import *", "data = 1", known)[2] == ""


def test_a_cell_that_the_author_does_not_want_run_is_not_and_needs_no_reason():
    first, second = obstacles([("x = 1", False), ("x", True)], lacks)
    assert first == ("", "")
    assert second.why == "it needs x, which is made by a cell that is not run"
