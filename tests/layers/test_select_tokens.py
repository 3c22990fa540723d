"""Some of the tokens, their mean, and activations by themselves."""

from fractions import Fraction

import pytest

from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import Entrywise, Linear, MeanToken, Power, SelectTokens

X = [[1, 2, 3], [4, 5, 7]]


@pytest.mark.parametrize(
    ("layer", "kept"),
    [
        (SelectTokens(), slice(None)),
        (SelectTokens(0, 1), slice(0, 1)),
        (SelectTokens(1), slice(1, 3)),
        (SelectTokens(1, 2), slice(1, 2)),
    ],
)
def test_tokens_are_kept(is_value, layer, kept):
    is_value(layer, {}, X, [row[kept] for row in X])


def test_the_mean_of_all_tokens(is_value):
    is_value(MeanToken(), {}, X, [[2], [Fraction(16, 3)]])


def test_an_activation_is_taken_of_each_entry(is_value):
    is_value(Entrywise(Power(3)), {}, X, [[entry**3 for entry in row] for row in X])
    with pytest.raises(InvalidArgument, match="activation was 3"):
        Entrywise(3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"start": -1}, "start was -1; it should be an integer >= 0"),
        ({"start": 2, "stop": 2}, "stop was 2; it should be an integer >= 3"),
        ({"start": True}, "start was True"),
    ],
)
def test_numbers_of_no_tokens_are_refused(given, message):
    with pytest.raises(InvalidArgument, match=message):
        SelectTokens(**given)


def test_too_few_tokens_are_refused():
    with pytest.raises(InvalidArgument, match="given 2 tokens; it should be given at least 3"):
        Network(Linear(2) >> SelectTokens(2), tokens=2, width=2)
