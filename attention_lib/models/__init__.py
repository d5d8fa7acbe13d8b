"""Real models and small data: word vectors, MiniLM, SmolLM2, and models trained for the book.

The mathematics of `attention_lib` uses none of this.
"""

from attention_lib.models.answers import Model, stored
from attention_lib.models.data import (
    DatasetError,
    load_book_titles,
    load_first_names,
    load_gpu_times,
    load_law_schools,
    load_look_back,
    load_measures,
    load_minilm_attention,
    load_minilm_block,
    load_minilm_layer,
    load_minilm_positions,
    load_names_model,
    load_serving_times,
    load_smollm2_block,
    load_smollm2_heads,
    load_translator,
    load_word_vectors,
    load_writer,
)
from attention_lib.models.gguf import ModelFile
from attention_lib.models.minilm import MiniLM, attention_of, load_minilm
from attention_lib.models.smollm2 import LanguageModel, model_path

# fmt: off
__all__ = [
    "DatasetError", "LanguageModel", "MiniLM", "Model", "ModelFile", "attention_of",
    "load_book_titles", "load_first_names", "load_gpu_times", "load_law_schools",
    "load_look_back", "load_measures", "load_minilm", "load_minilm_attention",
    "load_minilm_block", "load_minilm_layer", "load_minilm_positions", "load_names_model",
    "load_serving_times", "load_smollm2_block", "load_smollm2_heads", "load_translator",
    "load_word_vectors", "load_writer", "model_path", "stored",
]
