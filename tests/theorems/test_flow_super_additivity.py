"""Super-additivity: unequal heads cluster at least as fast as equal ones of one mean, with exponential weights (P), not
with softmax (derived).
"""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt.dynamics.statements import check_super_additivity


@given(
    strengths=st.lists(st.floats(0, 3), min_size=2, max_size=5),
    n=st.integers(2, 50),
    g=st.floats(0, 0.999),
    beta=st.floats(0.01, 4),
)
def test_exponential_weights(strengths, n, g, beta):
    mean = math.fsum(strengths) / len(strengths)
    unequal, equal = (sum(x * math.exp(beta * x * g) for x in some) for some in (strengths, [mean] * len(strengths)))
    assert unequal >= equal * (1 - 1e-12)
    factor = 2 / n * (1 - g) * (1 + (n - 1) * g)
    assert algatt.dynamics.velocity(algatt.dynamics.EquiangularFlow(strengths, n, beta=beta), g) == pytest.approx(
        factor * unequal, rel=1e-12
    )
    if g > 0.01 and max(strengths) - min(strengths) > 0.01:
        assert check_super_additivity(strengths, n, g, beta=beta).verdict == "holds"


def test_orthogonal_tokens_do_not_see_the_difference():
    check = check_super_additivity((0.5, 1.5), 10, 0.0)
    assert (check.verdict, check.margin) == ("does not apply", 0.0)


def test_below_a_right_angle_the_order_turns_round():
    """For g < 0 the function l exp(beta l g) is concave up to l = 2 / (beta |g|)."""
    check = check_super_additivity((0.5, 1.5), 4, -0.2)
    assert check.verdict == "does not apply"
    assert check.margin < 0
    check = check_super_additivity((3.0, 5.0), 2, -0.9)  # beyond 2 / 0.9 it is convex
    assert check.verdict == "does not apply"
    assert check.margin == pytest.approx(
        0.1 * 1.9 * (3 * math.exp(-2.7) + 5 * math.exp(-4.5) - 8 * math.exp(-3.6)), rel=1e-10
    )
    assert check.margin > 0


def test_negative_strengths_are_outside_of_the_statement():
    """For l < -2 / (beta g) the function is concave: strengths -6 and -2 with g = 0.9."""
    check = check_super_additivity((-6.0, -2.5), 5, 0.9)
    assert check.verdict == "does not apply"
    assert check.margin < 0


def test_softmax_weights_fail():
    n, beta, g, strengths = 5, 0.9, 0.23, (0.4, 1.1, 1.7)

    def total(some):
        return sum(x / (math.exp(beta * x * (1 - g)) + n - 1) for x in some)

    mean = sum(strengths) / 3
    assert round(total(strengths), 3) == 0.489
    assert round(total([mean] * 3), 3) == 0.525
    check = check_super_additivity(strengths, n, g, weights=algatt.layers.Exponential(), beta=beta)
    assert check.verdict == "fails"
    assert check.margin == pytest.approx(2 * (1 - g) * (1 + 4 * g) * (total(strengths) - total([mean] * 3)), rel=1e-12)


def test_softmax_weights_do_not_always_fail():
    """Far beyond the fastest strength the rate is convex."""
    assert check_super_additivity((5.0, 9.0), 5, 0.1, weights=algatt.layers.Exponential(), beta=2.0).verdict == "holds"


def test_the_unequal_heads_are_earlier_in_the_full_flow():
    from algatt.dynamics import equiangular_tokens

    tokens = equiangular_tokens(5, 5, 0.2)
    times = [
        algatt.dynamics.integrate(
            algatt.dynamics.SphereFlow(tuple(map(algatt.dynamics.ScalarHead, strengths))),
            tokens,
            until=50.0,
            clustered=1e-3,
        ).times[-1]
        for strengths in ((0.2, 1.8), (1.0, 1.0))
    ]
    assert times[0] < 0.9 * times[1]
