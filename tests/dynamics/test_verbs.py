"""The verbs about flows against the formulas written out pair by pair, and against finite differences."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt.dynamics import blocks, random_tokens

FLOWS = [flow for kind in (algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow) for flow in kind.examples()]

X = random_tokens(7, 3, seed=5)


def step_of(flow):
    """A step that is large for smooth energies, and small enough to meet no kink of ReLU."""
    return 1e-5 if flow.weights == algatt.layers.Unnormalized(algatt.layers.ReLU()) else 1e-2


def relative(one, two):
    return np.abs(one - two).max() / np.abs(two).max()


def central(function, step):
    """The derivative at 0 by central differences of the sixth order."""
    weights = {1: 45, 2: -9, 3: 1}
    return sum(w * (function(k * step) - function(-k * step)) for k, w in weights.items()) / (60 * step)


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
def test_outputs_velocities_energies_and_entropies_are_those_written_out(flow, plain):
    slow = plain(flow, 3)
    assert relative(algatt.dynamics.head_outputs(flow, X), slow.outputs(X)) < 1e-13
    assert relative(algatt.dynamics.velocity(flow, X), slow.velocity(X)) < 1e-13
    assert relative(algatt.dynamics.energy(flow, X), slow.energies(X)) < 1e-13
    assert relative(algatt.dynamics.entropy(flow, X), slow.entropies(X)) < 1e-13


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
def test_shadows_and_margins_are_those_written_out(flow, plain):
    outputs = plain(flow, 3).outputs(X)
    heads, n = len(outputs), X.shape[1]
    s = np.array([[float(X[:, i] @ outputs[h, :, i]) for i in range(n)] for h in range(heads)])
    margins = np.zeros((heads, n))
    for h in range(heads):
        for i in range(n):
            tangential = (np.eye(3) - np.outer(X[:, i], X[:, i])) @ outputs[h, :, i]
            margins[h, i] = tangential @ tangential - abs(s[h, i]) * sum(abs(s[k, i]) for k in range(heads) if k != h)
    assert relative(algatt.dynamics.radial_shadow(flow, X), s) < 1e-13
    assert relative(algatt.dynamics.radial_dominance(flow, X), margins) < 1e-12


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
def test_the_gradient_is_that_of_finite_differences_of_the_energy(flow, plain):
    slow = plain(flow, 3)
    gradient = algatt.dynamics.energy_gradient(flow, X)
    for index in [(0, 0), (1, 3), (2, 6)]:
        unit = np.zeros_like(X)
        unit[index] = 1.0
        slope = central(lambda t, unit=unit: slow.energies(X + t * unit), step_of(flow))
        assert gradient[:, *index] == pytest.approx(slope, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
def test_the_rates_are_those_of_finite_differences_along_the_flow(flow, plain):
    slow = plain(flow, 3)
    v = slow.velocity(X)
    step = step_of(flow) / np.abs(v).max()
    assert algatt.dynamics.energy_rate(flow, X) == pytest.approx(
        central(lambda t: slow.energies(slow.moved(X, t * v)), step), rel=1e-8, abs=1e-10
    )
    assert algatt.dynamics.entropy_rate(flow, X) == pytest.approx(
        central(lambda t: slow.entropies(slow.moved(X, t * v)), step), rel=1e-8, abs=1e-8
    )


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
def test_blocks_of_any_size_give_the_same(flow, monkeypatch):
    verbs = (
        algatt.dynamics.velocity,
        algatt.dynamics.energy,
        algatt.dynamics.energy_rate,
        algatt.dynamics.entropy,
        algatt.dynamics.entropy_rate,
    )
    whole = [verb(flow, X) for verb in verbs]
    for size in (1, 15):
        monkeypatch.setattr(blocks, "BLOCK", size)
        for verb, expected in zip(verbs, whole, strict=True):
            assert relative(verb(flow, X), expected) < 1e-13


@pytest.mark.parametrize("flow", [flow for flow in FLOWS if flow.mask is None], ids=repr)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_the_order_of_tokens_does_not_matter(flow, seed):
    tokens = random_tokens(5, 3, seed=seed)
    order = np.random.default_rng(seed).permutation(5)
    assert np.allclose(
        algatt.dynamics.velocity(flow, tokens[:, order]),
        algatt.dynamics.velocity(flow, tokens)[:, order],
        rtol=1e-12,
        atol=1e-13,
    )
    assert np.allclose(algatt.dynamics.energy(flow, tokens[:, order]), algatt.dynamics.energy(flow, tokens), rtol=1e-12)


@given(seed=st.integers(0, 10**6), strength=st.floats(-2, 2), beta=st.floats(0.01, 5))
def test_rotations_commute_with_scalar_heads(seed, strength, beta):
    flow = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ScalarHead(strength), algatt.dynamics.ScalarHead(1.0)), beta=beta
    )
    rotation, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((3, 3)))
    tokens = random_tokens(6, 3, seed=seed)
    assert np.allclose(
        algatt.dynamics.velocity(flow, rotation @ tokens),
        rotation @ algatt.dynamics.velocity(flow, tokens),
        atol=1e-12 * np.exp(2 * beta),
    )


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
@settings(max_examples=10)
@given(seed=st.integers(0, 10**6))
def test_entropies_are_between_zero_and_that_of_equal_weights(flow, seed):
    S = algatt.dynamics.entropy(flow, random_tokens(6, 3, seed=seed))
    assert ((S >= 0) & (np.log(6) + 1e-12 >= S)).all()


def test_velocities_on_the_sphere_are_tangent():
    for flow in algatt.dynamics.SphereFlow.examples():
        assert np.abs((X * algatt.dynamics.velocity(flow, X)).sum(axis=0)).max() < 1e-15 * 10


def test_softmax_does_not_overflow_where_exponentials_are_refused():
    head = algatt.dynamics.ScalarHead(1.0)
    softmax = algatt.dynamics.SphereFlow((head,), algatt.layers.Exponential(), 1e6)
    assert np.abs(algatt.dynamics.head_outputs(softmax, X)[0] - X).max() < 1e-12  # each token sees itself alone
    assert np.abs(algatt.dynamics.entropy(softmax, X)).max() < 1e-12
    exponential = algatt.dynamics.SphereFlow((head,), algatt.layers.Unnormalized(algatt.layers.Exponential()), 1e6)
    for verb in (
        algatt.dynamics.head_outputs,
        algatt.dynamics.velocity,
        algatt.dynamics.energy,
        algatt.dynamics.energy_gradient,
        algatt.dynamics.energy_rate,
        algatt.dynamics.radial_dominance,
    ):
        with pytest.raises(
            algatt.errors.InvalidArgument, match=r"beta was 1e\+06.*overflows.*normalised: Exponential\(\)"
        ):
            verb(exponential, X)
    for verb in (algatt.dynamics.energy, algatt.dynamics.energy_rate):
        with pytest.raises(algatt.errors.InvalidArgument, match=r"beta was 1e\+06"):
            verb(softmax, X)


def test_numbers_just_below_the_overflow_are_finite():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=700.0)
    assert algatt.dynamics.energy(flow, X[:, :1])[0] == pytest.approx(np.exp(700.0) / 1400, rel=1e-12)


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        (2 * X, "column 0 has length 2"),
        (X[0], "of shape"),
        (X[:2], r"of shape \(2, 7\)"),
        (X[:, :0], "of shape"),
        (np.full((3, 2), np.nan), "NaN"),
        ([[1.0, 0.0], [0.0]], "tokens was a list of rows of different lengths"),
        (X.astype(complex), "complex"),
    ],
)
def test_bad_tokens_are_refused(tokens, message):
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.MatrixHead(np.eye(3)),))
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        algatt.dynamics.velocity(flow, tokens)


def test_tokens_count_as_unit_vectors_to_twelve_digits():
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),))
    assert np.allclose(algatt.dynamics.velocity(flow, (1 + 1e-13) * X), algatt.dynamics.velocity(flow, X))
    with pytest.raises(algatt.errors.InvalidArgument, match="of unit columns to 1e-12"):
        algatt.dynamics.velocity(flow, (1 + 1e-11) * X)


def test_the_flat_space_takes_tokens_of_any_length():
    flow = algatt.dynamics.FlatFlow(
        (algatt.dynamics.ScalarHead(1.0),), algatt.layers.Unnormalized(algatt.layers.ReLU())
    )
    assert np.allclose(algatt.dynamics.velocity(flow, 2 * X), 8 * algatt.dynamics.velocity(flow, X))  # of degree 3


def test_scores_that_overflow_themselves_are_refused():
    flow = algatt.dynamics.FlatFlow((algatt.dynamics.ScalarHead(1.0),), algatt.layers.Exponential())
    huge = 1e200 * X
    for verb in (algatt.dynamics.velocity, algatt.dynamics.entropy, algatt.dynamics.energy):
        with pytest.raises(algatt.errors.InvalidArgument, match="overflows"):
            verb(flow, huge)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "verb", [algatt.dynamics.radial_shadow, algatt.dynamics.entropy_rate, algatt.dynamics.radial_dominance]
)
def test_products_that_overflow_are_refused_where_outputs_do_not(verb):
    """Outputs of ReLU weights are of degree 3, shadows of degree 4, the rates of scores times scores of degree 6."""
    flow = algatt.dynamics.FlatFlow(
        (algatt.dynamics.ScalarHead(1.0), algatt.dynamics.ScalarHead(0.5)),
        algatt.layers.Unnormalized(algatt.layers.ReLU()),
    )
    assert np.isfinite(algatt.dynamics.head_outputs(flow, 1e100 * X)).all()
    with pytest.raises(algatt.errors.InvalidArgument, match="overflows"):
        verb(flow, 1e100 * X)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "weights",
    [
        algatt.layers.Unnormalized(algatt.layers.Exponential()),
        algatt.layers.Exponential(),
        algatt.layers.Unnormalized(algatt.layers.ReLU()),
    ],
    ids=repr,
)
def test_the_largest_beta_leaves_no_number_that_is_none(weights):
    flow = algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), weights, 1e308)
    for verb in (algatt.dynamics.energy, algatt.dynamics.energy_rate, algatt.dynamics.entropy_rate):
        with pytest.raises(algatt.errors.InvalidArgument, match="beta was 1e"):
            verb(flow, X)
    weak = algatt.dynamics.SphereFlow(
        (algatt.dynamics.ScalarHead(1e-308),), algatt.layers.Unnormalized(algatt.layers.Exponential()), 1.5e308
    )
    assert algatt.dynamics.energy(weak, X[:, :1])[0] == pytest.approx(np.exp(1.5) / 2 / 1.5e308, rel=1e-6)
