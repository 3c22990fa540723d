"""Balanced weights, and gradients that are orthogonal to fibres."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import algatt
from algatt.errors import InvalidArgument, NoSolution
from algatt.fields import Elements, PrimeField, Reals
from algatt.geometry.training.exponentials import SymmetricMotions
from algatt.maps import pull_back
from training_networks import NETWORKS

R, F = Reals(), PrimeField()

SEVERAL = ("layer norm", "block", "biases", "linear")
"""Networks with families whose motions are not symmetric, or divide by gains, or move what nothing reads."""


@pytest.mark.parametrize("name", NETWORKS)
def test_the_function_stays_and_no_symmetry_makes_weights_shorter(name: str) -> None:
    arch = NETWORKS[name]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=1)
    found = algatt.extremal(arch, theta)
    assert found.difference < 1e-12
    assert found.after <= found.before
    x = algatt.flatten(found.theta)
    assert found.after == pytest.approx(x @ x, rel=1e-14)
    for family in algatt.symmetries(arch):
        tangents = family.tangents(found.theta)
        if name not in SEVERAL:
            assert np.abs(tangents @ x).max(initial=0) < 1e-10 * found.after


def test_one_linear_rank_one_product_by_hand() -> None:
    """Of u v with numbers u and v, the least norm has |u| = |v|, and is 2 |u v|."""
    arch = algatt.Network(algatt.layers.Linear(1) >> algatt.layers.Linear(1), tokens=1, width=1)
    theta = algatt.unflatten(arch, algatt.Weights, np.array([8.0, 0.5]))
    found = algatt.extremal(arch, theta)
    assert np.allclose(np.abs(algatt.flatten(found.theta)), 2)
    assert (found.before, found.after) == (64.25, pytest.approx(8))


def test_queries_and_keys_have_the_least_norm_of_their_product() -> None:
    """min |Q|^2 + |K|^2 with K^T Q = M is twice the sum of the singular values of M (the nuclear norm)."""
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=4)
    found = algatt.extremal(arch, theta).theta.tensors
    Q, K = (found[name].public() for name in ("Q_1", "K_1"))
    singular_values = np.linalg.svd(K.T @ Q, compute_uv=False)
    assert np.sum(Q**2) + np.sum(K**2) == pytest.approx(2 * singular_values.sum(), rel=1e-10)


def test_a_least_norm_that_is_not_attained() -> None:
    """A neuron that is read and writes nothing: its weights may shrink without end."""
    arch = NETWORKS["relu"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    x = algatt.flatten(theta).copy()
    x[12:] = 0  # down
    with pytest.raises(NoSolution, match="least norm was not reached"):
        algatt.extremal(arch, algatt.unflatten(arch, algatt.Weights, x), steps=10)


@pytest.mark.parametrize("name", ["lightning", "deep lightning", "linear", "squares"])
def test_gradients_are_orthogonal_to_fibres_exactly(name: str) -> None:
    """Over GF(p), at random weights: the gradient of any function of the values, and all tangents of symmetries."""
    arch = NETWORKS[name]
    theta = algatt.sample(arch, algatt.Weights, field=F, seed=5)
    X = Elements.of(F, algatt.sample_inputs(arch, field=F, count=3))
    cotangents = Elements(F, algatt.verbs.draw_array(F, shape=(3, *arch.output_shape), seed=0, label="loss"))
    gradient = pull_back(arch, theta, X, cotangents)
    assert gradient.raw.any()
    for family in algatt.symmetries(arch):
        assert not (gradient @ family.tangent_elements(theta).T).raw.any()


def squared_error(seed: int, arch: algatt.Network, count: int = 5):
    """Return random inputs, and the derivatives of a squared error with random targets."""
    generator = np.random.default_rng(seed)
    X, Y = (generator.normal(size=(count, *shape)) for shape in (arch.input_shape, arch.output_shape))
    return X, lambda values: values - Y


def test_the_longest_gradient_of_a_product_by_hand() -> None:
    """Of L = (u v x - y)^2 / 2 the gradient is c (v, u) with c = (u v x - y) x: its length grows with the norm alone,
    and u v stays.
    """
    arch = algatt.Network(algatt.layers.Linear(1) >> algatt.layers.Linear(1), tokens=1, width=1)
    theta = algatt.unflatten(arch, algatt.Weights, np.array([2.0, 0.5]))
    found = algatt.extremal(arch, theta, loss=lambda values: values - 7, inputs=[[3.0]], limit=5)
    c = (3 - 7) * 3
    assert found.gradients == pytest.approx((c**2 * 4.25, c**2 * 4.25 * 5), rel=1e-8)
    assert (found.before, found.after) == (4.25, pytest.approx(5 * 4.25, rel=1e-8))
    assert found.at_limit
    assert np.prod(algatt.flatten(found.theta)) == pytest.approx(1, rel=1e-12)


def test_the_longest_gradient_of_three_numbers_on_a_grid() -> None:
    """Of u v w, by all scalings e^a, e^b, e^(-a-b) on a grid that stay within the limit."""
    layers = algatt.layers.Linear(1) >> algatt.layers.Linear(1) >> algatt.layers.Linear(1)
    arch = algatt.Network(layers, tokens=1, width=1)
    x = np.array([1.0, 0.5, 3.0])
    theta = algatt.unflatten(arch, algatt.Weights, x)
    found = algatt.extremal(arch, theta, loss=lambda values: values - 1, inputs=[[1.0]], limit=3)
    a, b = np.meshgrid(*[np.linspace(-5, 5, 1001)] * 2)
    moved = np.stack([x[0] * np.exp(a), x[1] * np.exp(b), x[2] * np.exp(-a - b)])
    squares = ((x.prod() - 1) * x.prod() / moved) ** 2
    inside = (moved**2).sum(axis=0) <= 3 * x @ x
    grid = squares.sum(axis=0)[inside].max()
    assert grid <= found.gradients[1] * (1 + 1e-9) <= grid * 1.05


@pytest.mark.parametrize("name", ["softmax", "two heads", "gated", "block"])
def test_one_step_from_the_longest_gradient_decreases_the_loss_more(name: str) -> None:
    arch = NETWORKS[name]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=6)
    X, loss = squared_error(3, arch)
    found = algatt.extremal(arch, theta, loss=loss, inputs=X, limit=2)
    assert found.difference < 1e-12
    assert found.at_limit
    assert found.after == pytest.approx(2 * found.before, rel=1e-6)
    assert found.gradients[1] > 1.3 * found.gradients[0]

    def loss_at(x: np.ndarray) -> float:
        values = algatt.evaluate(arch, algatt.unflatten(arch, algatt.Weights, x), X)
        return float((loss(values) ** 2).sum() / 2)

    decreases = []
    for at, square in zip((theta, found.theta), found.gradients, strict=True):
        inputs = Elements.of(R, X)
        gradient = pull_back(arch, at, inputs, Elements(R, loss(algatt.evaluate(arch, at, X)))).raw.sum(axis=0)
        assert gradient @ gradient == pytest.approx(square, rel=1e-9)
        x, rate = algatt.flatten(at), 1e-3 / max(found.gradients)
        decreases.append(loss_at(x) - loss_at(x - rate * gradient))
    assert decreases[1] > 1.3 * decreases[0] > 0


@pytest.mark.parametrize("name", ["deep softmax", "gated"])
def test_lengths_and_slopes_are_those_of_dense_exponentials(name: str) -> None:
    arch = NETWORKS[name]
    laws = algatt.conservation_laws(arch, complete=False).laws
    motions = SymmetricMotions.of([law for law in laws if not len(law.multiples)])
    draw = np.random.default_rng(0)
    x, exponents = draw.normal(size=arch.parameters), 0.3 * draw.normal(size=motions.count)
    A = np.zeros((motions.count, arch.parameters, arch.parameters))
    np.add.at(A, (motions.numbers, motions.rows, motions.columns), motions.values)
    S = np.tensordot(exponents, A, axes=1)
    assert np.allclose(motions.move(exponents, x), scipy.linalg.expm(S) @ x, rtol=1e-12)
    for sign in (1, -1):
        length, slopes = motions.squared_length(exponents, x, sign)
        assert length == pytest.approx(np.sum((scipy.linalg.expm(sign * S) @ x) ** 2), rel=1e-12)
        turned = scipy.linalg.expm_frechet(2 * sign * S, 2 * sign * A[0], compute_expm=False)
        assert slopes[0] == pytest.approx(x @ turned @ x, rel=1e-11)


def test_a_gradient_of_zero_stays() -> None:
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    X, _ = squared_error(0, arch)
    found = algatt.extremal(arch, theta, loss=np.zeros_like, inputs=X)
    assert (found.gradients, found.at_limit, found.steps) == ((0, 0), False, 0)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"loss": 3.0}, "loss was 3.0; it should be a function of the values"),
        ({"loss": np.zeros_like, "inputs": None}, "inputs was not given"),
        ({"loss": lambda values: 1.0}, "loss was a function that returns 1.0; it should be one that returns finite"),
        ({"loss": lambda values: values[:2]}, r"loss was a function that returns shape \(2, 3, 2\)"),
        ({"loss": lambda values: values * np.nan}, "finite derivatives"),
        ({"loss": np.zeros_like, "limit": 0.5}, "limit was 0.5; it should be a number of at least 1"),
        ({"loss": np.zeros_like, "tolerance": 0.1}, "tolerance was given with a loss"),
        ({"limit": 2, "inputs": None}, "limit was given without a loss"),
        ({}, "inputs was given without a loss"),
    ],
)
def test_losses_that_are_no_functions(options: dict, told: str) -> None:
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    X, _ = squared_error(0, arch)
    with pytest.raises(InvalidArgument, match=told):
        algatt.extremal(arch, theta, **{"inputs": X, **options})


def test_gates_at_zero_have_no_gradient() -> None:
    arch = NETWORKS["relu"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    X, loss = squared_error(0, arch)
    assert algatt.extremal(arch, theta, loss=loss, inputs=X).at_limit
    x = algatt.flatten(theta).copy()
    x[:4] = 0  # the first neuron reads nothing
    silent = algatt.unflatten(arch, algatt.Weights, x)
    with pytest.raises(
        InvalidArgument, match="theta was without a gradient at the inputs: a gate is at zero"
    ) as caught:
        algatt.extremal(arch, silent, loss=loss, inputs=X)
    assert "\n" not in str(caught.value)


def test_bad_input() -> None:
    arch = NETWORKS["softmax"]
    theta = algatt.sample(arch, algatt.Weights, field=R, seed=0)
    with pytest.raises(InvalidArgument, match="tolerance was 0"):
        algatt.extremal(arch, theta, tolerance=0)
    with pytest.raises(InvalidArgument, match="over the reals"):
        algatt.extremal(NETWORKS["lightning"], algatt.sample(NETWORKS["lightning"], algatt.Weights, field=F, seed=0))
    with pytest.raises(InvalidArgument, match="theta was None"):
        algatt.extremal(arch, None)
