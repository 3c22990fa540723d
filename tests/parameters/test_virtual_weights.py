import numpy as np
import pytest

import algatt
from algatt import VirtualWeights
from algatt.errors import InvalidArgument

EYE = np.eye(2)


def test_the_matrices_are_given_back():
    theta = VirtualWeights.of([[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[9, 10]])
    assert [M.tolist() for M in theta.M] == [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]
    assert theta.L.tolist() == [[9, 10]]
    assert theta.names() == ("M_1", "M_2", "L")


def test_the_repr_gives_the_sizes():
    theta = algatt.sample(algatt.Lightning((4, 3, 2), (2, 1), 3), VirtualWeights)
    assert repr(theta) == "VirtualWeights(d_0=4, d_l=2, layers=2, field=GF(8388593))"


@pytest.mark.parametrize(
    ("M", "L", "message"),
    [
        ([], EYE, "M was empty; it should be at least one matrix"),
        ([EYE, np.eye(3)], EYE, "M_2 was of shape (3, 3); it should be of shape (2, 2), as L has 2 columns"),
        ([np.ones((2, 3))], EYE, "M_1 was of shape (2, 3); it should be of shape (2, 2), as L has 2 columns"),
        ([EYE], np.ones(2), "L was of shape (2,); it should be a matrix"),
        ([EYE], EYE * np.nan, "L was with NaN or infinity; it should be with finite entries"),
    ],
)
def test_what_is_no_virtual_weights_is_refused(M, L, message):
    with pytest.raises(InvalidArgument) as caught:
        VirtualWeights.of(M, L)
    assert str(caught.value) == message


def test_an_array_too_few_is_refused():
    theta = algatt.sample(algatt.Lightning((2, 2), (2,), 2), VirtualWeights)
    with pytest.raises(InvalidArgument, match=r"elements was 1 arrays; it should be M_1, ..., M_l and L"):
        VirtualWeights(theta.elements[1:])
