"""The weights of flows are the scores of networks: the same values, temperatures, refusals, and scores of one's own."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics import (
    EquiangularFlow,
    FlatFlow,
    MatrixHead,
    ScalarHead,
    SphereFlow,
    clustering_time,
    linearised_clustering_time,
    load_trajectory,
    random_tokens,
    statements,
)
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers import (
    Activation,
    Affine,
    Exponential,
    Heads,
    ReLU,
    Rotary,
    SiLU,
    SoftCap,
    Unnormalized,
)

X = random_tokens(5, 3, seed=1)

OF_TOKENS = [
    algatt.dynamics.velocity,
    algatt.dynamics.head_outputs,
    algatt.dynamics.energy,
    algatt.dynamics.energy_gradient,
    algatt.dynamics.energy_rate,
    algatt.dynamics.radial_shadow,
    algatt.dynamics.radial_dominance,
    algatt.dynamics.entropy,
    algatt.dynamics.entropy_rate,
]

OF_COSINES = [
    algatt.dynamics.velocity,
    algatt.dynamics.energy,
    algatt.dynamics.radial_shadow,
    algatt.dynamics.radial_dominance,
    algatt.dynamics.entropy,
    algatt.dynamics.entropy_rate,
]


@dataclass(frozen=True, repr=False)
class Cube(Activation):
    """The activation x^3, which no flow of the package has."""


@algatt.layers.activate.method
def activate_cube(activation: Cube, x: Elements) -> Elements:
    return x * x * x


@algatt.dynamics.potential.method
def potential_of_cube(activation: Cube, scores: np.ndarray) -> np.ndarray:
    return (scores**4 / 4).sum(axis=1)


# ----- the same nouns as in networks


@pytest.mark.parametrize(
    "score",
    [
        Exponential(),
        Exponential(Fraction(3, 2)),
        Unnormalized(Exponential()),
        Unnormalized(Exponential(2)),
        Unnormalized(ReLU()),
        Unnormalized(Cube()),
    ],
    ids=repr,
)
def test_a_head_of_a_flow_is_a_head_of_a_network(score):
    """A head of a network is evaluated by the ring operations of its score, that of a flow in place on floats."""
    network = algatt.Network(Heads(1, width=2, value_width=3, score=score, output=False), tokens=5, width=3)
    theta = algatt.sample(network, algatt.Weights, field=algatt.Reals(), seed=4)
    Q, K, V = (theta[f"heads.{letter}_1"] for letter in "QKV")
    flow = FlatFlow((MatrixHead(Q.T @ K, V),), score)
    expected = algatt.evaluate(network, theta, X)
    assert np.allclose(algatt.dynamics.head_outputs(flow, X)[0], expected, rtol=1e-12, atol=1e-14)
    assert np.ptp(expected) > 0.01


# ----- temperatures


@given(
    st.fractions(Fraction(1, 8), 8, max_denominator=12),
    st.floats(0.2, 2.0),
    st.sampled_from([Exponential, lambda temperature: Unnormalized(Exponential(temperature))]),
)
def test_a_temperature_divides_beta(temperature, beta, score):
    one, two = (
        SphereFlow(tuple(MatrixHead.examples()), weights, number)
        for weights, number in ((score(temperature), beta), (score(1), beta / float(temperature)))
    )
    for verb in OF_TOKENS:
        assert np.allclose(verb(one, X), verb(two, X), rtol=1e-9, atol=1e-12), verb.name
    assert one.inverse_temperature == pytest.approx(two.beta)


@given(
    st.fractions(Fraction(1, 8), 8, max_denominator=12),
    st.floats(0.2, 2.0),
    st.sampled_from([Exponential, lambda temperature: Unnormalized(Exponential(temperature))]),
)
def test_a_temperature_divides_the_beta_of_equiangular_tokens(temperature, beta, score):
    one, two = (
        EquiangularFlow((1.0, 0.5), 8, weights, number)
        for weights, number in ((score(temperature), beta), (score(1), beta / float(temperature)))
    )
    for verb in OF_COSINES:
        assert np.allclose(verb(one, 0.3), verb(two, 0.3), rtol=1e-9, atol=1e-12), verb.name
    for time in (clustering_time, linearised_clustering_time):
        assert time(one, 0.1, 0.5) == pytest.approx(time(two, 0.1, 0.5), rel=1e-9)


# ----- what is refused


@pytest.mark.parametrize(
    "weights",
    [
        ReLU(),
        SiLU(),
        Affine(1, 1),
        Unnormalized(),
        Unnormalized(SiLU()),
        SoftCap(5),
        SoftCap(5, Exponential()),
        Rotary(),
        Exponential,
        "softmax",
        None,
    ],
    ids=repr,
)
def test_what_is_no_weights_of_a_flow_is_refused(weights):
    for make in (
        lambda: SphereFlow((ScalarHead(1.0),), weights),
        lambda: FlatFlow((ScalarHead(1.0),), weights),
        lambda: EquiangularFlow((1.0,), 5, weights),
    ):
        with pytest.raises(
            InvalidArgument, match=r"^weights was .*; it should be Exponential\(\), which is softmax"
        ) as e:
            make()
        assert "\n" not in str(e.value)
        assert e.value.was == repr(weights)


@pytest.mark.parametrize("temperature", [10**400, Fraction(1, 10**400)], ids=["large", "small"])
def test_a_temperature_that_float64_does_not_have_is_refused(temperature):
    for weights in (Exponential(temperature), Unnormalized(Exponential(temperature))):
        with pytest.raises(InvalidArgument, match=r"weights was Exponential.*of a temperature that float64 has"):
            SphereFlow((ScalarHead(1.0),), weights)


# ----- scores of one's own


def test_a_score_of_ones_own_needs_its_integral_only(tmp_path):
    flow = SphereFlow(tuple(MatrixHead.examples())[:1], Unnormalized(Cube()), 0.7)
    M = flow.heads[0].M
    scores = 0.7 * X.T @ M @ X
    assert np.allclose(algatt.dynamics.head_outputs(flow, X)[0], M @ X @ (scores**3).T, rtol=1e-12)
    assert algatt.dynamics.energy(flow, X)[0] == pytest.approx((scores**4).sum() / 4 / (2 * 0.7 * 25))
    assert statements.check_energy_rate(flow, X).verdict == "holds"
    assert statements.check_total_energy_rate(flow, X).verdict == "holds"
    run = algatt.dynamics.integrate(flow, X, until=0.1)
    run.save(tmp_path / "run.npz")
    assert load_trajectory(tmp_path / "run.npz").flow == flow
    assert run.to_dict()["flow"]["weights"] == {"name": "Unnormalized", "score": {"name": "Cube"}}


def test_equiangular_tokens_by_a_score_of_ones_own():
    """g' = 2 b (1 - g) (1 + (n - 1) g) with b = (beta g)^3 / n."""
    flow = EquiangularFlow((1.0,), 6, Unnormalized(Cube()), 0.7)
    g = np.array([-0.1, 0.2, 0.6])
    expected = 2 * (0.7 * g) ** 3 / 6 * (1 - g) * (1 + 5 * g)
    assert np.allclose(algatt.dynamics.velocity(flow, g), expected, rtol=1e-12)
    assert statements.check_equiangular_reduction(flow, 0.2, 1.0).verdict == "holds"


def test_tokens_that_repel_each_other_have_no_clustering_time():
    flow = EquiangularFlow((1.0,), 6, Unnormalized(Cube()))
    with pytest.raises(
        InvalidArgument, match=r"flow was of Unnormalized\(score=Cube\(\)\), by which tokens .* attract"
    ):
        clustering_time(flow, -0.1, -0.05)
    with pytest.raises(InvalidArgument, match="tokens of the cosine 0 do not attract each other"):
        linearised_clustering_time(flow, 0.1, 0.5)
    assert clustering_time(flow, 0.1, 0.5) > 0
