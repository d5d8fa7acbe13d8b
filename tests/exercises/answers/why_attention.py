"""Right and wrong answers to the exercises of "Why attention?", as readers write them."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-bits"] = Answers(
    wrong=(
        WrongAnswer("most = 387**100\n", "that many need far more than 3200 bits", "not yet"),
        WrongAnswer("most = 3200 / np.log2(387)\n", "but this is 372.3"),
        WrongAnswer("most = 400\n", "these do not fit", "not yet"),
    ),
)
