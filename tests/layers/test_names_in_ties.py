"""Ties are equations between names: one that names nothing, or two different shapes, is refused by its names."""

import pytest

import algatt
from algatt.layers import Chain, Embedding, Linear, Tie, Unembedding


def network(layers: Chain, ties: dict[str, str]) -> algatt.Network:
    return algatt.Network(Tie(layers, ties), tokens=1, width=3)


@pytest.mark.parametrize("left", ["linear_1.X", "linear_3.W", "linear", "linear_1.W.x"])
def test_a_name_on_the_left_that_nothing_has_is_told(left):
    with pytest.raises(algatt.InvalidArgument) as error:
        network(Linear(3) >> Linear(3), {left: "linear_2.W"})
    assert str(error.value) == f"ties was {left} = linear_2.W; it should be with the name of a tensor or a part of the network on the left"


def test_a_name_on_the_right_that_nothing_has_is_told():
    with pytest.raises(algatt.InvalidArgument, match=r"^ties was linear_1.W = linear_2.X; it should be with one of the tensors linear_2.W"):
        network(Linear(3) >> Linear(3), {"linear_1.W": "linear_2.X"})


@pytest.mark.parametrize(("ties", "said"), [({"linear_1.W": "linear_2.W"}, "linear_1.W"), ({"linear_2.W": "linear_1.W"}, "linear_1.W")])
def test_two_shapes_are_told_with_both_names(ties, said):
    with pytest.raises(algatt.InvalidArgument) as error:
        network(Linear(4) >> Linear(2), ties)
    assert str(error.value) == f"linear_2.W was of shape (2, 4); it should be of shape (4, 3), as {said} is, which is tied to it"


def test_ties_in_ties_of_parts_and_of_tensors_are_all_used():
    assert network(3 * Linear(3), {"3": "2", "2.linear.W": "1.linear.W"}).parameters == 9
    inner = Tie(Embedding(4, 2) >> Linear(2) >> Unembedding(4), {"unembedding.U": "embedding.E"})
    assert algatt.Network(inner, tokens=1).parameters == 4 * 2 + 2 * 2
