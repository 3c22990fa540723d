"""Learned positions: the token at position j gets row j of P added."""

import pytest

from algatt import Network
from algatt.errors import InvalidArgument
from algatt.layers import LearnedPosition, Linear

P = [[1, 10], [2, 20], [3, 30], [4, 40]]
X = [[5, 6, 7], [8, 9, -9]]


@pytest.mark.parametrize(("layer", "context"), [(LearnedPosition(), 3), (LearnedPosition(4), 4)])
def test_each_token_gets_the_vector_of_its_position(is_value, layer, context):
    is_value(layer, {"position.P": P[:context]}, X, [[X[i][j] + P[j][i] for j in range(3)] for i in range(2)])


@pytest.mark.parametrize("layer", [LearnedPosition(first=1), LearnedPosition(4, first=1)])
def test_the_first_token_may_have_another_position_than_the_first(is_value, layer):
    is_value(layer, {"position.P": P}, X, [[X[i][j] + P[j + 1][i] for j in range(3)] for i in range(2)])


def test_more_tokens_than_positions_are_refused():
    with pytest.raises(InvalidArgument) as told:
        Network(Linear(2) >> LearnedPosition(2), tokens=3, width=2)
    assert (
        str(told.value) == "LearnedPosition(context=2) after Linear(2) was given 3 tokens; it should be given at most 2"
    )
    with pytest.raises(InvalidArgument, match=r"^context was 0; it should be an integer >= 1$"):
        LearnedPosition(0)
    with pytest.raises(InvalidArgument, match=r"was given 3 tokens; it should be given at most 1$"):
        Network(Linear(2) >> LearnedPosition(3, first=2), tokens=3, width=2)
    with pytest.raises(InvalidArgument, match=r"^first was -1; it should be an integer >= 0$"):
        LearnedPosition(first=-1)
