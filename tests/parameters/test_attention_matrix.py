import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix
from algatt.errors import InvalidArgument

EYE = np.eye(2)


def test_layers_give_back_the_matrices():
    theta = AttentionMatrix.of([([[1, 2], [3, 4]], [[5, 6]]), ([[7]], [[8], [9]])])
    assert theta.layers[0].A.tolist() == [[1, 2], [3, 4]]
    assert theta.layers[0].V.tolist() == [[5, 6]]
    assert theta.layers[1].A.tolist() == [[7]]
    assert theta.layers[1].V.tolist() == [[8], [9]]
    assert theta.names() == ("A_1", "V_1", "A_2", "V_2")


def test_the_repr_gives_the_widths():
    theta = algatt.sample(algatt.Lightning((4, 3, 2), (2, 1), 3), AttentionMatrix, field=algatt.Reals())
    assert repr(theta) == "AttentionMatrix(dims=(4, 3, 2), field=RR (float64))"


def test_a_sample_is_the_image_of_the_weights_of_the_same_seed_and_has_their_rank():
    arch = algatt.Lightning((4, 3), (2,), 3)
    theta = algatt.sample(arch, AttentionMatrix, seed=5)
    (Q, K, V), *_ = algatt.sample(arch, algatt.Weights, seed=5).layers
    assert np.array_equal(theta.layers[0].A, K.T @ Q)
    assert np.array_equal(theta.layers[0].V, V)
    assert np.linalg.matrix_rank(theta.layers[0].A) == 2


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([], "layers was empty; it should be at least one pair (A, V)"),
        ([(EYE, EYE, EYE)], "layer 1 was 3 arrays; it should be a pair (A, V)"),
        ([(np.ones((2, 3)), EYE)], "A_1 was of shape (2, 3); it should be of shape (3, 3)"),
        ([(EYE, np.ones((2, 3)))], "V_1 was of shape (2, 3); it should be of shape (d_1, 2)"),
        ([(EYE, np.ones((3, 2))), (EYE, EYE)], "A_2 was of shape (2, 2); it should be of shape (3, 3)"),
        ([(EYE, np.ones(2))], "V_1 was of shape (2,); it should be a matrix"),
        ([(EYE, np.full((2, 2), np.inf))], "V_1 was with NaN or infinity; it should be with finite entries"),
    ],
)
def test_what_is_no_attention_matrix_is_refused(layers, message):
    with pytest.raises(InvalidArgument) as caught:
        AttentionMatrix.of(layers)
    assert str(caught.value) == message


def test_an_array_too_few_is_refused():
    theta = algatt.sample(algatt.Lightning((2, 2), (2,), 2), AttentionMatrix)
    with pytest.raises(InvalidArgument, match="elements was 1 arrays; it should be A and V for every layer"):
        AttentionMatrix(theta.elements[:1])
