"""Make the files that the pages fetch."""

from pathlib import Path

import numpy as np

from shop import all_prices, all_recipes

CACHE = Path(".cache")

if __name__ == "__main__":
    CACHE.mkdir(exist_ok=True)
    np.save(CACHE / "prices.npy", all_prices())
    (CACHE / "recipes.txt").write_text(all_recipes(), encoding="utf-8")
