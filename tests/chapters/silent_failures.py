"""The page "Silent failures": each test tells what is wrong from what is right."""

from chapters.claims import Claims

GIVEN = {}
CLAIMS = Claims()


@CLAIMS.says("with its symptom and a test of two lines that tells them apart")
def tests_of_two_values_are_false_for_the_wrong_lines_and_true_for_the_right_ones(c):
    words, *compared, turned = [cell.value for cell in c.cells if isinstance(cell.value, list)][:-1]
    assert words == [[0, 1], [0]]  # whose rows change
    assert turned == [[0, 1], [0, 3]]  # which entries turn together
    assert compared == [[False, True]] * 6
    assert c.cells[-1].value == [False, True]


@CLAIMS.says("the weights are positive and look plausible")
def only_the_right_rows_sum_to_one(c):
    wrong, right = printed(c, "weights.sum")
    assert right == "[1. 1. 1. 1.]" != wrong


@CLAIMS.says("nobody looks at padding")
def only_the_right_mask_hides_padding(c):
    wrong, right = printed(c, "weights[0")
    assert float(right) == 0 < float(wrong)


@CLAIMS.says("the scores spread by about one")
def only_the_right_scores_spread_by_about_one(c):
    wrong, right = map(float, printed(c, "scores.std"))
    assert wrong < 0.2
    assert 0.9 < right < 1.1


@CLAIMS.says("on fresh random tokens the loss is not below the logarithm of the size")
def only_shifted_labels_cannot_be_predicted(c):
    assert printed(c, "found") == ["False", "True"]


def printed(c, what):
    """Return what the one cell that prints this of wrong and right printed."""
    (cell,) = [cell for cell in c.cells if f"print({what}" in cell.code]
    return cell.printed.splitlines()
