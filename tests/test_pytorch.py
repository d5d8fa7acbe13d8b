"""The page "The same in PyTorch": its model against transformers, the library and itself."""

import runpy
from pathlib import Path

import pytest

from attention_lib.models import model_path

EXAMPLE = Path(__file__).parents[1] / "examples" / "pytorch" / "block_of_today.py"


@pytest.mark.rare
@pytest.mark.filterwarnings("default")  # of PyTorch itself
@pytest.mark.skipif(not model_path().is_file(), reason="SmolLM2 is not fetched")
def test_the_model_in_pytorch_gives_the_logits_of_the_others():
    pytest.importorskip("torch")
    *exact, rounded = runpy.run_path(str(EXAMPLE))["differences"]().values()
    assert len(exact) == 4
    assert max(exact) < 5e-4
    assert rounded < 4
