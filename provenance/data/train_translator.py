"""Train the translator: an encoder and a decoder of one block each, for sentences of a toy grammar.

    golden-env/bin/python provenance/data/train_translator.py   # PyTorch, as in provenance/golden

English such as "the small black dog sees a red car" becomes French, "le petit chien noir voit une
voiture rouge". A French article and most adjectives depend on the gender of the noun, and colours
follow it, so hardly a word can be translated without a look at others. Pairs of colour and noun in
`HELD_OUT` are never learned from: sentences with them test the translator.
Writes attention_lib/data/translator.npz; another version of PyTorch gives other weights.
"""

import math
import random

import numpy as np
import torch
from archives import SHIPPED
from torch.nn.functional import cross_entropy, rms_norm

INTO = SHIPPED / "translator.npz"
SEED, STEPS, BATCH, D, HEADS, PLACES = 0, 400, 64, 32, 2, 10
ARTICLES = {"the": ("le", "la"), "a": ("un", "une")}
NOUNS = {  # masculine, feminine
    **{"dog": "chien", "cat": "chat", "horse": "cheval", "book": "livre", "garden": "jardin"},
    **{"house": "maison", "car": "voiture", "flower": "fleur", "cow": "vache", "door": "porte"},
}
FEMININE = {"house", "car", "flower", "cow", "door"}
BEFORE = {"small": ("petit", "petite"), "big": ("grand", "grande"), "pretty": ("joli", "jolie")}
AFTER = {
    **{"black": ("noir", "noire"), "white": ("blanc", "blanche")},
    **{"green": ("vert", "verte"), "red": ("rouge", "rouge")},
}
VERBS = {"sees": "voit", "wants": "veut", "loves": "aime", "finds": "trouve"}
HELD_OUT = {("white", "cow"), ("green", "house"), ("black", "dog"), ("red", "book")}
ENGLISH = ["end", *ARTICLES, *BEFORE, *AFTER, *NOUNS, *VERBS]
FRENCH = ["end", *dict.fromkeys(w for pair in ARTICLES.values() for w in pair)]
FRENCH += dict.fromkeys(w for words in (BEFORE, AFTER) for pair in words.values() for w in pair)
FRENCH += [*NOUNS.values(), *VERBS.values()]


def phrase(rng, new):
    """Return an English noun phrase and its French one; with `new`, one that was held out."""
    noun, colour = rng.choice([*NOUNS]), rng.choice([*AFTER, ""])
    if new:
        colour, noun = rng.choice(sorted(HELD_OUT))
    elif (colour, noun) in HELD_OUT:
        return phrase(rng, new)
    article, size = rng.choice([*ARTICLES]), rng.choice([*BEFORE, "", ""])
    g = int(noun in FEMININE)
    english = [article, size, colour, noun]
    before, after = size and BEFORE[size][g], colour and AFTER[colour][g]
    french = [ARTICLES[article][g], before, NOUNS[noun], after]
    return [w for w in english if w], [w for w in french if w]


def pair(rng, new=False):
    """Return a sentence as numbers of English and of French words, filled up with ends."""
    subject, object_ = phrase(rng, new), phrase(rng, False)
    verb = rng.choice([*VERBS])
    english = [*subject[0], verb, *object_[0]]
    french = [*subject[1], VERBS[verb], *object_[1]]
    rows = [ENGLISH.index(w) for w in english], [FRENCH.index(w) for w in french]
    return [row + [0] * (PLACES - len(row)) for row in rows]


def start():
    """Draw all parameters; those of the encoder, of the decoder and of its look at the encoder."""
    torch.manual_seed(SEED)
    heads = {"W_q": (HEADS, D, D // HEADS), "W_o": (D, D), "gain_1": None}
    heads |= {name: heads["W_q"] for name in ("W_k", "W_v")}
    network = {"W_1": (D, 4 * D), "W_2": (4 * D, D), "gain_2": None}
    cross = {name: (1, D, D) for name in ("W_q", "W_k", "W_v")} | {"W_o": (D, D), "gain": None}
    shapes = {"source_E": (len(ENGLISH), D), "source_P": (PLACES, D), "target_U": (D, len(FRENCH))}
    shapes |= {"target_E": (len(FRENCH), D), "target_P": (PLACES, D)}
    shapes |= {"source_gain": None, "target_gain": None}
    for part in ("encoder", "decoder"):
        shapes |= {f"{part}_{name}": shape for name, shape in {**heads, **network}.items()}
    shapes |= {f"cross_{name}": shape for name, shape in cross.items()}
    return {name: parameter(name, shape) for name, shape in shapes.items()}


def parameter(name, shape):
    if shape is None:
        return torch.ones(D, requires_grad=True)
    size = 0.3 if name.endswith(("E", "P")) else 1 / math.sqrt(shape[-2])
    return (size * torch.randn(shape)).requires_grad_()


def norm(X, gain):
    return rms_norm(X, (D,), gain, eps=1e-5)


def heads(p, part, X, context, allowed):
    sources = {"W_q": X, "W_k": context, "W_v": context}
    Q, K, V = (rows[:, None] @ p[f"{part}_{name}"] for name, rows in sources.items())
    scores = (Q @ K.mT / math.sqrt(Q.shape[-1])).masked_fill(~allowed, -math.inf)
    return (scores.softmax(-1) @ V).transpose(1, 2).flatten(-2) @ p[f"{part}_W_o"]


def network(p, part, X):
    B = norm(X, p[f"{part}_gain_2"])
    return X + torch.relu(B @ p[f"{part}_W_1"]) @ p[f"{part}_W_2"]


def logits(p, english, french):
    """Score the next French word after each of those so far; `english` ends where zeros begin."""
    ends = (english == 0).int().argmax(dim=1)[:, None, None, None]
    seen = torch.arange(PLACES) <= ends  # the words and one end
    X = p["source_E"][english] + p["source_P"]
    A = norm(X, p["encoder_gain_1"])
    X = network(p, "encoder", X + heads(p, "encoder", A, A, seen))
    memory = norm(X, p["source_gain"])
    Y = p["target_E"][french] + p["target_P"]
    A = norm(Y, p["decoder_gain_1"])
    Y = Y + heads(p, "decoder", A, A, torch.ones(PLACES, PLACES).tril().bool())
    Y = Y + heads(p, "cross", norm(Y, p["cross_gain"]), memory, seen)
    Y = network(p, "decoder", Y)
    return norm(Y, p["target_gain"]) @ p["target_U"]


def batch(rng, count, new=False):
    english, french = np.array([pair(rng, new) for _ in range(count)]).swapaxes(0, 1)
    before = np.roll(french, 1, axis=1)  # begins with an end: the sign to start
    return map(torch.tensor, (english, before, french))


def counted(french):
    """Count the words and the first end."""
    return torch.cumsum(french == 0, dim=1) <= 1


def train(p, rng):
    optimizer = torch.optim.AdamW(p.values(), lr=3e-3, weight_decay=0.05)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 5e-3, total_steps=STEPS)
    for step in range(STEPS):
        english, before, french = batch(rng, BATCH)
        use = counted(french)
        loss = cross_entropy(logits(p, english, before)[use], french[use])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if step % 100 == 0 or step == STEPS - 1:
            told = f"{accuracy(p, rng):.1%} of held-out sentences"
            print(step, round(loss.item(), 4), told, flush=True)


@torch.no_grad()
def accuracy(p, rng, count=500):
    """Return the share of held-out sentences of which every word is right."""
    english, before, french = batch(rng, count, new=True)
    right = logits(p, english, before).argmax(-1) == french
    return float((right | ~counted(french)).all(dim=1).float().mean())


def main():
    torch.set_num_threads(1)
    rng, p = random.Random(SEED), start()
    train(p, rng)
    arrays = {name: part.detach().numpy().astype(np.float16) for name, part in p.items()}
    np.savez_compressed(INTO, english=np.array(ENGLISH), french=np.array(FRENCH), **arrays)
    print(INTO, INTO.stat().st_size, "bytes", sum(a.size for a in arrays.values()), "parameters")


if __name__ == "__main__":
    main()
