"""Right and wrong answers to the exercises of the chapter "Serving a model"."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-pages"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def pages(lengths, size):
    count = sum(length // size + 1 for length in lengths)
    return count, 1 - sum(lengths) / (count * size)
""",
            "one page too many",
        ),
        WrongAnswer(
            """\
def pages(lengths, size):
    count = -(-sum(lengths) // size)
    return count, 1 - sum(lengths) / (count * size)
""",
            "Each has pages of its own",
        ),
    ),
)

ANSWERS["ex-scheduler"] = Answers(
    wrong=(
        WrongAnswer(
            """\
def one_step(waiting, running, free, size):
    waiting, wrote = list(waiting), []
    for tokens, left in running:
        free -= tokens % size == 0
        wrote.append((tokens + 1, left - 1))
    running = [(tokens, left) for tokens, left in wrote if left > 0]
    while waiting and waiting[-1][0] // size <= free:
        free -= waiting[-1][0] // size
        running.append(waiting.pop())
    return waiting, running, free
""",
            "(Of the 3 faults 3 are left.)",
        ),
    ),
)

ANSWERS["ex-speculate"] = Answers(
    right=(
        """\
def tokens_per_step(alpha, k):
    return k + 1 if alpha == 1 else (1 - alpha ** (k + 1)) / (1 - alpha)
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def tokens_per_step(alpha, k):
    return (1 - alpha ** (k + 1)) / (1 - alpha)
""",
            "for alpha 1 the fraction divides zero by zero",
        ),
        WrongAnswer(
            """\
def tokens_per_step(alpha, k):
    return (1 - alpha**k) / (1 - alpha) if alpha < 1 else k
""",
            "that is one term too few",
        ),
    ),
)

ANSWERS["ex-split"] = Answers(
    right=(
        """\
def on_device(X, W_q, W_k, W_v, W_o, h, i, devices):
    d_k, share = W_q.shape[1] // h, h // devices
    own = slice(i * share * d_k, (i + 1) * share * d_k)
    Q, K, V = ((X @ W[:, own]).reshape(len(X), share, d_k).swapaxes(0, 1) for W in (W_q, W_k, W_v))
    found = softmax(Q @ K.swapaxes(1, 2) / d_k**0.5) @ V
    return found.swapaxes(0, 1).reshape(len(X), -1) @ W_o[own]
""",
    ),
    wrong=(
        WrongAnswer(
            """\
def on_device(X, W_q, W_k, W_v, W_o, h, i, devices):
    size = W_q.shape[1] // devices
    own = slice(i * size, (i + 1) * size)
    Q, K, V = X @ W_q[:, own], X @ W_k[:, own], X @ W_v[:, own]
    return softmax(Q @ K.T / size**0.5) @ V @ W_o[own]
""",
            "with one softmax",
        ),
    ),
)
