"""The attention mechanism in plain NumPy: the library of the book "Paying Attention".

Arrays are ``(..., n, d)``: one vector per row, any number of batch axes before. Queries are rows
and keys are columns of scores and weights. A mask is boolean, and True means "may look".

Data and real models are in `attention_lib.models`, which nothing here imports.
"""

from attention_lib.backward import (
    attention_backward,
    cross_entropy,
    decoder_gradients,
    numeric_gradient,
    rms_norm_backward,
    softmax_backward,
)
from attention_lib.blockwise import blockwise_attention, blockwise_attention_backward
from attention_lib.generation import generate, next_token_weights, top_p_mask, write
from attention_lib.inside import (
    induction_score,
    logit_lens,
    ov_circuit,
    qk_circuit,
    trace,
    value_weighted,
)
from attention_lib.linear import (
    delta_rule,
    elu_plus_one,
    linear_attention,
    linear_attention_recurrent,
)
from attention_lib.multi_head import (
    feed_forward,
    gelu,
    merge_heads,
    multi_head_attention,
    split_heads,
    swiglu,
)
from attention_lib.pooling import (
    attention,
    attention_with_bias,
    kernel_regression,
    lookup,
    self_attention,
)
from attention_lib.positions import alibi_bias, rotary, sinusoidal_positions
from attention_lib.scores import (
    additive_score,
    boxcar_kernel,
    dot_score,
    epanechnikov_kernel,
    gated_score,
    gaussian_kernel,
    multiplicative_score,
    scaled_dot_score,
    triangular_kernel,
)
from attention_lib.tokens import ByteLevelPairs, BytePairs, WordPieces, learn_pairs
from attention_lib.training import (
    Adam,
    Copying,
    LookUp,
    Spelling,
    Training,
    bits,
    measure,
    start_decoder,
    train,
)
from attention_lib.transformer import (
    decoder_logits,
    decoder_steps,
    layer_norm,
    rms_norm,
    transformer_block,
)
from attention_lib.weights import (
    causal_mask,
    local_mask,
    padding_mask,
    softmax,
    strided_mask,
    top_k_mask,
)

__version__ = "1.0.0"

# fmt: off
__all__ = [
    "Adam", "ByteLevelPairs", "BytePairs", "Copying", "LookUp", "Spelling", "Training",
    "WordPieces", "additive_score", "alibi_bias", "attention", "attention_backward",
    "attention_with_bias", "bits", "blockwise_attention", "blockwise_attention_backward",
    "boxcar_kernel", "causal_mask", "cross_entropy", "decoder_gradients", "decoder_logits",
    "decoder_steps", "delta_rule", "dot_score", "elu_plus_one", "epanechnikov_kernel",
    "feed_forward", "gated_score", "gaussian_kernel", "gelu", "generate", "induction_score",
    "kernel_regression", "layer_norm", "learn_pairs", "linear_attention",
    "linear_attention_recurrent", "local_mask", "logit_lens", "lookup", "measure",
    "merge_heads", "multi_head_attention", "multiplicative_score", "next_token_weights",
    "numeric_gradient", "ov_circuit", "padding_mask", "qk_circuit", "rms_norm",
    "rms_norm_backward", "rotary", "scaled_dot_score", "self_attention", "sinusoidal_positions",
    "softmax", "softmax_backward", "split_heads", "start_decoder", "strided_mask", "swiglu",
    "top_k_mask", "top_p_mask", "trace", "train", "transformer_block", "triangular_kernel",
    "value_weighted", "write",
]
