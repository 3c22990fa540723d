"""The scalar equation of equiangular tokens: against the flow of the tokens, closed solutions, and quadrature in
another variable.
"""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import algatt
from algatt.dynamics import clustering_time, cosine_at, equiangular_tokens, linearised_clustering_time

WEIGHTS = [
    algatt.layers.Unnormalized(algatt.layers.Exponential()),
    algatt.layers.Exponential(),
    algatt.layers.Unnormalized(algatt.layers.ReLU()),
]


@pytest.mark.sample(2)
@pytest.mark.parametrize("weights", WEIGHTS, ids=repr)
@settings(max_examples=15)
@given(
    n=st.integers(2, 7),
    share=st.floats(0.01, 0.99),
    beta=st.floats(0.1, 3),
    strengths=st.lists(st.floats(-1.5, 1.5), min_size=1, max_size=3),
)
def test_the_verbs_on_a_cosine_are_those_on_the_tokens(weights, n, share, beta, strengths):
    g = -1 / (n - 1) + share * (1 + 1 / (n - 1))
    flow = algatt.dynamics.EquiangularFlow(strengths, n, weights, beta)
    tokens = equiangular_tokens(n, n + 1, g)
    for verb in (
        algatt.dynamics.radial_shadow,
        algatt.dynamics.radial_dominance,
        algatt.dynamics.entropy,
        algatt.dynamics.entropy_rate,
    ):
        assert np.allclose(verb(flow.full, tokens), verb(flow, g)[:, np.newaxis], rtol=1e-9, atol=1e-10), verb.name
    assert np.allclose(algatt.dynamics.energy(flow.full, tokens), algatt.dynamics.energy(flow, g), rtol=1e-12)
    v = algatt.dynamics.velocity(flow.full, tokens)
    assert v[:, 0] @ tokens[:, 1] + tokens[:, 0] @ v[:, 1] == pytest.approx(
        algatt.dynamics.velocity(flow, g), rel=1e-9, abs=1e-10
    )


def test_cosines_may_come_in_arrays():
    flow = algatt.dynamics.EquiangularFlow((1.0, 0.5), 5, beta=2.0)
    g = np.linspace(-0.2, 1, 7)
    for verb in (
        algatt.dynamics.radial_shadow,
        algatt.dynamics.radial_dominance,
        algatt.dynamics.entropy,
        algatt.dynamics.entropy_rate,
        algatt.dynamics.energy,
    ):
        assert np.allclose(verb(flow, g), np.stack([verb(flow, float(one)) for one in g], axis=1), rtol=1e-14)
    assert np.allclose(algatt.dynamics.velocity(flow, g), [algatt.dynamics.velocity(flow, float(one)) for one in g])


@pytest.mark.parametrize("weights", WEIGHTS, ids=repr)
def test_the_full_flow_stays_equiangular_and_follows_the_equation(weights):
    flow = algatt.dynamics.EquiangularFlow((1.0, 0.4), 6, weights, 1.2)
    run = algatt.dynamics.integrate(flow.full, equiangular_tokens(6, 6, 0.15), until=1.5, samples=6)
    grams = np.swapaxes(run.states, 1, 2) @ run.states
    off_diagonal = grams[:, ~np.eye(6, dtype=bool)]
    assert np.ptp(off_diagonal, axis=1).max() < 1e-8
    assert np.abs(off_diagonal - cosine_at(flow, 0.15, run.times)[:, np.newaxis]).max() < 1e-8


def test_equal_weights_have_a_closed_solution():
    # beta -> 0 with softmax: g' = (2 / n)(1 - g)(1 + (n - 1) g) Lambda, so ln((1 + (n - 1) g) / (1 - g)) grows
    # linearly.
    n = 9
    flow = algatt.dynamics.EquiangularFlow((1.0, 0.5), n, algatt.layers.Exponential(), 1e-15)
    times = np.linspace(0, 4, 9)
    u = math.log((1 + 8 * 0.1) / 0.9) + 2 * 1.5 * times
    assert np.allclose(cosine_at(flow, 0.1, times), (np.exp(u) - 1) / (np.exp(u) + n - 1), rtol=1e-11)
    assert clustering_time(flow, 0.1, 0.9) == pytest.approx((math.log(8.2 / 0.1) - math.log(1.8 / 0.9)) / 3, rel=1e-10)


@pytest.mark.parametrize("n", [2, 10, 1000])
@pytest.mark.parametrize("start", [1e-6, 0.01, 0.3])
def test_relu_times_are_those_of_partial_fractions(n, start):
    # 1 / (g (1 - g)(1 + m g)) = 1/g + (1/n)/(1 - g) - (m^2/n)/(1 + m g) with m = n - 1
    flow = algatt.dynamics.EquiangularFlow((1.0, 0.5), n, algatt.layers.Unnormalized(algatt.layers.ReLU()), 0.7)
    rate = 0.7 * 1.25 / n

    def primitive(g):
        return math.log(g) - math.log(1 - g) / n - (n - 1) / n * math.log(1 + (n - 1) * g)

    assert clustering_time(flow, start, 0.8) == pytest.approx(
        (primitive(0.8) - primitive(start)) / (2 * rate), rel=1e-8
    )


@pytest.mark.parametrize("weights", WEIGHTS, ids=repr)
def test_times_and_solutions_invert_each_other(weights):
    flow = algatt.dynamics.EquiangularFlow((1.0, 0.3), 12, weights, 1.5)
    time = clustering_time(flow, 0.05, 0.95)
    assert cosine_at(flow, 0.05, [time])[0] == pytest.approx(0.95, rel=1e-9)
    middle = clustering_time(flow, 0.05, 0.4) + clustering_time(flow, 0.4, 0.95)
    assert time == pytest.approx(middle, rel=1e-9)
    assert clustering_time(flow, 0.4, 0.4) == 0


def test_linearised_times_are_those_of_the_leading_term():
    assert linearised_clustering_time(algatt.dynamics.EquiangularFlow((1.0, 0.5), 30), 0.0, 0.6) == pytest.approx(
        30 * 0.6 / 3
    )
    softmax = algatt.dynamics.EquiangularFlow((1.0,), 30, algatt.layers.Exponential(), 2.0)
    assert linearised_clustering_time(softmax, 0.0, 0.6) == pytest.approx(0.6 * (math.exp(2.0) + 29) / 2)
    relu = algatt.dynamics.EquiangularFlow((1.0,), 30, algatt.layers.Unnormalized(algatt.layers.ReLU()))
    assert linearised_clustering_time(relu, 0.01, 0.6) == pytest.approx(15 * math.log(60))


def test_near_the_start_the_linearised_times_are_the_whole_ones():
    for weights in WEIGHTS:
        flow = algatt.dynamics.EquiangularFlow((1.0,), 5, weights, 0.5)
        start = 1e-7 if weights == algatt.layers.Unnormalized(algatt.layers.ReLU()) else 0.0
        assert clustering_time(flow, start, 3e-7) == pytest.approx(
            linearised_clustering_time(flow, start, 3e-7), rel=1e-5
        )


def test_solutions_far_out_neither_overflow_nor_leave_the_range():
    flow = algatt.dynamics.EquiangularFlow((1.0,), 4, beta=3.0)
    assert cosine_at(flow, 0.0, [1e3])[0] == 1.0
    repulsive = algatt.dynamics.EquiangularFlow((-1.0,), 4, beta=1.0)
    assert cosine_at(repulsive, 0.0, [1e3])[0] == pytest.approx(-1 / 3, rel=1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda flow, relu: algatt.dynamics.velocity(flow, 1.5), "cosine was 1.5; it should be from -0.25 to 1"),
        (lambda flow, relu: algatt.dynamics.velocity(flow, -0.3), "cosine was -0.3"),
        (lambda flow, relu: cosine_at(flow, 1.0, [1.0]), "start was 1"),
        (lambda flow, relu: cosine_at(flow, 0.0, []), "times was"),
        (lambda flow, relu: cosine_at(flow, 0.0, [1.0, 0.5]), "times was"),
        (lambda flow, relu: cosine_at(flow, 0.0, [1.0, 1.0]), "times was"),
        (lambda flow, relu: cosine_at(flow, 0.0, ["soon"]), "times was"),
        (
            lambda flow, relu: cosine_at(flow, 0.0, [1e300]),
            r"times was up to 1e\+300, which the solution does not reach",
        ),
        (lambda flow, relu: algatt.dynamics.velocity(flow, np.array(["a"])), "cosine was of the type <U1"),
        (lambda flow, relu: algatt.dynamics.velocity(flow, np.array([0.5j])), "cosine was of the type complex128"),
        (lambda flow, relu: algatt.dynamics.EquiangularFlow((1.0,), 10**400), "tokens was .* to 2147483647"),
        (lambda flow, relu: clustering_time(flow, 0.5, 0.2), "end was 0.2"),
        (lambda flow, relu: clustering_time(flow, 0.5, 1.0), "end was 1"),
        (lambda flow, relu: clustering_time(relu, 0.0, 0.5), "start was 0; it should be larger than 0: with ReLU"),
        (
            lambda flow, relu: clustering_time(algatt.dynamics.EquiangularFlow((1.0, -0.1), 5), 0.0, 0.5),
            "flow was of the strengths",
        ),
        (
            lambda flow, relu: algatt.dynamics.velocity(algatt.dynamics.EquiangularFlow((1.0,), 5, beta=800.0), 1.0),
            "beta was 800",
        ),
        (
            lambda flow, relu: algatt.dynamics.energy(
                algatt.dynamics.EquiangularFlow((1.0,), 5, algatt.layers.Exponential(), 800.0), 1.0
            ),
            "beta was 800",
        ),
    ],
)
def test_bad_arguments(call, message):
    with pytest.raises(algatt.errors.InvalidArgument, match=message):
        call(
            algatt.dynamics.EquiangularFlow((1.0,), 5),
            algatt.dynamics.EquiangularFlow((1.0,), 5, algatt.layers.Unnormalized(algatt.layers.ReLU())),
        )


@pytest.mark.filterwarnings(
    "ignore::scipy.integrate.IntegrationWarning"
)  # scipy before 1.15 doubts what is refused here
@pytest.mark.parametrize("time", [clustering_time, linearised_clustering_time])
def test_a_time_that_overflows_is_refused(time):
    """Softmax weights of other tokens underflow: the time is of the order e^1000."""
    with pytest.raises(algatt.errors.InvalidArgument, match="beta was 1000, at which the time overflows"):
        time(algatt.dynamics.EquiangularFlow((1.0,), 8, algatt.layers.Exponential(), 1000.0), 0.0, 0.1)


@pytest.mark.parametrize(
    ("verb", "weights", "beta"),
    [
        (
            algatt.dynamics.radial_dominance,
            algatt.layers.Unnormalized(algatt.layers.Exponential()),
            400.0,
        ),  # squares overflow where the weights do not
        (algatt.dynamics.entropy_rate, algatt.layers.Exponential(), 1e200),
    ],
)
def test_numbers_that_overflow_are_refused(verb, weights, beta):
    flow = algatt.dynamics.EquiangularFlow((1.0, -1.0), 3, weights, beta)
    with pytest.raises(algatt.errors.InvalidArgument, match="overflows"):
        verb(flow, 0.9 if weights == algatt.layers.Unnormalized(algatt.layers.Exponential()) else 0.0)


def test_strong_repulsion_neither_overflows_nor_loses_the_entropy_of_the_others():
    # a token that repels looks at the n - 1 others alike, and hardly at itself
    flow = algatt.dynamics.EquiangularFlow((-1.0,), 5, algatt.layers.Exponential(), 2000.0)
    assert algatt.dynamics.entropy(flow, 0.0)[0] == pytest.approx(math.log(4), rel=1e-12)
    assert algatt.dynamics.velocity(flow, 0.0) == pytest.approx(-2 / 4, rel=1e-12)  # 2 lambda w with w = 1 / (n - 1)
    assert abs(algatt.dynamics.entropy_rate(flow, 0.0)[0]) < 1e-290


def test_rates_of_the_entropy_at_high_beta_do_not_overflow():
    """Exponentials of 2000 are no floats; the probabilities, here of scores that differ by 2, are."""
    flow = algatt.dynamics.EquiangularFlow((1.0,), 4, algatt.layers.Exponential(), 2000.0)
    tokens = equiangular_tokens(4, 4, 0.999)
    p = 1 / (1 + 3 * math.exp(-2))
    expected = 2000.0**2 * p * (1 - p) * 0.001 * 2 * 0.001 * (1 + 3 * 0.999) * (1 - p) / 3
    assert algatt.dynamics.entropy_rate(flow, 0.999)[0] == pytest.approx(expected, rel=1e-9)
    assert algatt.dynamics.entropy_rate(flow.full, tokens)[0] == pytest.approx(np.full(4, expected), rel=1e-8)
