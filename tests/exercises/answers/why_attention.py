"""Right and wrong answers to the exercises of "Why attention?", as readers write them."""

from answers import Answers, WrongAnswer

ANSWERS = {}

ANSWERS["ex-bits"] = Answers(
    wrong=(
        WrongAnswer("most = 387**100\n", "words do not fit", "not yet"),
        WrongAnswer("most = 3200 / np.log2(387)\n", "a whole number of words: round down"),
        WrongAnswer("most = 400\n", "400 words do not fit", "not yet"),
    ),
)
