"""What checkers state as a number: the temperature that is accepted, the weights that are praised.

That what they compute is right, the answers in test_answers.py show.
"""

import pytest

import attention_lib
from attention_exercises import attention_pooling, multi_head_attention
from attention_lib.models import load_minilm_layer


def test_the_temperature_accepted_gives_nine_tenths():
    T = attention_pooling._RIGHT_T
    assert attention_lib.softmax([2, 1, 0], temperature=T).max() == pytest.approx(0.9)
    assert attention_pooling.EXERCISES["ex-temperature"](T).status == "correct"


@pytest.mark.parametrize(("T", "right"), [(0.42, False), (0.43, True), (0.44, True), (0.46, False)])
def test_the_temperature_is_accepted_when_the_weight_rounds_to_it(T, right):
    weight = attention_lib.softmax([2, 1, 0], temperature=T).max()
    assert (abs(weight - 0.9) <= 0.005) == right
    assert (attention_pooling.EXERCISES["ex-temperature"](T).status == "correct") == right


@pytest.mark.parametrize(("sentence", "last_his"), [(0, 16), (1, 15)])
def test_the_praise_of_the_real_heads_has_the_numbers_of_minilm(sentence, last_his):
    real_heads = multi_head_attention.EXERCISES["ex-real-heads"]
    _, weights = real_heads.model(*multi_head_attention._real_layer(sentence))
    row, tokens = weights[1, last_his], load_minilm_layer().sentences[sentence].tokens
    assert tokens[last_his] == "his"
    praise = real_heads.praise
    assert f"{tokens[row.argmax()]} {row.max():.2f} " in praise
