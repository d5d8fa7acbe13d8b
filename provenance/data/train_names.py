"""Train the small decoder that writes names, and keep what it wrote on the way.

    python -m pip install .
    python provenance/data/train_names.py      # about ten seconds

It is the run of the chapter "A model that writes", with the same seed. This is not part of
`rebuild.py`: another machine adds in another order, and after 1,500 steps a few letters differ.
"""

import numpy as np
from archives import options_of, save_json

from attention_lib import Spelling, Training, bits, measure
from attention_lib.models import load_first_names

RATE, SIZE, NAMES = 0.003, 64, 12
TOLD = (0, 10, 15, 20, 30, 40, 50, 60, 80, 100, 125, 150, 175, 200, 250, 300, 400, 500, 750)
TOLD = (*TOLD, 1000, 1250, 1500)


def train() -> tuple[dict[str, np.ndarray], list[dict]]:
    """Return the parameters after the last step, and step, bits and names at some moments."""
    training, history = Training(Spelling(load_first_names()), 0, RATE, SIZE), []
    for step in range(TOLD[-1] + 1):
        if step > 0:
            training.step()
        if step in TOLD:
            loss, _ = measure(training.task, training.parameters, training.held_out)
            names = training.task.write(training.parameters, NAMES, rng=1)
            history.append({"step": step, "bits": round(bits(loss), 3), "sample": " ".join(names)})
            print(history[-1], flush=True)
    return training.parameters, history


def main() -> None:
    folder = options_of(__doc__).parse_args().into
    parameters, history = train()
    halves = {name: array.astype(np.float16) for name, array in parameters.items()}
    save_json(folder / "names_model.json", {"history": history})
    np.savez_compressed(folder / "names_model.npz", **halves)


if __name__ == "__main__":
    main()
