"""Train small models that differ only in how they see places; measure them beyond their length.

    python provenance/data/train_positions.py --into attention_lib/data    # about ten minutes

Each text is a mark and random letters; after each letter, a model names the letter three places
before it. The models learn from texts of 20 letters and are asked about texts of 60. Those with
rotary positions then read texts of 60 with hands that turn more slowly, before and after a little
further training. The backward pass is written by hand, as in attention_lib.
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from attention_lib import (
    Adam,
    alibi_bias,
    causal_mask,
    cross_entropy,
    merge_heads,
    rms_norm,
    rms_norm_backward,
    rotary,
    sinusoidal_positions,
    softmax,
    softmax_backward,
    split_heads,
)
from attention_lib.backward import _embedding_backward, _over_rows, _sum

SCHEMES = ("none", "waves", "learned", "rotary", "alibi")
LETTERS, BACK = 8, 3
TRAINED, TESTED = 20, 60  # letters in a text
SEEDS = 3
D, HEADS, BLOCKS, D_H = 32, 4, 2, 64
SLOPES = np.float32([2.0**-r for r in range(2, 10, 2)])  # as in the paper, for four heads
STEPS = dict.fromkeys(SCHEMES, 1000) | {"alibi": 3000}  # until nearly every answer is right
FURTHER = (0, 20, 180)  # steps on texts of the tested length, one after the other
D_K, LONGER = D // HEADS, TESTED / TRAINED


def interpolated(X, places):
    """Turn every hand a third as far, so that no angle is larger than in training."""
    return rotary(X, places / LONGER)


def larger_base(X, places):
    """Turn the fastest hand as before, the slowest a third as far and those between accordingly."""
    return rotary(X, places, base=10000.0 * LONGER ** (D_K / (D_K - 2)))


def by_parts(X, places):
    """Turn the hands that came round in training as before and the others a third as far."""
    turns = TRAINED * 10000.0 ** (-np.arange(0, D_K, 2) / D_K) / (2 * math.pi)  # (D_K / 2,)
    return np.where(np.repeat(turns >= 1, 2), rotary(X, places), rotary(X, places / LONGER))


HANDS = {
    "as trained": rotary,
    "interpolated": interpolated,
    "larger base": larger_base,
    "by parts": by_parts,
}


@dataclass(frozen=True)
class LookBack:
    """A causal model of two blocks, how it sees places, and how its hands turn."""

    scheme: str
    hands: str = "as trained"

    def start(self, rng):
        """Draw the parameters; the sizes are those of `start_decoder`."""
        shapes = dict.fromkeys(("W_q", "W_k", "W_v", "W_o"), (BLOCKS, D, D))
        shapes |= {"W_1": (BLOCKS, D, D_H), "W_2": (BLOCKS, D_H, D), "U": (D, LETTERS)}
        drawn = {name: rng.normal(size=s) / math.sqrt(s[-2]) for name, s in shapes.items()}
        drawn |= {"W_o": 0.3 * drawn["W_o"], "W_2": 0.3 * drawn["W_2"]}
        drawn |= {"b_1": np.zeros((BLOCKS, D_H)), "gain_1": np.ones((BLOCKS, D))}
        drawn |= {"gain_2": np.ones((BLOCKS, D)), "gain": np.ones(D)}
        drawn["E"] = rng.normal(size=(LETTERS + 1, D))
        if self.scheme == "learned":
            drawn["P"] = rng.normal(size=(TESTED + 1, D))
        return {name: array.astype(np.float32) for name, array in drawn.items()}

    def embed(self, p, tokens):
        """Return one vector per token; the mark is the last of the table."""
        X, n = p["E"][tokens], tokens.shape[-1]  # (..., n, D)
        if self.scheme == "learned":
            X = X + p["P"][:n]
        if self.scheme == "waves":
            X = X + sinusoidal_positions(n, D, dtype=X.dtype)
        return X

    def turn(self, Q, back=False):
        """Turn queries or keys by their places, or their gradients back."""
        if self.scheme != "rotary":
            return Q
        places = np.arange(Q.shape[-2])
        return HANDS[self.hands](Q, -places if back else places)

    def attend(self, Q, K):
        """Return the weights of all heads."""
        n, d_k = Q.shape[-2:]
        scores = Q @ K.mT / np.float32(math.sqrt(d_k))  # (..., h, n, n)
        if self.scheme == "alibi":
            scores = scores + alibi_bias(SLOPES, n)
        return softmax(scores, mask=causal_mask(n))

    def block(self, p, i, X):
        """Return the output of block i and what the way back needs."""
        A = rms_norm(X, p["gain_1"][i])
        Q, K, V = (split_heads(A @ p[name][i], HEADS) for name in ("W_q", "W_k", "W_v"))
        Q, K = self.turn(Q), self.turn(K)
        weights = self.attend(Q, K)
        found = merge_heads(weights @ V)  # (..., n, D)
        H = X + found @ p["W_o"][i]
        B = rms_norm(H, p["gain_2"][i])
        hidden = np.maximum(0, B @ p["W_1"][i] + p["b_1"][i])
        return H + hidden @ p["W_2"][i], (X, A, Q, K, V, weights, found, H, B, hidden)

    def block_backward(self, p, i, steps, d_output):
        """Return the gradients of the input of block i and of its parameters."""
        X, A, Q, K, V, weights, found, H, B, hidden = steps
        d_hidden = (d_output @ p["W_2"][i].T) * (hidden > 0)
        d = {"W_2": _sum(hidden, d_output), "W_1": _sum(B, d_hidden), "b_1": _over_rows(d_hidden)}
        d_H, d["gain_2"] = rms_norm_backward(H, d_hidden @ p["W_1"][i].T, p["gain_2"][i])
        d_H += d_output
        d["W_o"], d_found = _sum(found, d_H), split_heads(d_H @ p["W_o"][i].T, HEADS)
        d_scores = softmax_backward(weights, d_found @ V.mT) / np.float32(math.sqrt(Q.shape[-1]))
        d_Q, d_K = self.turn(d_scores @ K, back=True), self.turn(d_scores.mT @ Q, back=True)
        d_A = np.zeros_like(A)
        for name, d_part in (("W_q", d_Q), ("W_k", d_K), ("W_v", weights.mT @ d_found)):
            rows = merge_heads(d_part)
            d[name] = _sum(A, rows)
            d_A += rows @ p[name][i].T
        d_X, d["gain_1"] = rms_norm_backward(X, d_A, p["gain_1"][i])
        return d_X + d_H, d

    def logits(self, p, tokens):
        """Return scores (..., n, LETTERS) and the steps of each block."""
        X, steps = self.embed(p, tokens), []
        for i in range(BLOCKS):
            X, kept = self.block(p, i, X)
            steps.append(kept)
        return rms_norm(X, p["gain"]) @ p["U"], (X, steps)

    def gradients(self, p, tokens, answers):
        """Return the loss and how it changes with each parameter."""
        logits, (X, steps) = self.logits(p, tokens)
        asked, d_logits = answers >= 0, np.zeros_like(logits)
        loss, d_logits[asked] = cross_entropy(logits[asked], answers[asked])
        d = {"U": _sum(rms_norm(X, p["gain"]), d_logits)}
        d_X, d["gain"] = rms_norm_backward(X, d_logits @ p["U"].T, p["gain"])
        blocks = [{}] * BLOCKS
        for i in reversed(range(BLOCKS)):
            d_X, blocks[i] = self.block_backward(p, i, steps[i], d_X)
        d |= {name: np.stack([block[name] for block in blocks]) for name in blocks[0]}
        return loss, d | _embedding_backward(tokens, p, d_X)


def draw(rng, size, length):
    """Draw texts (size, 1 + length), a mark first, and answers; -1 where none is asked."""
    tokens = rng.integers(LETTERS, size=(size, 1 + length))
    tokens[:, 0] = LETTERS
    answers = np.full_like(tokens, -1)
    answers[:, 1 + BACK :] = tokens[:, 1:-BACK]
    return tokens, answers


def learn(model, p, rng, length, steps, size, rate=0.003):
    """Take some steps, each on new texts, slower at the end."""
    adam = Adam(p, rate)
    for step in range(steps):
        adam.rate = rate * min(1, 4 * (1 - step / steps))
        _, d = model.gradients(p, *draw(rng, size, length))
        adam.step(d)


def train(scheme, seed):
    """Return a model and its parameters after training on short texts."""
    rng, model = np.random.default_rng(seed), LookBack(scheme)
    p = model.start(rng)
    learn(model, p, rng, TRAINED, STEPS[scheme], 32)
    return model, p


def measure(model, p, seed, size=500):
    """Return how often each place of longer texts is right, and what hands add to scores."""
    tokens, answers = draw(np.random.default_rng(1000 + seed), size, TESTED)
    logits, (_, steps) = model.logits(p, tokens)
    right = logits.argmax(axis=-1) == answers  # (size, 1 + TESTED)
    return right[:, 1:].mean(axis=0), hand_terms(*steps[-1][2:4])


def hand_terms(Q, K):
    """Return what each hand adds to the last letter's scores, by distance: their mean (n, hands).

    The mean is over texts and heads; the sum over hands is the mean score.
    """
    pairs = (Q[..., -1:, :] * K).reshape(*K.shape[:-1], D_K // 2, 2)  # (..., n, hands, 2)
    return pairs.sum(axis=-1).mean(axis=(0, 1))[::-1] / math.sqrt(D_K)


def lengthen(p, seed):
    """Return what `measure` finds with each kind of hands, before and after further training."""
    found = []
    for hands in HANDS:
        model, q = LookBack("rotary", hands), {name: array.copy() for name, array in p.items()}
        rng = np.random.default_rng(2000 + seed)
        for steps in FURTHER:
            learn(model, q, rng, TESTED, steps, 8)
            found.append(measure(model, q, seed, 100))
    shape = len(HANDS), len(FURTHER)
    return [np.float32(part).reshape(*shape, *part[0].shape) for part in zip(*found, strict=True)]


def main():
    """Train every scheme with three seeds, and lengthen the texts of the models that turn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--into", type=Path, required=True)
    options = parser.parse_args()
    right = np.zeros((len(SCHEMES), SEEDS, TESTED), np.float32)
    longer = []
    for scheme in SCHEMES:
        for seed in range(SEEDS):
            model, p = train(scheme, seed)
            row, _ = measure(model, p, seed)
            right[SCHEMES.index(scheme), seed] = row
            print(scheme, seed, row[BACK:TRAINED].mean(), row[TRAINED:].mean(), flush=True)
            if scheme == "rotary":
                longer.append(lengthen(p, seed))
    longer, terms = (np.stack(part, axis=1) for part in zip(*longer, strict=True))
    file = {"schemes": SCHEMES, "right": right, "hands": tuple(HANDS), "longer": longer}
    np.savez_compressed(options.into / "look_back.npz", **file, terms=terms[..., 0, :, :])


if __name__ == "__main__":
    main()
