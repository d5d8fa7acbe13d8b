"""A book with exercises and guesses can be written as LaTeX, by Sphinx itself."""

import pytest
from small_books import HEAD, run, shop, write

PAGE = """# Bread

::::{guess} How many?
:name: guess-bread
- one
- two

:::{dropdown} The answer
Two.
:::
::::

:::{exercise} Choose
:label: ex-bread
The better bread. (3 min, easy)

- **a**: rye
- **b**: wheat
:::

```{code-cell} ipython3
:tags: [exercise]
from bakery.exercises import check
check("ex-bread", ...)
```

:::{solution} ex-bread
Rye.
:::
"""
CONF = """extensions = ["myst_nb", "sphinx_design", "bookwork"]
bookwork_package = "bakery"
myst_enable_extensions = ["colon_fence"]
nb_execution_mode = "off"
exclude_patterns = ["_build"]
"""


@pytest.mark.rare
def test_exercises_and_guesses_are_on_paper(tmp_path):
    write(tmp_path, {"conf.py": CONF, "index.md": HEAD + PAGE} | shop("bakery", "ex-bread"))
    code, words = run(tmp_path, "-m", "sphinx", "-q", "-b", "latex", ".", "_build/latex")
    assert code == 0, words
    (tex,) = (tmp_path / "_build" / "latex").glob("*.tex")
    text = tex.read_text(encoding="utf-8")
    assert all(said in text for said in ("How many?", "The better bread", "Rye."))
