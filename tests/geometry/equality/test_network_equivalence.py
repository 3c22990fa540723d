"""Whether two sets of weights of a network are one function: the answers, and what they rest on."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.fields import Elements, Rationals
from algatt.geometry.equality.networks.closeness import relative_difference
from algatt.layers import (
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    Linear,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    SigmoidRouter,
    Tanh,
    Unembedding,
    Unnormalized,
)

FIELD = algatt.PrimeField()
SQUARES = algatt.Network(
    Residual(Heads(2, score=Unnormalized())) >> Residual(Feedforward(3, Power(2))), tokens=2, width=4
)
NORMED = algatt.Network(Residual(RMSNorm() >> Feedforward(3, ReLU())), tokens=2, width=3)
MIXING = algatt.Network(Heads(2, width=2, score=Unnormalized()), tokens=2, width=2)


def weights(net, field, seed):
    return algatt.sample(net, algatt.Weights, field=field, seed=seed)


def moved(net, theta, seed=1):
    return algatt.fiber(net, theta).sample(seed)


def rational(theta):
    """Return weights over GF(31) as integers over Q."""
    return theta.replace([Elements.of(Rationals(), one.raw.astype(np.int64)) for one in theta.elements])


def test_one_orbit_is_proven_by_its_element():
    theta = weights(SQUARES, FIELD, 1)
    other = moved(SQUARES, theta)
    answer = algatt.same_function(SQUARES, theta, other)
    assert (answer.equal, answer.status, answer.coordinates) == (True, "proven", algatt.Weights)
    assert algatt.act(answer.element, theta) == other != theta


@pytest.mark.sample(2)
@pytest.mark.parametrize("place", range(11))
def test_one_changed_entry_is_another_function_with_an_input(place):
    theta = weights(SQUARES, FIELD, 1)
    arrays = list(moved(SQUARES, theta).elements)
    number = place % len(arrays)
    arrays[number] = arrays[number] + np.eye(*arrays[number].shape, dtype=np.int64)
    other = theta.replace(arrays)
    answer = algatt.same_function(SQUARES, theta, other)
    assert (answer.equal, answer.status) == (False, "proven")
    X = answer.separating_input
    assert (algatt.evaluate(SQUARES, theta, X) != algatt.evaluate(SQUARES, other, X)).any()


def test_equal_functions_outside_of_the_orbit_are_proven_without_an_element():
    """Unnormalised heads of full rank are mixed by GL(2), which no action on their tensors shows: with V and A = K^T Q
    of two heads, sum of V_h (x) A_h stays where A_1 -> A_1 + A_2 and V_2 -> V_2 - V_1.
    """
    theta = weights(MIXING, FIELD, 1)
    tensors = theta.tensors
    inverse = algatt.linalg.inverse(tensors["heads.K_1"]).T
    A = [tensors[f"heads.K_{h}"].T @ tensors[f"heads.Q_{h}"] for h in (1, 2)]
    V = [tensors[f"heads.O_{h}"] @ tensors[f"heads.V_{h}"] for h in (1, 2)]
    mixed = dict(tensors)
    mixed["heads.Q_1"] = inverse @ (A[0] + A[1])
    mixed["heads.V_2"] = algatt.linalg.inverse(tensors["heads.O_2"]) @ (V[1] - V[0])
    other = theta.replace([mixed[name] for name in theta.names()])
    answer = algatt.same_function(MIXING, theta, other)
    assert (answer.equal, answer.status, answer.element) == (True, "proven", None)
    assert "one virtual form" in answer.reason


def test_over_the_reals_elements_are_numerical_and_differences_proven():
    theta = weights(SQUARES, algatt.Reals(), 1)
    other = moved(SQUARES, theta)
    answer = algatt.same_function(SQUARES, theta, other)
    assert (answer.equal, answer.status) == (True, "numerical")
    assert answer.distance < 1e-8
    arrays = list(other.elements)
    arrays[0] = arrays[0] + 0.01
    answer = algatt.same_function(SQUARES, theta, theta.replace(arrays))
    assert (answer.equal, answer.status) == (False, "proven")


LINEAR = algatt.Network(Linear(2, bias=True), tokens=1, width=2)


@pytest.mark.parametrize("size", [1e6, 1e9, 1e12, 1e15])
@pytest.mark.parametrize(
    ("row", "column", "bias"),
    [(0, 0, None), (0, 1, None), (1, 0, None), (0, 0, "bias")],
    ids=["diagonal", "same column", "same row", "bias"],
)
def test_a_large_output_or_input_hides_no_other_one(size, row, column, bias):
    """The value of output 2 changes from x_2 to - x_2, or from 0.75 to -1.25, whatever else is large."""
    W, b = np.eye(2), np.zeros((2, 1))
    other, shifted = W.copy(), b.copy()
    other[1, 1] = -1
    if bias:
        other, b[:], shifted[:] = W, [[size], [0.75]], [[size], [-1.25]]
    else:
        W[row, column], other[row, column] = size, size
    one, two = (algatt.Weights.of({"linear.W": A, "linear.b": c}) for A, c in ((W, b), (other, shifted)))
    try:
        answer = algatt.same_function(LINEAR, one, two)
    except EquivalenceUndecided:
        assert (row, column) == (1, 0)  # beside which output 2 is small at all inputs that are tried
    else:
        assert (answer.equal, answer.status) == (False, "proven")


@pytest.mark.parametrize("name", ["linear_1.W", "linear_2.W", "linear_3.W"])
def test_a_large_hidden_number_hides_no_other_one(name):
    net = algatt.Network(Linear(2) >> Tanh() >> Linear(2) >> Linear(2), tokens=1, width=2)
    tensors = dict.fromkeys(("linear_1.W", "linear_2.W", "linear_3.W"), np.eye(2))
    one, two = (algatt.Weights.of(tensors | {name: np.diag([1e9, sign])}) for sign in (1, -1))
    assert not algatt.same_function(net, one, two).equal


def test_an_embedding_of_one_token_hides_no_other_one():
    net = algatt.Network(Embedding(3, 2) >> Unembedding(2), tokens=1)
    E, U = np.array([[1e9, 2e9], [0.75, 1.0], [1.0, 2.0]]), np.eye(2)
    other = E.copy()
    other[1, 0] = -1.25
    one, two = (algatt.Weights.of({"embedding.E": A, "unembedding.U": U}) for A in (E, other))
    answer = algatt.same_function(net, one, two)
    assert (answer.equal, answer.status) == (False, "proven")


def test_differences_are_measured_beside_rows_and_columns():
    def difference(*pair):
        one, two = (algatt.Weights.of({"linear.W": A, "linear.b": np.ones((2, 1))}) for A in pair)
        return relative_difference(one, two)

    large = np.array([[1e9, 0.0], [0.0, 1.0]])
    assert difference(large, large * [[1.0], [1 + 2e-8]]) == pytest.approx(2e-8, rel=1e-3)
    assert difference(large * (1 + 1e-8), large) == pytest.approx(1e-8, rel=1e-3)
    assert difference(np.array([[1.0, 0.0], [1e-17, 0.0]]), np.diag([1.0, 0.0])) == pytest.approx(1e-11)
    assert difference(np.array([[1.0, 0.0], [0.0, 1e-17]]), np.diag([1.0, 0.0])) == np.inf
    assert difference(np.zeros((2, 2)), np.zeros((2, 2))) == 0


def test_floats_that_are_too_close_are_refused():
    theta = weights(SQUARES, algatt.Reals(), 1)
    arrays = list(theta.elements)
    arrays[0] = arrays[0] + 1e-7
    with pytest.raises(EquivalenceUndecided, match="tolerance"):
        algatt.same_function(SQUARES, theta, theta.replace(arrays))


def test_zero_functions_in_no_common_orbit_are_one_function_over_the_smallest_field():
    net = algatt.Network(Feedforward(1, Power(2)), tokens=1, width=1)
    one, two = (
        algatt.Weights.of({"feedforward.up": [[a]], "feedforward.down": [[b]]}, field=algatt.PrimeField(2))
        for a, b in ((0, 1), (1, 0))
    )
    answer = algatt.same_function(net, one, two)
    assert (answer.equal, answer.status, answer.element) == (True, "proven", None)


@pytest.mark.parametrize(
    "layers",
    [
        Feedforward(2, ReLU()),
        RMSNorm(0) >> Feedforward(2, Power(2)),
        Heads(1) >> Feedforward(2, Power(4)),
        Experts(2, Feedforward(2, Power(2)), router=SigmoidRouter(top=1)),
    ],
    ids=["gates", "roots", "exponentials", "largest"],
)
def test_modulo_a_prime_no_values_tell_gates_roots_or_exponentials_apart(layers):
    """Where numbers have to be positive, or fourth roots of 1 real, residues say nothing: points are one function if
    they are for every meaning of these functions, and else nothing is said.
    """
    net = algatt.Network(layers, tokens=2, width=2)
    theta = weights(net, FIELD, 1)
    turned = theta.replace([one * 3 for one in theta.elements])
    with pytest.raises(InvalidArgument, match=r"theta1 was over GF\(8388593\), where .* no values and so no function"):
        algatt.same_function(net, theta, turned)
    with pytest.raises(InvalidArgument, match="no function"):
        algatt.maps.has_function(net, theta)
    reordered = theta.replace(
        [one[[1, 0]] if name.endswith("up") else one for name, one in zip(theta.names(), theta.elements, strict=True)]
    )
    reordered = reordered.replace(
        [
            one[:, [1, 0]] if name.endswith("down") else one
            for name, one in zip(theta.names(), reordered.elements, strict=True)
        ]
    )
    answer = algatt.same_function(net, theta, reordered)
    assert (answer.equal, answer.status) == (True, "proven")
    assert "whatever the functions without values over GF(8388593) are" in answer.reason


def test_opposite_weights_of_a_gate_are_not_equal_modulo_a_prime():
    net = algatt.Network(Feedforward(2, ReLU()), tokens=2, width=2)
    theta = weights(net, FIELD, 1)
    with pytest.raises(InvalidArgument, match="no function"):
        algatt.same_function(net, theta, theta.replace([-one for one in theta.elements]))


def test_heads_that_mix_behind_a_layernorm_are_recovered():
    """The embedding moves as the queries do, so that their product is left to the mixture."""
    heads = Heads(3, key_heads=1, width=2, score=Unnormalized())
    net = algatt.Network(Embedding(5, 4) >> Residual(LayerNorm() >> heads) >> LayerNorm() >> Unembedding(5), tokens=3)
    theta = weights(net, algatt.Reals(), 1)
    mixture = next(one for one in algatt.symmetries(net) if isinstance(one, algatt.symmetry.MixtureSymmetry))
    answer = algatt.same_function(net, theta, algatt.act(mixture.element(theta, seed=1), theta))
    assert (answer.equal, answer.status) == (True, "numerical")
    assert answer.element is not None


def test_permutations_that_may_be_missed_are_named():
    """Neurons in a stream whose coordinates carry numbers of their own are not matched."""
    heads = Residual(Heads(1, width=2, score=Unnormalized()))
    body = Residual(Feedforward(3, Power(2))) >> RMSNorm() >> heads >> heads
    net = algatt.Network(Embedding(6, 3) >> body >> Unembedding(6), tokens=3)
    theta = weights(net, algatt.Reals(), 1)
    (neurons,) = [one for one in algatt.symmetry.discrete_symmetries(net) if one.name == "feedforward.hidden"]
    permuted = algatt.act(neurons.elements(algatt.Reals())[0], moved(net, theta))
    answer = algatt.same_function(net, theta, permuted)
    assert (answer.equal, answer.status, answer.element) == (True, "numerical", None)
    with pytest.raises(EquivalenceUndecided, match=r"permutations of .*feedforward\.hidden.* may be missed"):
        algatt.same_function(net, theta, permuted.replace([one * (1 + 1e-9) for one in permuted.elements]))


def test_over_the_rational_numbers_balls_tell_gates_apart():
    """-1 is no element through a ReLU, although it is one modulo p."""
    net = algatt.Network(Feedforward(2, ReLU()), tokens=1, width=2)
    tensors = {"feedforward.up": [[1, 2], [3, 5]], "feedforward.down": [[1, 5], [2, 7]]}
    opposite = {"feedforward.up": [[-1, -2], [3, 5]], "feedforward.down": [[-1, 5], [-2, 7]]}
    one, two = (algatt.Weights.of(one, field=Rationals()) for one in (tensors, opposite))
    answer = algatt.same_function(net, one, two)
    assert (answer.equal, answer.status) == (False, "proven")
    values = [algatt.evaluate(net, algatt.Weights.of(w), answer.separating_input) for w in (tensors, opposite)]
    assert not np.allclose(*values)
    assert algatt.same_function(net, one, one).status == "proven"


def test_tokens_are_told_apart_by_their_numbers():
    net = algatt.Network(Embedding(4, 2) >> Residual(Heads(1, score=Unnormalized())) >> Unembedding(3), tokens=2)
    one, two = weights(net, FIELD, 1), weights(net, FIELD, 2)
    answer = algatt.same_function(net, one, two)
    X = answer.separating_input
    assert X.shape == (2,)
    assert (algatt.evaluate(net, one, X) != algatt.evaluate(net, two, X)).any()
    assert algatt.same_function(net, one, moved(net, one)).status == "proven"


def test_bad_points():
    theta = weights(SQUARES, FIELD, 1)
    with pytest.raises(InvalidArgument, match="theta2"):
        algatt.same_function(SQUARES, theta, weights(SQUARES, algatt.Reals(), 1))
    with pytest.raises(InvalidArgument, match="theta"):
        algatt.same_function(SQUARES, theta, weights(NORMED, FIELD, 1))
    with pytest.raises(InvalidArgument, match="error"):
        algatt.same_function(SQUARES, theta, theta, error=2)
