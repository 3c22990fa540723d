"""Heads, weights and flows: what they accept, how they compare, and heads from the weights of a network."""

import math
import pickle
from dataclasses import dataclass

import numpy as np
import pytest

import algatt
from algatt.dynamics import Flow, Head, load_trajectory, random_tokens

X = random_tokens(5, 3, seed=1)


def test_heads_are_what_their_matrices_are():
    basis, _ = np.linalg.qr(np.random.default_rng(0).standard_normal((3, 2)))
    heads = [
        algatt.dynamics.ScalarHead(0.7),
        algatt.dynamics.ProjectorHead(basis, 1.5),
        algatt.dynamics.MatrixHead(np.diag([1.0, 2.0, -1.0])),
        *algatt.dynamics.LowRankHead.examples(),
    ]
    for head in heads:
        M, V = head.matrices(3)
        dense = algatt.dynamics.MatrixHead(M, V)
        for weights in (
            algatt.layers.Unnormalized(algatt.layers.Exponential()),
            algatt.layers.Exponential(),
            algatt.layers.Unnormalized(algatt.layers.ReLU()),
        ):
            one, two = (algatt.dynamics.SphereFlow((some,), weights, 1.3) for some in (head, dense))
            assert np.allclose(algatt.dynamics.head_outputs(one, X), algatt.dynamics.head_outputs(two, X), atol=1e-13)
            assert np.allclose(
                algatt.dynamics.energy_gradient(one, X), algatt.dynamics.energy_gradient(two, X), atol=1e-13
            )


def test_narrow_heads_are_what_they_are_token_by_token():
    """Queries, keys, values and output with their widths, and energies along the flow against differences."""
    rng = np.random.default_rng(5)
    Q, K = rng.standard_normal((2, 2, 4))
    V, O = rng.standard_normal((3, 4)), rng.standard_normal((4, 3))
    head = algatt.dynamics.LowRankHead(Q, K, V, O)
    assert (head.dimension, head.symmetric, head.aligned) == (4, False, False)
    Y = random_tokens(6, 4, seed=2)
    flow = algatt.dynamics.SphereFlow((head, algatt.dynamics.LowRankHead(Q, Q, K, K.T)), algatt.layers.Exponential())
    for i in range(6):
        weights = [math.exp(sum((Q @ Y[:, i]) * (K @ Y[:, j]))) for j in range(6)]
        expected = sum(w * (O @ (V @ Y[:, j])) for j, w in enumerate(weights)) / sum(weights)
        assert algatt.dynamics.head_outputs(flow, Y)[0, :, i] == pytest.approx(expected, abs=1e-13)
    gradient, step = algatt.dynamics.energy_gradient(flow, Y), 1e-6
    for place in ((0, 1), (3, 4)):
        moved = np.zeros_like(Y)
        moved[place] = step
        flat = algatt.dynamics.FlatFlow(flow.heads, flow.weights)
        ahead, behind = (algatt.dynamics.energy(flat, Y + sign * moved) for sign in (1, -1))
        assert gradient[:, *place] == pytest.approx((ahead - behind) / (2 * step), rel=1e-7)


@dataclass(frozen=True, eq=False)
class ShearHead(Head):
    """The head M = I + E_12, which is not symmetric, and V = I."""

    strength: float

    @property
    def dimension(self):
        return 3

    def matrices(self, dimension):
        M = np.eye(3)
        M[0, 1] = self.strength
        return M, np.eye(3)

    @classmethod
    def examples(cls):
        return (cls(0.8),)


def test_a_head_of_ones_own_needs_its_matrices_only(tmp_path):
    (own,) = ShearHead.examples()
    dense = algatt.dynamics.MatrixHead(*own.matrices(3))
    assert (own.symmetric, own.aligned) == (False, False)
    for weights in (
        algatt.layers.Unnormalized(algatt.layers.Exponential()),
        algatt.layers.Exponential(),
        algatt.layers.Unnormalized(algatt.layers.ReLU()),
    ):
        one, two = (
            algatt.dynamics.SphereFlow((head, algatt.dynamics.ScalarHead(0.5)), weights, 1.3) for head in (own, dense)
        )
        for verb in (
            algatt.dynamics.velocity,
            algatt.dynamics.energy,
            algatt.dynamics.energy_gradient,
            algatt.dynamics.energy_rate,
            algatt.dynamics.radial_dominance,
            algatt.dynamics.entropy,
        ):
            np.testing.assert_array_equal(verb(one, X), verb(two, X))
    run = algatt.dynamics.integrate(one, X, until=0.1)
    run.save(tmp_path / "run.npz")
    assert load_trajectory(tmp_path / "run.npz").flow == one


def test_symmetry_and_alignment_are_read_off_the_matrices():
    M = np.array([[1.0, 2.0], [2.0, 0.0]])
    assert (algatt.dynamics.MatrixHead(M).symmetric, algatt.dynamics.MatrixHead(M).aligned) == (True, True)
    assert not algatt.dynamics.MatrixHead(np.triu(M)).symmetric
    assert not algatt.dynamics.MatrixHead(M, 2 * M).aligned
    assert algatt.dynamics.MatrixHead(M, M + 1e-15).aligned


def test_heads_and_flows_compare_by_value_and_can_be_pickled():
    for kind in (algatt.dynamics.SphereFlow, algatt.dynamics.FlatFlow):
        for flow in kind.examples():
            assert pickle.loads(pickle.dumps(flow)) == flow
            assert hash(pickle.loads(pickle.dumps(flow))) == hash(flow)
    assert algatt.dynamics.ScalarHead(1) == algatt.dynamics.ScalarHead(1.0)
    assert hash(algatt.dynamics.ScalarHead(-0.0)) == hash(algatt.dynamics.ScalarHead(0.0))
    assert algatt.dynamics.ScalarHead(1.0) != algatt.dynamics.ScalarHead(2.0)
    assert algatt.dynamics.MatrixHead(np.eye(2)) != algatt.dynamics.ProjectorHead(np.eye(2))
    assert algatt.dynamics.ProjectorHead(np.eye(2), 1.0) != algatt.dynamics.ProjectorHead(np.eye(2), 2.0)
    assert algatt.dynamics.MatrixHead(np.eye(2)) != algatt.dynamics.MatrixHead(np.eye(2), 2 * np.eye(2))
    assert algatt.dynamics.SphereFlow.examples()[0] != algatt.dynamics.FlatFlow.examples()[0]


def test_a_head_cannot_be_changed_from_outside():
    M = np.eye(2)
    head = algatt.dynamics.MatrixHead(M)
    M[0, 0] = 5
    assert head.M[0, 0] == 1
    with pytest.raises(ValueError, match="read-only"):
        head.M[0, 0] = 5


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: algatt.dynamics.ScalarHead(float("nan")), "strength was nan"),
        (lambda: algatt.dynamics.ScalarHead("1"), "strength was '1'"),
        (lambda: algatt.dynamics.ScalarHead(10**400), "strength was an integer beyond the largest float64"),
        (lambda: algatt.dynamics.ProjectorHead([[1.0, 1.0], [0.0, 1.0]]), "not orthonormal"),
        (lambda: algatt.dynamics.ProjectorHead([1.0, 0.0]), r"basis was of shape \(2,\)"),
        (
            lambda: algatt.dynamics.LowRankHead(np.eye(2), np.eye(3), np.eye(2), np.eye(2)),
            r"K was of shape \(3, 3\) with Q of shape \(2, 2\); it should be of shape \(2, 2\)",
        ),
        (
            lambda: algatt.dynamics.LowRankHead(np.eye(2), np.eye(2), np.ones((1, 2)), np.eye(2)),
            r"O was of shape \(2, 2\) with Q and V of shape \(2, 2\) and \(1, 2\); it should be of shape \(2, 1\)",
        ),
        (lambda: algatt.dynamics.MatrixHead([[1.0, 2.0]]), r"M was of shape \(1, 2\); it should be square"),
        (lambda: algatt.dynamics.MatrixHead([[1.0], [2.0, 3.0]]), "M was a list of rows of different lengths"),
        (lambda: algatt.dynamics.MatrixHead(np.eye(2), np.eye(3)), r"V was of shape \(3, 3\)"),
        (lambda: algatt.dynamics.SphereFlow(()), "heads was empty"),
        (lambda: algatt.dynamics.SphereFlow(algatt.dynamics.ScalarHead(1.0)), "heads was ScalarHead"),
        (lambda: algatt.dynamics.SphereFlow((1.0,)), r"heads\[0\] was 1.0"),
        (
            lambda: algatt.dynamics.SphereFlow(
                (algatt.dynamics.MatrixHead(np.eye(2)), algatt.dynamics.MatrixHead(np.eye(3)))
            ),
            "heads was for tokens of the dimensions 2, 3",
        ),
        (lambda: algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), "softmax"), "weights was 'softmax'"),
        (
            lambda: algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=0),
            "beta was 0; it should be larger than 0",
        ),
        (lambda: algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=-1.5), "beta was -1.5"),
        (lambda: algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),), beta=float("inf")), "beta was inf"),
        (lambda: algatt.dynamics.EquiangularFlow((), 3), r"strengths was \(\)"),
        (lambda: algatt.dynamics.EquiangularFlow((1.0,), 1), "tokens was 1"),
    ],
)
def test_bad_nouns_are_refused(make, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        make()


def transformer_head(seed, rank=2, width=3):
    rng = np.random.default_rng(seed)
    return algatt.Weights.of(
        [tuple(rng.standard_normal(shape) for shape in ((rank, width), (rank, width), (width, width)))]
    )


def test_a_head_of_weights_attends_as_a_transformer_does():
    heads = [transformer_head(seed) for seed in range(3)]
    flow = algatt.dynamics.SphereFlow.of(heads, beta=0.5)
    expected = np.zeros_like(X)
    for theta in heads:
        Q, K, V = theta.layers[0]
        queries, keys = Q @ X, K @ X
        for i in range(X.shape[1]):
            exponentials = np.exp(0.5 * keys.T @ queries[:, i])
            expected[:, i] += V @ X @ (exponentials / exponentials.sum())
    assert np.allclose(algatt.dynamics.head_outputs(flow, X).sum(axis=0), expected, rtol=1e-12)
    assert flow.weights == algatt.layers.Exponential()


def test_where_all_scores_are_positive_relu_is_the_lightning_network_of_the_core():
    rng = np.random.default_rng(3)
    Q = rng.uniform(0.1, 1, (2, 3))
    theta = algatt.Weights.of([(Q, rng.uniform(0.1, 1, (2, 3)), rng.standard_normal((3, 3)))])
    tokens = rng.uniform(0.1, 1, (3, 4))
    flow = algatt.dynamics.FlatFlow.of([theta], weights=algatt.layers.Unnormalized(algatt.layers.ReLU()))
    expected = algatt.evaluate(algatt.Lightning((3, 3), (2,), 4), theta, tokens)
    assert np.allclose(algatt.dynamics.head_outputs(flow, tokens)[0], expected, rtol=1e-12)


def test_heads_from_a_network_have_one_layer_and_real_numbers():
    two = algatt.sample(algatt.Lightning((3, 3, 3), (2, 2), 2), algatt.Weights, field=algatt.Reals())
    with pytest.raises(algatt.errors.InvalidArgument, match="theta was of 2 layers"):
        algatt.dynamics.SphereFlow.of([two])
    with pytest.raises(algatt.errors.InvalidArgument, match=r"theta was over GF\(8388593\)"):
        algatt.dynamics.SphereFlow.of([algatt.sample(algatt.Lightning((3, 3), (2,), 2), algatt.Weights)])
    with pytest.raises(algatt.errors.InvalidArgument, match=r"V was of shape \(2, 3\)"):
        algatt.dynamics.SphereFlow.of(
            [algatt.sample(algatt.Lightning((3, 2), (2,), 2), algatt.Weights, field=algatt.Reals())]
        )


def test_the_examples_are_of_every_kind():
    for noun in (Head, Flow):  # pages define others in the same process
        kinds = {kind for kind in noun.__subclasses__() if not kind.__module__.startswith("__test__")}
        assert {type(one) for kind in kinds for one in kind.examples()} == kinds
