"""Ties are equations between names: what is said of one that nothing has, and of two shapes, has their names."""

import pytest

import algatt
from algatt.layers import Chain, Linear, Tie


def network(layers: Chain, ties: dict[str, str]) -> algatt.Network:
    return algatt.Network(Tie(layers, ties), tokens=1, width=3)


def test_a_name_on_the_right_that_nothing_has_is_told():
    with pytest.raises(
        algatt.errors.InvalidArgument,
        match=r"^ties was linear_1.W = linear_2.X; it should be with one of the tensors linear_2.W",
    ):
        network(Linear(3) >> Linear(3), {"linear_1.W": "linear_2.X"})


@pytest.mark.parametrize(
    ("ties", "said"), [({"linear_1.W": "linear_2.W"}, "linear_1.W"), ({"linear_2.W": "linear_1.W"}, "linear_1.W")]
)
def test_two_shapes_are_told_with_both_names(ties, said):
    with pytest.raises(algatt.errors.InvalidArgument) as error:
        network(Linear(4) >> Linear(2), ties)
    assert (
        str(error.value)
        == f"linear_2.W was of shape (2, 4); it should be of shape (4, 3), as {said} is, which is tied to it"
    )
