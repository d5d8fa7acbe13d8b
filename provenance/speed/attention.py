"""Attention beside PyTorch: time as a ratio, and extra memory.

Prints a table; with --record, it goes to attention.csv and attention.txt beside this file, which
the chapter "Making it fast" shows. In README.md, one folder up: what it needs, what it measures.
"""

import argparse
import csv
import io
import os
import platform
import statistics
import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
import threadpoolctl
import torch
from torch.nn import functional

from attention_lib import attention, blockwise_attention, causal_mask

RECORD = Path(__file__).with_suffix(".csv")
HEADS, LENGTHS, D = 8, (512, 1024, 2048), 64
ROUNDS = 15
PAUSE = 0.1  # seconds; idle threads of a BLAS keep a core busy for a while
THREADS = 2
PEER = "PyTorch, fused"
WAYS = ("NumPy, whole matrix", "NumPy, blockwise", "PyTorch, whole matrix")
HEAD = ["tokens", "causal", *WAYS, "MiB, whole matrix", "MiB, blockwise"]
BLAS = threadpoolctl.ThreadpoolController()


def subjects(n, causal):
    """Return the four ways to compute the same output, as functions without arguments."""
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, HEADS, n, D)).astype("float32")
    q, k, v = (torch.from_numpy(part)[None] for part in (Q, K, V))  # (1, heads, n, d)
    mask = causal_mask(n) if causal else None
    fused = functional.scaled_dot_product_attention

    def whole():
        with BLAS.limit(limits=THREADS, user_api="blas"):  # its matrix products may use both cores
            return attention(Q, K, V, mask=mask)[0]

    return {
        "NumPy, whole matrix": whole,
        "NumPy, blockwise": lambda: blockwise_attention(Q, K, V, causal=causal),
        "PyTorch, whole matrix": lambda: whole_in_torch(q, k, v, mask),
        PEER: lambda: fused(q, k, v, is_causal=causal),
    }


def whole_in_torch(q, k, v, mask):
    """Compute the formula in PyTorch, without its fused function."""
    scores = q @ k.transpose(-2, -1) / D**0.5
    if mask is not None:
        scores = scores.masked_fill(~torch.from_numpy(mask), -torch.inf)
    return torch.softmax(scores, dim=-1) @ v


def measure(n, causal):
    """Return the times of all rounds and the peak of extra memory of both NumPy ways, in MiB."""
    ways = subjects(n, causal)
    outputs = [np.asarray(way()).reshape(HEADS, n, D) for way in ways.values()]  # and warm up
    for output in outputs:
        np.testing.assert_allclose(output, outputs[0], atol=1e-5)
    times = {name: [] for name in ways}
    for _ in range(ROUNDS):  # in turns, so that a busy moment affects all of them
        for name, way in ways.items():
            times[name].append(seconds(way))
    return times, {name: extra_memory(ways[name]) for name in WAYS[:2]}


def seconds(way):
    """Return how long the second of two calls takes, once the threads of other ways are idle."""
    time.sleep(PAUSE)
    way()
    start = time.perf_counter()
    way()
    return time.perf_counter() - start


def extra_memory(way):
    """Return the peak of NumPy's extra memory during a call, including the output."""
    tracemalloc.start()
    way()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak / 2**20


def row(n, causal, times, memory):
    """Return one line of the table: medians as ratios to PyTorch's own function."""
    medians = {name: statistics.median(rounds) for name, rounds in times.items()}
    ratios = [f"{medians[name] / medians[PEER]:.1f}" for name in WAYS]
    return [n, "yes" if causal else "no", *ratios, *(f"{mib:.0f}" for mib in memory.values())]


def described():
    """Say in one sentence what the numbers were measured on."""
    return (
        f"Measured on {THREADS} cores of an {platform.machine()} processor under "
        f"{platform.system()}, with Python {platform.python_version()}, NumPy {np.__version__} "
        f"and PyTorch {torch.__version__.split('+')[0]}."
    )


def main(arguments=None):
    """Measure, and print or record what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--record", action="store_true", help="change what the book states")
    record = parser.parse_args(arguments).record
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        sys.exit("set OPENBLAS_NUM_THREADS=1: blockwise_attention brings its own threads")
    torch.set_num_threads(THREADS)
    rows = [row(n, causal, *measure(n, causal)) for n in LENGTHS for causal in (False, True)]
    table = io.StringIO()
    csv.writer(table, lineterminator="\n").writerows([HEAD, *rows])
    print(table.getvalue(), described(), sep="\n")
    if record:
        RECORD.write_text(table.getvalue(), encoding="utf-8")
        RECORD.with_suffix(".txt").write_text(described() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
