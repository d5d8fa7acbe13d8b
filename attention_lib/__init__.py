"""The attention mechanism in plain NumPy: the library of the book "Paying Attention".

Arrays are ``(..., n, d)``: one vector per row, any number of batch axes before. Queries are rows
and keys are columns of scores and weights. A mask is boolean, and True means "may look".
"""

from attention_lib.blockwise import blockwise_attention, blockwise_attention_backward
from attention_lib.generation import generate
from attention_lib.gradients import attention_backward, numeric_gradient, softmax_backward
from attention_lib.inside import (
    induction_score,
    logit_lens,
    ov_circuit,
    qk_circuit,
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
)
from attention_lib.pooling import attention, kernel_regression, lookup
from attention_lib.positions import (
    alibi_bias,
    attention_with_bias,
    rotary,
    sinusoidal_positions,
)
from attention_lib.projections import self_attention
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
from attention_lib.tokens import BytePairs
from attention_lib.transformer import (
    decoder_logits,
    decoder_steps,
    layer_norm,
    rms_norm,
    swiglu,
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

__version__ = "0.1.0"

__all__ = [
    "BytePairs",
    "additive_score",
    "alibi_bias",
    "attention",
    "attention_backward",
    "attention_with_bias",
    "blockwise_attention",
    "blockwise_attention_backward",
    "boxcar_kernel",
    "causal_mask",
    "decoder_logits",
    "decoder_steps",
    "delta_rule",
    "dot_score",
    "elu_plus_one",
    "epanechnikov_kernel",
    "feed_forward",
    "gated_score",
    "gaussian_kernel",
    "gelu",
    "generate",
    "induction_score",
    "kernel_regression",
    "layer_norm",
    "linear_attention",
    "linear_attention_recurrent",
    "local_mask",
    "logit_lens",
    "lookup",
    "merge_heads",
    "multi_head_attention",
    "multiplicative_score",
    "numeric_gradient",
    "ov_circuit",
    "padding_mask",
    "qk_circuit",
    "rms_norm",
    "rotary",
    "scaled_dot_score",
    "self_attention",
    "sinusoidal_positions",
    "softmax",
    "softmax_backward",
    "split_heads",
    "strided_mask",
    "swiglu",
    "top_k_mask",
    "transformer_block",
    "triangular_kernel",
    "value_weighted",
]
