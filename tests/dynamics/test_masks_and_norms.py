"""Flows with masks, and of tokens that are normalised first: against the formulas written out, and theorems."""

import numpy as np
import pytest
import scipy.integrate

import algatt
from algatt.dynamics import (
    FlatFlow,
    LowRankHead,
    MatrixHead,
    PreNormFlow,
    ProjectorHead,
    ScalarHead,
    SphereFlow,
    blocks,
    equiangular_tokens,
    load_trajectory,
    random_tokens,
    statements,
)
from algatt.dynamics.jacobian import extended_jacobian
from algatt.layers import Causal, Exponential, Pattern, ReLU, Unnormalized, Window

KINDS = (Unnormalized(Exponential()), Exponential(), Unnormalized(ReLU()))

X = random_tokens(7, 3, seed=5)

LONG = X * np.linspace(0.5, 2.0, 7)

FLOWS = [
    PreNormFlow(tuple(MatrixHead.examples()), Unnormalized(Exponential()), 0.8),
    PreNormFlow(tuple(LowRankHead.examples()), Exponential(), 0.8, Window(2)),
    PreNormFlow(tuple(MatrixHead.examples()), Unnormalized(ReLU()), 0.8),
    SphereFlow(tuple(LowRankHead.examples()), Unnormalized(Exponential(2)), 0.8, Window(2)),
    SphereFlow(tuple(MatrixHead.examples()), Unnormalized(ReLU()), 0.8, Causal()),
]


def tokens_of(flow):
    return LONG if isinstance(flow, PreNormFlow) else X


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
@pytest.mark.parametrize("block", [2**18, 15])
def test_all_is_as_written_out(flow, block, plain, monkeypatch):
    monkeypatch.setattr(blocks, "BLOCK", block)
    slow, tokens = plain(flow, 3), tokens_of(flow)
    for verb, expected in (
        (algatt.dynamics.head_outputs, slow.outputs(tokens)),
        (algatt.dynamics.velocity, slow.velocity(tokens)),
        (algatt.dynamics.energy, slow.energies(tokens)),
        (algatt.dynamics.entropy, slow.entropies(tokens)),
        (algatt.dynamics.radial_shadow, (slow.directions(tokens) * slow.outputs(tokens)).sum(axis=1)),
    ):
        assert np.allclose(verb(flow, tokens), expected, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("flow", FLOWS, ids=repr)
def test_gradients_rates_and_jacobians_are_those_of_differences(flow, plain):
    slow, tokens, h = plain(flow, 3), tokens_of(flow), 1e-5
    v = slow.velocity(tokens)

    def slope(function, change):
        return (function(slow.moved(tokens, h * change)) - function(slow.moved(tokens, -h * change))) / (2 * h)

    assert algatt.dynamics.energy_rate(flow, tokens) == pytest.approx(slope(slow.energies, v), rel=1e-6, abs=1e-9)
    assert algatt.dynamics.entropy_rate(flow, tokens) == pytest.approx(slope(slow.entropies, v), rel=1e-6, abs=1e-8)
    assert (algatt.dynamics.energy_gradient(flow, tokens) * v).sum(axis=(1, 2)) == pytest.approx(
        algatt.dynamics.energy_rate(flow, tokens), rel=1e-10
    )
    change = np.random.default_rng(0).standard_normal(tokens.shape)
    moved = extended_jacobian(flow, tokens.ravel(), tokens.shape) @ change.ravel()

    def extended(state):
        if not isinstance(flow, SphereFlow):
            return slow.velocity(state)
        sizes = np.linalg.norm(state, axis=0)
        return sizes * slow.velocity(state / sizes)

    expected = (extended(tokens + h * change) - extended(tokens - h * change)) / (2 * h)
    assert np.allclose(moved.reshape(tokens.shape), expected, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("flow", [*FLOWS, FlatFlow((ScalarHead(1.0),), Exponential(), 1.0, Causal())], ids=repr)
def test_the_identities_hold_at_all_of_them(flow):
    tokens = tokens_of(flow)
    assert statements.check_entropy_rate(flow, tokens).verdict == "holds"
    smooth = flow.weights != Unnormalized(ReLU())
    assert statements.check_energy_rate(flow, tokens).verdict == ("holds" if smooth else "does not apply")


def test_with_a_causal_mask_there_is_no_gradient_structure_and_energy_falls():
    """A token leaves those that see it for those that it sees."""
    free, causal = (SphereFlow((ScalarHead(1.0),), beta=4.0, mask=mask) for mask in (None, Causal()))
    states = [random_tokens(4, 2, seed=seed) for seed in range(40)]
    assert {statements.check_total_energy_rate(free, state).verdict for state in states} == {"holds"}
    assert min(algatt.dynamics.energy_rate(causal, state).item() for state in states) < -1e-3
    check = statements.check_total_energy_rate(causal, states[0])
    assert check.verdict == "does not apply"
    assert dict(check.hypotheses)["mask symmetry"] is False


def test_with_a_symmetric_mask_the_energy_grows_as_without():
    rows = np.eye(7, dtype=int) + np.eye(7, k=1, dtype=int) + np.eye(7, k=-1, dtype=int)
    for kind, tokens in ((SphereFlow, X), (FlatFlow, X), (PreNormFlow, LONG)):
        for weights in (KINDS[0], KINDS[2]):
            flow = kind((MatrixHead.examples()[0], ScalarHead(0.5)), weights, 0.7, Pattern(rows.tolist()))
            assert statements.check_total_energy_rate(flow, tokens).verdict == "holds"


@pytest.mark.parametrize("weights", [KINDS[0], KINDS[2]], ids=repr)
def test_the_energy_of_directions_grows(weights):
    flow = PreNormFlow((MatrixHead.examples()[0], ScalarHead(0.5)), weights, 0.7)
    check = statements.check_total_energy_rate(flow, LONG)
    assert (check.verdict, check.source) == ("holds", "derived")
    axes = np.eye(3)
    orthogonal = PreNormFlow((ProjectorHead(axes[:, :1]), ProjectorHead(axes[:, 1:], 0.5)), weights, 0.7)
    assert statements.check_head_energy_rates(orthogonal, LONG).verdict == "holds"
    assert statements.check_approximate_orthogonality(orthogonal, LONG).verdict == "does not apply"


def test_the_first_token_of_a_causal_flow_rests_and_the_second_follows_a_closed_formula():
    """Two tokens on the circle, softmax: the angle a of the second to the first obeys a' = -p sin a with
    p = 1 / (1 + e^(beta (1 - cos a))), whose time is a quadrature.
    """
    beta, start, end = 2.0, 2.0, 0.25
    flow = SphereFlow((ScalarHead(1.0),), Exponential(), beta, Causal())
    time, _ = scipy.integrate.quad(lambda a: (1 + np.exp(beta * (1 - np.cos(a)))) / np.sin(a), end, start)
    run = algatt.dynamics.integrate(flow, [[1.0, np.cos(start)], [0.0, np.sin(start)]], until=time, samples=2)
    assert run.final == pytest.approx(np.array([[1.0, np.cos(end)], [0.0, np.sin(end)]]), abs=1e-8)


def test_causal_tokens_come_to_the_first():
    M = np.array([[1.0, 2.0, 0.0], [-1.0, 0.5, 0.3], [0.0, 1.0, -2.0]])
    causal = SphereFlow((MatrixHead(M, np.eye(3)),), Exponential(), 1.0, Causal())
    assert statements.check_causal_cluster(causal, X).verdict == "holds"
    for flow in (
        SphereFlow((MatrixHead(M, np.eye(3)),), Exponential()),
        SphereFlow((MatrixHead(M, -np.eye(3)),), Exponential(), 1.0, Causal()),
        SphereFlow((MatrixHead(M),), Exponential(), 1.0, Causal()),
        SphereFlow((MatrixHead(M, np.eye(3)),), Unnormalized(Exponential()), 1.0, Causal()),
    ):
        assert statements.check_causal_cluster(flow, X).verdict == "does not apply"


def test_normalised_first_equiangular_tokens_are_slowed_down_by_their_length():
    """With dT = dt / r the cosine follows the flow on the sphere, and d ln r / dT is the shadow p + (1 - p) g."""
    beta, n = 1.5, 5

    def rates(_, state):
        g, logarithm, _ = state
        other = 1 / (np.exp(beta * (1 - g)) + n - 1)
        shadow = 1 - (n - 1) * other * (1 - g)
        return [2 * other * (1 - g) * (1 + (n - 1) * g), shadow, np.exp(logarithm)]

    solved = scipy.integrate.solve_ivp(rates, (0, 1.5), [0.1, 0.0, 0.0], rtol=1e-10, atol=1e-11)
    cosine, logarithm, time = solved.y[:, -1]
    flow = PreNormFlow((ScalarHead(1.0),), Exponential(), beta)
    final = algatt.dynamics.integrate(flow, equiangular_tokens(n, n, 0.1), until=time, samples=2).final
    assert np.linalg.norm(final, axis=0) == pytest.approx(np.full(n, np.exp(logarithm)), rel=1e-7)
    assert final[:, 0] @ final[:, 1] / np.exp(2 * logarithm) == pytest.approx(cosine, rel=1e-7)


def test_late_cosines_of_tokens_that_are_normalised_first_go_to_1_like_a_power():
    flow = PreNormFlow((ScalarHead(1.0),), Exponential(), 1.0)
    run = algatt.dynamics.integrate(flow, random_tokens(4, 3, seed=1), until=3e4, samples=[1e4, 2e4])
    distances = [algatt.dynamics.distance_from_cluster(algatt.dynamics.normalised(s)) for s in run.states]
    assert distances[2] / distances[1] == pytest.approx(0.25, rel=1e-2)  # t^-2


def test_masks_and_norms_are_saved_and_implicit_methods_follow_them(tmp_path):
    for flow in FLOWS[:4]:
        run = algatt.dynamics.integrate(flow, tokens_of(flow), until=0.3, samples=2)
        run.save(tmp_path / "run.npz")
        again = load_trajectory(tmp_path / "run.npz")
        assert again.flow == flow
        assert repr(again.flow) == repr(flow)
        implicit = algatt.dynamics.integrate(flow, tokens_of(flow), until=0.3, samples=2, method="LSODA")
        assert implicit.final == pytest.approx(run.final, abs=1e-7)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: SphereFlow((ScalarHead(1.0),), mask=np.eye(3)), "mask was .* a mask of algatt.layers"),
        (
            lambda: algatt.dynamics.velocity(SphereFlow((ScalarHead(1.0),), mask=Pattern(((1,),))), X),
            "mask was for 1 tokens",
        ),
        (lambda: algatt.dynamics.velocity(PreNormFlow((ScalarHead(1.0),)), np.zeros((3, 2))), "tokens was with a zero"),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        call()
