import galois
import numpy as np
import pytest

import algatt
from algatt import PrimeField, Reals, Weights
from algatt.errors import InvalidArgument

EYE = np.eye(2)
GF31 = PrimeField(31).galois


def test_the_field_is_read_off_the_arrays():
    assert Weights.of([(EYE, EYE, EYE)]).field == Reals()
    assert Weights.of([([[1, 2]], [[3, 4]], [[5, 6]])]).field == Reals()
    eye = GF31.Identity(2)
    assert Weights.of([(eye, eye, eye)]).field == PrimeField(31)


def test_given_a_field_integers_are_its_elements():
    eye = np.eye(2, dtype=int)
    theta = Weights.of([(eye, eye, eye)], field=PrimeField(31))
    assert theta.field == PrimeField(31)
    assert isinstance(theta.layers[0].Q, GF31)


def test_integers_of_any_size_below_the_prime_are_kept():
    p = 2305843009213693951
    theta = Weights.of([([[p - 1, 2**53 + 1]], [[0, 1]], [[2**60, 3]])], field=PrimeField(p))
    assert algatt.flatten(theta).tolist() == [p - 1, 2**53 + 1, 0, 1, 2**60, 3]


def test_layers_give_back_the_matrices():
    first, second = ([[1.0, 2, 3]], [[4.0, 5, 6]], [[7.0, 8, 9], [1, 2, 3]]), ([[1.0, 2]], [[3.0, 4]], [[5.0, 6]])
    theta = Weights.of([first, second])
    assert [[array.tolist() for array in layer] for layer in theta.layers] == [
        [list(map(list, array)) for array in layer] for layer in (first, second)
    ]
    assert theta.layers[1].K.tolist() == [[3, 4]]
    assert theta.names() == ("Q_1", "K_1", "V_1", "Q_2", "K_2", "V_2")


def test_galois_arrays_go_in_and_come_out():
    theta = algatt.sample(algatt.Lightning((3, 2), (2,), 2), Weights, field=PrimeField(31))
    (Q, K, V) = theta.layers[0]
    assert all(isinstance(array, GF31) for array in (Q, K, V, algatt.flatten(theta)))
    assert (Q.shape, K.shape, V.shape) == ((2, 3), (2, 3), (2, 3))
    assert Weights.of(theta.layers) == theta


def test_the_repr_says_what_an_architecture_would_be_called():
    theta = algatt.sample(algatt.Lightning((4, 3, 4), (2, 1), 3), Weights)
    assert repr(theta) == "Weights(dims=(4, 3, 4), ranks=(2, 1), field=GF(8388593))"


@pytest.mark.parametrize(
    ("layers", "message"),
    [
        ([], "layers was empty; it should be at least one triple (Q, K, V)"),
        ([(EYE, EYE)], "layer 1 was 2 arrays; it should be a triple (Q, K, V)"),
        ([(EYE, EYE, EYE), (EYE,) * 4], "layer 2 was 4 arrays; it should be a triple (Q, K, V)"),
        ([(EYE, EYE, [1.0, 2.0])], "V_1 was of shape (2,); it should be a matrix"),
        ([(1.0, EYE, EYE)], "Q_1 was of shape (); it should be a matrix"),
        ([(EYE, np.ones((2, 3)), EYE)], "K_1 was of shape (2, 3); it should be of the shape (2, 2) of Q_1"),
        ([(EYE, np.ones((1, 2)), EYE)], "K_1 was of shape (1, 2); it should be of the shape (2, 2) of Q_1"),
        ([(EYE, EYE, np.ones((2, 3)))], "V_1 was of shape (2, 3); it should be of shape (d_1, 2)"),
        ([(EYE, EYE, np.ones((3, 2))), (EYE, EYE, EYE)], "Q_2 was of shape (2, 2); it should be of shape (a_2, 3)"),
        ([(EYE, EYE * np.nan, EYE)], "K_1 was with NaN or infinity; it should be with finite entries"),
        ([(EYE, EYE, np.full((2, 2), -np.inf))], "V_1 was with NaN or infinity; it should be with finite entries"),
        ([(EYE, EYE, EYE * 1j)], "V_1 was an array of complex128; it should be an array of real numbers"),
        ([(EYE, EYE, EYE > 0)], "V_1 was an array of bool; it should be an array of real numbers"),
        ([(EYE, EYE, [["1", "2"]])], "V_1 was an array of <U1; it should be an array of real numbers"),
        ([(EYE, EYE, GF31.Identity(2))], "V_1 was over GF(31); it should be over RR (float64)"),
        (
            [(GF31.Identity(2), GF31.Identity(2), EYE)],
            "V_1 was an array of float64; it should be a galois array over GF(31), or integers 0..30; "
            "floats go with weights over algatt.Reals()",
        ),
        ([(GF31.Identity(2), PrimeField(7).galois.Identity(2), EYE)], "K_1 was over GF(7); it should be over GF(31)"),
        (
            [(GF31.Identity(2), GF31.Identity(2), np.array([[31, 0]]))],
            "V_1 was with entries from 0 to 31; it should be with entries 0..30 of GF(31)",
        ),
        (
            [(GF31.Identity(2), np.array([[-1, 0], [0, 1]]), EYE)],
            "K_1 was with entries from -1 to 1; it should be with entries 0..30 of GF(31)",
        ),
    ],
)
def test_what_is_no_weights_is_refused(layers, message):
    with pytest.raises(InvalidArgument) as caught:
        Weights.of(layers)
    assert str(caught.value) == message


def test_galois_arrays_over_an_extension_field_are_refused():
    eye = galois.GF(4, compile="python-calculate", verify=False).Identity(2)
    with pytest.raises(InvalidArgument, match=r"was over GF\(2\^2\); it should be over a prime field"):
        Weights.of([(eye, eye, eye)])


def test_galois_arrays_over_another_field_than_the_given_one_are_refused():
    eye = GF31.Identity(2)
    with pytest.raises(InvalidArgument, match=r"Q_1 was over GF\(31\); it should be over GF\(3191\)"):
        Weights.of([(eye, eye, eye)], field=PrimeField(3191))


def test_an_array_too_few_is_refused():
    theta = algatt.sample(algatt.Lightning((2, 2), (2,), 2), Weights)
    with pytest.raises(InvalidArgument, match="elements was 2 arrays; it should be Q, K and V for every layer"):
        Weights(theta.elements[:2])
