"""Exercises of the chapter "Serving a model"."""

from functools import partial

from bookwork.exercises import (
    EXACT,
    Checkers,
    FunctionChecker,
    Raises,
    Value,
    Values,
    parts,
    random_case,
)
from numpy.random import Generator

from attention_exercises._rules import named_number, not_yet_repaired, numbers
from attention_lib._arguments import Array

EXERCISES: Checkers = {}
_number = partial(named_number, tolerance=1e-3, rough=5e-3)


# ex-token-bytes
_TOKEN = 2 * 36 * 8 * 128 * 2 / 1024  # KiB
_ALL_TOKENS = _TOKEN * 32_768 / 2**20  # GiB
_FIELDS = "Multiply the five factors of the equation."

EXERCISES["ex-token-bytes"] = Values(
    (
        _number(
            "token",
            _TOKEN,
            {
                _TOKEN / 2: "there is a key and a value, so one more factor of 2.",
                _TOKEN * 4: "that counts the heads of queries. Only heads of keys are kept.",
                _TOKEN * 0.625: "that takes d / h for the size of a head. Here head_dim says it.",
                _TOKEN / 36: "that is one layer. Each of the 36 has a cache of its own.",
                _TOKEN * 1024: "that is in bytes. Divide by 1,024.",
                _TOKEN * 1.024: "that is in kB, of 1,000 bytes. A KiB has 1,024.",
            },
            _FIELDS,
        ),
        _number(
            "conversation",
            _ALL_TOKENS,
            {
                _ALL_TOKENS * 1024: "that is in MiB. Divide by 1,024 once more.",
                _ALL_TOKENS * 2**20 * 1024 / 10**9: "that is in GB, of 10^9 bytes. A GiB has "
                "2^30, which is a little more.",
                _ALL_TOKENS / 2: "there is a key and a value, so one more factor of 2.",
            },
            "Multiply by the tokens, then divide by 2^20 to get from KiB to GiB.",
        ),
    ),
    praise="144 KiB a token and 4.5 GiB a conversation: the layers, the heads of keys and their "
    "size decide, not the width of the model.",
)

# ex-how-many-fit
_PARAMETERS = 8_030_261_248
_EACH = 4096 * 2 * 32 * 8 * 128  # bytes, one for each number


def _fit(gib: float, weights: float, each: float) -> int:
    return int((gib * 2**30 - weights) // each)


EXERCISES["ex-how-many-fit"] = Value(
    "conversations",
    _fit(72, _PARAMETERS, _EACH),
    {
        _fit(80, _PARAMETERS, _EACH): "that leaves nothing free: a tenth of the memory is kept for "
        "the rest.",
        _fit(72, 0, _EACH): "the weights take room, too.",
        _fit(72, _PARAMETERS, 2 * _EACH): "that is a cache of two bytes per number. Here it is "
        "one.",
        _fit(72, 2 * _PARAMETERS, _EACH): "that stores the weights in two bytes per parameter. "
        "Here it is one.",
        _fit(72, 2 * _PARAMETERS, 2 * _EACH): "that takes two bytes for parameters and cache. "
        "Here both take one.",
        _fit(72, _PARAMETERS, _EACH / 2): "a token has a key and a value.",
        _fit(72, _PARAMETERS, 4 * _EACH): "that counts all 32 heads. Only the 8 heads of keys are "
        "kept.",
        _fit(72e9 / 2**30, _PARAMETERS, _EACH): "that takes 10^9 bytes for a GiB. It has 2^30.",
        _fit(72, _PARAMETERS, _EACH) + 1: "the last of them does not fit: round down.",
    },
    praise="258 conversations: with half the bits, a smaller GPU holds more than the larger one "
    "in 16.",
    advice="{} is not right. Subtract the weights from 72 GiB, then divide by the bytes of 4,096 "
    "tokens, and round down.",
)

# ex-roofline
_SLOPE = "Left of the ridge the roof is the intensity times the bandwidth."

EXERCISES["ex-roofline"] = Values(
    (
        _number(
            "ridge",
            150,
            {
                1 / 150: "that is bytes per operation. Invert it.",
                600: "that is a product. The ridge is operations a second over bytes a second.",
                300: "that counts a multiplication and an addition twice: the 300 has both.",
            },
            "At the ridge, intensity times bandwidth is as high as the roof.",
        ),
        _number(
            "weights",
            40,
            {
                300: "that is the flat roof. An intensity of 20 lies left of the ridge.",
                20: "that is the intensity. Multiply it by the bandwidth.",
                80: "two operations per weight meet two bytes per weight: the intensity is 20.",
                20 / 150: "that is a share of the roof. Multiply it by the roof.",
            },
            _SLOPE,
        ),
        _number(
            "attention",
            16,
            {
                8: "that is the intensity. Multiply it by the bandwidth.",
                300: "that is the flat roof. An intensity of 8 lies left of the ridge.",
                320: "the 20 texts do not share their caches: the intensity is 8.",
                2: "that is an intensity of 1. All 8 queries of a group use each key.",
            },
            _SLOPE,
        ),
    ),
    praise="both are bound by bandwidth; more texts would raise the first, but not the second.",
)

# ex-pages
EXERCISES["ex-pages"] = FunctionChecker(
    gives="the number of pages and the empty share",
    right="""
        def pages(lengths, size):
            lengths = np.array(lengths)
            each = -(-lengths // size)
            count = each.sum()
            return count, 1 - lengths.sum() / (count * size)
        """,
    cases=(([3], 4), ([4], 4), ([3, 6], 4), ([5, 1, 8], 2)),
    draw=lambda rng: (rng.integers(1, 40, rng.integers(2, 6)).tolist(), int(rng.integers(3, 9))),
    edges=(([1], 16), ([16, 32], 16), ([7, 9], 1)),
    wrong={
        "-(-lengths // size) => lengths // size": "pages are rounded down, so the last tokens of a "
        "conversation have none.",
        "-(-lengths // size) => lengths // size + 1": "one page too many where the last is exactly "
        "full.",
        "count = each.sum() => count = -(-lengths.sum() // size)": "the tokens of all "
        "conversations are added before they are divided into pages. Each has pages of its own.",
        "1 - lengths.sum() => lengths.sum()": "that is the share of the room that is full.",
        "1 - lengths.sum() / (count * size) => count * size - lengths.sum()": "that is the number "
        "of empty places. Divide it by all of them.",
        "1 - lengths.sum() / (count * size) => count * size / lengths.sum() - 1": "the empty "
        "places are divided by the tokens. Divide them by the room in the pages.",
        "1 - lengths.sum() / (count * size) => (1 - lengths / (each * size)).mean()": "that is the "
        "average of the shares of each conversation. Divide all empty places by all places.",
    },
    praise="only last pages have empty room, whatever the lengths are.",
    output=parts("the number of pages", "the empty share"),
)

# ex-scheduler
Requests = list[tuple[int, int]]


def _draw_requests(rng: Generator) -> tuple[Requests, Requests, int, int]:
    size = int(rng.integers(2, 6))

    def some(most: int) -> Requests:
        many = int(rng.integers(1, most))
        return [(int(rng.integers(1, 20)), int(rng.integers(1, 4))) for _ in range(many)]

    running = some(5)
    return some(5), running, len(running) + int(rng.integers(0, 9)), size


EXERCISES["ex-scheduler"] = FunctionChecker(
    gives="waiting, running and free",
    right="""
        def one_step(waiting, running, free, size):
            waiting, wrote = list(waiting), []
            for tokens, left in running:
                free -= tokens % size == 0
                wrote.append((tokens + 1, left - 1))
            running = [each for each in wrote if each[1] > 0]
            free += sum(-(-tokens // size) for tokens, left in wrote if left == 0)
            while waiting:
                place = 0
                need = -(-waiting[place][0] // size)
                if need > free:
                    break
                free -= need
                running.append(waiting.pop(place))
            return waiting, running, int(free)
        """,
    cases=(
        ([], [(5, 2)], 1, 4),
        ([], [(5, 1)], 1, 4),
        ([(5, 2)], [], 2, 4),
        ([(3, 1), (6, 2)], [(4, 3)], 3, 4),
    ),
    draw=_draw_requests,
    edges=(
        ([], [], 7, 4),
        ([(9, 2), (2, 2)], [], 2, 4),
        ([(4, 2), (4, 1)], [(8, 1), (3, 2)], 1, 4),
    ),
    wrong={
        **not_yet_repaired(
            {
                "free += sum(-(-tokens // size) for tokens, left in wrote if left == 0) => pass": (
                    "those who have finished leave, but their pages do not come back to free."
                ),
                "-(-waiting[place][0] // size) => waiting[place][0] // size": "the pages of a "
                "prompt are rounded down: one of 5 tokens needs two pages of 4.",
                "place = 0 => place = -1": "the last to come joins first, so that the first may "
                "wait for ever.",
            }
        ),
        "-(-tokens // size) for tokens => -(-(tokens - 1) // size) for tokens": "the token that "
        "was just written counts, too: its request may have taken a page for it.",
        "-(-tokens // size) for tokens => tokens // size for tokens": "the pages of those who "
        "leave are rounded down: the last one, partly full, comes back as well.",
        "need > free => need >= free": "a prompt that needs exactly the pages that are free fits.",
        "free -= tokens % size == 0 => pass": "a running request whose pages are full takes "
        "another one for its new token.",
    },
    praise="pages go out and come back, and nobody is passed over.",
    output=EXACT,
)


# ex-prefix
def _draw_prefix(rng: Generator) -> tuple[list[int], int, int]:
    prefix = int(rng.integers(1, 20))
    more = rng.integers(0, 20, int(rng.integers(2, 6)))
    return (prefix + more).tolist(), prefix, int(rng.integers(3, 8))


EXERCISES["ex-prefix"] = FunctionChecker(
    gives="one whole number",
    right="""
        def pages_with_prefix(lengths, prefix, size):
            lengths = np.array(lengths)
            shared = prefix // size
            return shared + (-(-lengths // size) - shared).sum()
        """,
    cases=(([5], 4, 4), ([5, 6], 4, 4), ([7, 7, 9], 6, 4), ([10, 12], 3, 4)),
    draw=_draw_prefix,
    edges=(([8, 8, 8], 8, 4), ([3, 5], 0, 4), ([9, 20], 9, 1)),
    wrong={
        "return shared + (-(-lengths // size) - shared).sum() => "
        "return (-(-lengths // size)).sum()": "nothing is shared: each conversation has the pages "
        "of the prefix.",
        "shared = prefix // size => shared = -(-prefix // size)": "a page that the prefix fills "
        "only in part cannot be shared: each conversation writes its own tokens behind it.",
        "return shared + => return": "the shared pages themselves are not counted: they are held "
        "once.",
        "shared + (-(-lengths // size) - shared).sum() => "
        "shared + (-(-(lengths - prefix) // size)).sum()": "the tokens behind the prefix do not "
        "begin a new page, if the prefix does not end one.",
        "-(-lengths // size) - shared => lengths // size - shared": "pages are rounded down, so "
        "the last tokens of a conversation have none.",
        "shared + (-(-lengths // size) - shared).sum() => "
        "(-(-lengths // size)).sum() - shared": "the shared pages are subtracted once. Every "
        "conversation but one saves them.",
    },
    praise="all conversations but one save the full pages of the prefix.",
)


# ex-speculate
EXERCISES["ex-speculate"] = FunctionChecker(
    gives="one number",
    right="""
        def tokens_per_step(alpha, k):
            powers = [alpha**i for i in range(k + 1)]
            return sum(powers)
        """,
    cases=((0.5, 1), (0.5, 2), (0.8, 4), (0.0, 3)),
    draw=lambda rng: (float(rng.uniform(0.1, 0.95)), int(rng.integers(1, 9))),
    edges=((1.0, 4), (1.0, 1), (0.7, 0)),
    wrong={
        "range(k + 1) => range(k)": "that is one term too few: after all guesses were kept, the "
        "large model adds a token of its own.",
        "range(k + 1) => range(1, k + 1)": "that counts the guesses that are kept. The large model "
        "adds a token of its own.",
        "sum(powers) => 1 + alpha * k": "a guess counts only if all before it were kept. What is "
        "the probability of that?",
        (
            "sum(powers) => sum(powers) if alpha < 1 else 1 / (1 - alpha)",
            Raises("ZeroDivisionError"),
        ): "for alpha 1 the fraction divides zero by zero. What is the sum then?",
        "sum(powers) => 1 / (1 - alpha) if alpha < 1 else k + 1": "that is the sum without an end. "
        "Only k tokens are guessed.",
    },
    praise="one token is certain, and each further one less so.",
)

# ex-ridge
_RIDGE = 989 / 4.8
_BUSY = "How many operations can the GPU do while it fetches a weight? Each text needs two."

EXERCISES["ex-ridge"] = Values(
    (
        _number(
            "sixteen",
            _RIDGE,
            {
                2 * _RIDGE: "a weight takes two operations per text: a multiplication and an "
                "addition.",
                _RIDGE / 2: "a weight of 16 bits has two bytes.",
                1 / _RIDGE: "that is bytes per operation. Invert it.",
            },
            _BUSY,
            tolerance=5e-3,  # texts may be rounded
        ),
        _number(
            "four",
            _RIDGE / 4,
            {
                _RIDGE: "the arithmetic stays as it is, but a weight comes in a quarter of the "
                "time.",
                4 * _RIDGE: "a weight comes four times as fast, so fewer texts keep the GPU busy.",
            },
            _BUSY,
            tolerance=1.5e-2,  # texts may be rounded
        ),
        _number(
            "eight",
            _RIDGE,
            {
                _RIDGE / 2: "a weight comes in half the time, but the operations are twice as "
                "fast, too.",
                2 * _RIDGE: "the operations are twice as fast, but a weight comes in half the "
                "time, too.",
            },
            _BUSY,
            tolerance=5e-3,  # texts may be rounded
        ),
    ),
    praise="206, 52 and again 206: fewer bits move the ridge only if the arithmetic stays the "
    "same.",
)


# ex-split
def _layer(
    h: int, d_k: int, n: int, d: int, i: int, devices: int
) -> tuple[Array, Array, Array, Array, Array, int, int, int]:
    shapes = [(n, d), (d, h * d_k), (d, h * d_k), (d, h * d_k), (h * d_k, d)]
    X, W_q, W_k, W_v, W_o = numbers(h + n, *shapes)
    return X, W_q, W_k, W_v, W_o, h, i, devices


_AS_ONE = (
    "range(i * share, (i + 1) * share) => [0] ;; "
    "slice(r * d_k, (r + 1) * d_k) => slice(i * share * d_k, (i + 1) * share * d_k)"
)

EXERCISES["ex-split"] = FunctionChecker(
    gives="one matrix of shape (n, d)",
    right="""
        def on_device(X, W_q, W_k, W_v, W_o, h, i, devices):
            d_k = W_q.shape[1] // h
            share = h // devices
            total = np.zeros(X.shape)
            for r in range(i * share, (i + 1) * share):
                own = slice(r * d_k, (r + 1) * d_k)
                Q, K, V = X @ W_q[:, own], X @ W_k[:, own], X @ W_v[:, own]
                scores = Q @ K.T / np.sqrt(d_k)
                powers = np.exp(scores - scores.max(axis=1, keepdims=True))
                alpha = powers / powers.sum(axis=1, keepdims=True)
                total = total + alpha @ V @ W_o[own]
            return total
        """,
    cases=(
        _layer(1, 2, 2, 3, 0, 1),
        _layer(2, 2, 2, 3, 0, 2),
        _layer(2, 2, 2, 3, 1, 2),
        _layer(4, 2, 3, 5, 1, 2),
    ),
    draw=random_case(
        lambda share, d_k, n, d: (
            (n, d),
            *((d, 2 * share * d_k) for _ in range(3)),
            (2 * share * d_k, d),
            2 * share,
            1,
            2,
        )
    ),
    edges=(_layer(6, 3, 4, 5, 2, 3),),
    wrong={
        "range(i * share, (i + 1) * share) => range(h)": "every device computes all heads, so the "
        "sum over the devices is too large by their number.",
        "range(i * share, (i + 1) * share) => range(share)": "each device computes the first "
        "heads. Those of device i begin at i times its share.",
        "range(i * share, (i + 1) * share) => range(i, h, devices)": "the heads are dealt out in "
        "turns. Those of a device follow each other.",
        "W_o[own] => W_o[:d_k]": "each head meets the first rows of W_o. They belong to head 0.",
        (_AS_ONE, f"{_AS_ONE} ;; np.sqrt(d_k) => np.sqrt(d_k * share)"): "the heads of the device "
        "are taken for one, with one softmax. Each head has its own.",
        "np.sqrt(d_k) => np.sqrt(d_k * h)": "the scores are divided by the root of the width of "
        "all heads. It is d_k, the size of one, that counts.",
        "np.sqrt(d_k) => np.sqrt(d_k * share)": "the scores are divided by the root of the width "
        "of all heads of the device. It is d_k, the size of one head, that counts.",
        "/ np.sqrt(d_k) =>": "the scores are not divided by the root of d_k.",
        "return total => return total / devices": "the contributions are to be added, not "
        "averaged.",
    },
    praise="the contributions of all devices add up to the layer, and this sum is all that they "
    "exchange.",
)
