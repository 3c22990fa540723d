"""Learning coefficients against those of reduced rank regression, of monomials, and of regular points."""

from __future__ import annotations

import itertools
from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument, UndefinedFunction
from algatt.fields import Rationals
from algatt.geometry.implicit.learning_coefficient import deep_linear_coefficient
from algatt.layers import Causal, Embedding, Feedforward, Heads, Linear, Power, ReLU, Tanh, Unembedding

SOFTMAX = algatt.Softmax(dims=(4, 3), ranks=(2,), tokens=2)
NEURON = algatt.Network(Feedforward(1, Tanh()), tokens=1, width=1)
TOKENS = algatt.Network(Embedding(4, 2) >> Heads(1, mask=Causal()) >> Unembedding(4), tokens=2)


def reduced_rank_regression(M: int, H: int, N: int, r: int) -> tuple[Fraction, int]:
    """Return the coefficient and the multiplicity of the main theorem of Aoyagi and Watanabe (Neural Networks 18,
    2005): four cases.
    """
    if N + r > M + H:
        return Fraction(H * M - H * r + N * r, 2), 1
    if M + r > N + H:
        return Fraction(H * N - H * r + M * r, 2), 1
    if H + r > M + N:
        return Fraction(M * N, 2), 1
    total = -((H + r) ** 2) - M**2 - N**2 + 2 * (H + r) * M + 2 * (H + r) * N + 2 * M * N
    even = (M + H + N + r) % 2 == 0
    return Fraction(total + (0 if even else 1), 8), 1 if even else 2


def test_two_layers_are_reduced_rank_regression() -> None:
    sizes = [(M, H, N, r) for M, H, N in itertools.product(range(1, 9), repeat=3) for r in range(min(M, H, N) + 1)]
    assert len(sizes) > 1500
    for M, H, N, r in sizes:
        assert deep_linear_coefficient((N, H, M), r) == reduced_rank_regression(M, H, N, r), (M, H, N, r)


@pytest.mark.parametrize("depth", range(1, 8))
def test_a_product_of_numbers_is_a_monomial(depth: int) -> None:
    """The error (w_1 ... w_L)^2 has the coefficient 1/2 with multiplicity L, and 1/2 with 1 where it is regular."""
    assert deep_linear_coefficient((1,) * (depth + 1), 0) == (Fraction(1, 2), depth)
    assert deep_linear_coefficient((1,) * (depth + 1), 1) == (Fraction(1, 2), 1)


def test_one_layer_is_a_regular_model() -> None:
    for inputs, outputs in itertools.product(range(1, 5), repeat=2):
        for r in range(min(inputs, outputs) + 1):
            assert deep_linear_coefficient((inputs, outputs), r) == (Fraction(inputs * outputs, 2), 1)


def test_generic_weights_of_a_chain_agree_with_the_formula() -> None:
    """Where the function has the largest rank, all of its weights are regular: the formula is half the dimension."""
    for widths in [(3, 2, 3), (2, 3, 2, 4), (4, 1, 3)]:
        chain = Linear(widths[1])
        for width in widths[2:]:
            chain = chain >> Linear(width)
        arch = algatt.Network(chain, tokens=1, width=widths[0])
        theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
        found = algatt.learning_coefficient(arch, theta)
        assert (found.status, found.multiplicity) == ("proven", 1)
        assert found.local == found.function == Fraction(algatt.dimension(arch).value, 2)


def test_at_zero_the_local_coefficient_is_undecided_and_that_of_the_function_is_not() -> None:
    arch = algatt.Network(Linear(2) >> Linear(2), tokens=1, width=2)
    zero = algatt.Weights.of(dict.fromkeys(algatt.coordinates(arch), np.zeros((2, 2))))
    found = algatt.learning_coefficient(arch, zero)
    assert (found.local, found.status, found.rank) == (None, "undecided", 0)
    assert (found.function, found.multiplicity) == (Fraction(3, 2), 1)  # 12 / 8, Aoyagi and Watanabe 2005
    assert found.upper == 2  # half of the 4 entries of one matrix: while it is zero the other one is free
    assert str(found) == "from 3/2 to 2"
    assert [one.split(" ")[0] for one in found.sources] == ["Aoyagi,", "half"]


def test_lightning_at_generic_weights_and_over_a_boundary_point() -> None:
    """HMK Corollary 3.3: the dimension of one layer with d = 4, d' = 3, a = 2 is 2 (8 - 2) + 12 - 1 = 23. By Lemma A.3
    the rank falls over A = u q^T, V = v u^T.
    """
    arch = algatt.Lightning(dims=(4, 3), ranks=(2,), tokens=2)
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    found = algatt.learning_coefficient(arch, theta)
    assert (found.local, found.status, found.function, found.source) == (Fraction(23, 2), "proven", None, None)
    u, q, v = np.array([[1.0, 2, 0, 1]]), np.array([[1.0, 0, 3, 1]]), np.array([[2.0], [1], [1]])
    boundary = algatt.Weights.of([(np.vstack([q, 0 * q]), np.vstack([u, 0 * u]), v @ u)])
    at = algatt.learning_coefficient(arch, boundary)
    assert at.local is None
    assert at.rank < 23
    assert at.lower < at.upper <= Fraction(arch.parameters, 2)


def test_the_bounds_at_singular_weights_hold_the_coefficient_of_the_function() -> None:
    """At A = B = diag(1, 0, 0) the product is diag(1, 0, 0) and the Jacobian B dA + dB A misses the corner."""
    arch = algatt.Network(Linear(3) >> Linear(3), tokens=1, width=3)
    names = list(algatt.coordinates(arch))
    one = np.diag([1.0, 0, 0])
    at = algatt.learning_coefficient(arch, algatt.Weights.of(dict(zip(names, (one, one), strict=True))))
    assert at.local is None
    assert at.rank == 5  # 9 entries less the 4 of the corner
    assert at.upper == Fraction(
        18 - 5, 2
    )  # the X with X A = 0 and B X = 0 are 4: the orbit (G A, B G^-1) has dimension 9 - 4
    assert at.lower == at.function == 4  # 5/2 + 3/2, by the formula


def weights_with_zeros(arch: algatt.architectures.Architecture, *names: str) -> algatt.Weights:
    """Return random weights, with some tensors that are zero."""
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    pairs = zip(theta.names(), theta.elements, strict=True)
    return algatt.Weights.of({name: element.raw * (name not in names) for name, element in pairs})


@pytest.mark.parametrize(("arch", "dimension"), [(SOFTMAX, 24), (NEURON, 2), (TOKENS, 16)], ids=repr)
def test_with_exponentials_at_generic_weights(arch: algatt.architectures.Architecture, dimension: int) -> None:
    """Softmax: 2 (8 - 2) + 12 without the rescaling of lightning. One neuron: both weights. Tokens: the
    values at the first of two tokens are a matrix of rank 2, with 2 (4 + 4 - 2) = 12 parameters, and scores have 4.
    """
    found = algatt.learning_coefficient(arch, algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0))
    assert (found.local, found.status) == (Fraction(dimension, 2), "proven")


@pytest.mark.parametrize("arch", [SOFTMAX, algatt.Lightning((4, 3), (2,), 2)], ids=repr)
def test_values_that_are_zero(arch: algatt.architectures.Architecture) -> None:
    """The error near V = 0 is of the order of |V|^2, and the 12 entries of V are 12 squares: 6, where half the
    dimension is 12 or 23/2.
    """
    found = algatt.learning_coefficient(arch, weights_with_zeros(arch, "V_1"))
    assert (found.rank, found.local, found.status, found.upper) == (12, 6, "proven", 6)


def test_one_neuron() -> None:
    """v tanh(w x): the error is of the order of v^2 w^2, with the coefficient 1/2 wherever it is zero; at v = w = 0 its
    multiplicity is 2, so the bounds do not decide it.
    """
    down = algatt.learning_coefficient(NEURON, weights_with_zeros(NEURON, "feedforward.down"))
    assert (down.local, down.status) == (Fraction(1, 2), "proven")
    both = algatt.learning_coefficient(NEURON, weights_with_zeros(NEURON, "feedforward.down", "feedforward.up"))
    assert (both.local, both.lower, both.upper) == (None, 0, Fraction(1, 2))


def test_gates_that_are_strictly_open_or_closed_count() -> None:
    """Two neurons of ReLU with biases in the plane have 12 parameters and 2 rescalings: 10. Where all weights that go
    in are zero, the function has a kink in each of them; of derivatives at open gates those by the output biases are
    left, which are 2.
    """
    arch = algatt.Network(Feedforward(2, ReLU(), bias=True), tokens=1, width=2)
    theta = algatt.sample(arch, algatt.Weights, field=algatt.Reals(), seed=0)
    assert algatt.learning_coefficient(arch, theta).local == 5
    kinks = weights_with_zeros(arch, "feedforward.up", "feedforward.b_up")
    found = algatt.learning_coefficient(arch, kinks)
    assert (found.local, found.status) == (None, "undecided")
    assert found.lower <= 1 <= found.upper


def test_weights_with_the_default_prime_in_a_denominator() -> None:
    arch = algatt.Network(Linear(1) >> Linear(1), tokens=1, width=1)
    tiny = Fraction(1, 8388593)
    theta = algatt.Weights.of({"linear_1.W": [[tiny]], "linear_2.W": [[tiny]]}, field=Rationals())
    assert algatt.learning_coefficient(arch, theta).local == Fraction(1, 2)


def test_fields_and_weights_without_an_answer() -> None:
    arch = algatt.Lightning(dims=(2, 2), ranks=(1,), tokens=2)
    with pytest.raises(InvalidArgument, match=r"theta was over GF\(8388593\); it should be over Reals"):
        algatt.learning_coefficient(arch, algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(), seed=0))
    ratio = algatt.Normalized((2, 1), (1,), 2, score=Power(1))
    zero = algatt.Weights.of([([[1.0, 2.0]], [[0.0, 0.0]], [[1.0, 1.0]])])
    with pytest.raises(UndefinedFunction, match="theta was a point with no function"):
        algatt.learning_coefficient(ratio, zero)
