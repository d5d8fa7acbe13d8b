"""Settings of the lecture, as one might have had them before bookwork: Sphinx and furo."""

project = "Lectures on a Small Market"
author = "The authors of Lectures on a Small Market"
copyright = "2026"
extensions = ["myst_nb", "sphinx_external_toc", "sphinx_exercise", "bookwork"]  # bookwork is last
exclude_patterns = ["_build", ".*", "README.md"]
html_theme = "furo"
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
nb_execution_mode = "cache"
numfig = True

bookwork_package = "bread"
bookwork_math = "katex"  # formulas without a script from another host
