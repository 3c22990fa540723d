"""Rotary positions (arXiv 2104.09864, equations 14 and 15), pair by pair."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from algatt import Network, PrimeField, Reals
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.layers import Heads, Linear, Rotary, Unnormalized
from algatt.verbs import circle_points, turn

ROWS, TOKENS = 6, 4


def turned(position, X, rows, layout, angles):
    """Turn pairs of entries of each token by its position times their angle; pairs come out beside each other."""
    result = []
    half = rows // 2
    for f, angle in enumerate(angles):
        first, second = (2 * f, 2 * f + 1) if layout == "interleaved" else (f, f + half)
        cosines = [math.cos(j * angle) for j in range(X.shape[1])]
        sines = [math.sin(j * angle) for j in range(X.shape[1])]
        result.append([c * x - s * y for c, s, x, y in zip(cosines, sines, X[first], X[second], strict=True)])
        result.append([s * x + c * y for c, s, x, y in zip(cosines, sines, X[first], X[second], strict=True)])
    return np.array([*result, *X[rows:].tolist()])


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
@pytest.mark.parametrize("width", [None, 2, 4, 6])
@pytest.mark.parametrize("base", [10000, 10000.0, 500.0])
def test_each_pair_is_turned_by_its_angle_times_the_position(layout, width, base):
    X = np.random.default_rng(0).normal(size=(ROWS, TOKENS))
    rows = width or ROWS
    position = Rotary(base, width=width, layout=layout)
    angles = [base ** (-2 * f / rows) for f in range(rows // 2)]
    value = turn(position, Elements.of(Reals(), X)).raw
    assert np.allclose(value, turned(position, X, rows, layout, angles), rtol=0, atol=1e-14)


def test_frequencies_stand_in_place_of_a_base():
    X = np.random.default_rng(1).normal(size=(ROWS, TOKENS))
    angles = (0.5, -2.0, 0.0)
    position = Rotary(frequencies=angles)
    assert np.allclose(
        turn(position, Elements.of(Reals(), X)).raw,
        turned(position, X, ROWS, "interleaved", angles),
        rtol=0,
        atol=1e-14,
    )


@pytest.mark.parametrize("factor", [3, 1.5, Fraction(1, 3)])
def test_rows_that_are_turned_have_a_factor_and_others_have_none(factor):
    X = np.random.default_rng(3).normal(size=(ROWS, TOKENS))
    value = turn(Rotary(width=4, factor=factor), Elements.of(Reals(), X)).raw
    expected = turned(None, X, 4, "interleaved", [1.0, 0.01])
    expected[:4] *= float(factor)
    assert np.allclose(value, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("p", [3191, 1048583, 8388593, 2305843009213693921])
def test_modulo_p_the_angles_are_points_of_the_circle_and_add_up(p):
    """The points at integer combinations of angles are the same products, so that scores depend on distances alone."""
    field, angles, positions = PrimeField(p), (1.0, 0.25, 1e-3), tuple(range(5))
    cosines, sines = (
        [[int(x) for x in row] for row in part] for part in circle_points(field, angles=angles, positions=positions)
    )
    for f in range(3):
        assert (cosines[f][0], sines[f][0]) == (1, 0)
        for j, k in product(range(5), repeat=2):
            c, s, d, t = cosines[f][j], sines[f][j], cosines[f][k], sines[f][k]
            assert (c * c + s * s) % p == 1
            if j + k < 5:
                assert ((c * d - s * t) % p, (s * d + c * t) % p) == (cosines[f][j + k], sines[f][j + k])
    quarter = tuple(map(int, (cosines[1][4], sines[1][4])))
    assert quarter == (cosines[0][1], sines[0][1])  # four times a quarter of an angle is the angle


@pytest.mark.parametrize("layout", ["interleaved", "halves"])
def test_modulo_p_values_are_those_of_attention_with_turned_queries_and_keys(value, layout):
    """Query i sees key j with the product q^T R(i - j)^T k, by loops over pairs."""
    field = PrimeField()
    p = field.p
    position = Rotary(width=4, layout=layout)
    layer = Heads(1, width=5, value_width=1, score=Unnormalized(), position=position, output=False)
    rng = np.random.default_rng(2)
    Q, K, V, X = (rng.integers(0, 50, shape).tolist() for shape in ((5, 3), (5, 3), (1, 3), (3, 4)))
    raw = value(layer, {"heads.Q_1": Q, "heads.K_1": K, "heads.V_1": V}, X, field)
    C, S = (
        [[int(x) for x in row] for row in part]
        for part in circle_points(field, angles=(1.0, 0.01), positions=(0, 1, 2, 3))
    )

    def times(M, x):
        return [sum(m * e for m, e in zip(row, x, strict=True)) for row in M]

    columns = list(zip(*X, strict=True))
    pairs = [(0, 1), (2, 3)] if layout == "interleaved" else [(0, 2), (1, 3)]
    expected = []
    for i, x in enumerate(columns):
        q, total = times(Q, x), 0
        for j, y in enumerate(columns):
            k = times(K, y)
            score = q[4] * k[4]
            for f, (a, b) in enumerate(pairs):
                c, s = C[f][abs(i - j)], S[f][abs(i - j)] * (1 if i >= j else -1)
                score += k[a] * (c * q[a] - s * q[b]) + k[b] * (s * q[a] + c * q[b])
            total += score * times(V, y)[0]
        expected.append(total % p)
    assert raw.tolist() == [expected]


@pytest.mark.parametrize("p", [2, 3, 5, 7, 31, 2147483647, 2305843009213693951])
def test_fields_on_whose_circle_no_angle_is_told_from_zero_are_refused(p):
    """Floats are multiples of a tiny power of two: of a group of 2^n points they see the neutral one alone."""
    with pytest.raises(InvalidArgument) as told:
        circle_points(PrimeField(p), angles=(1.0,), positions=(0, 1))
    was = f"field was GF({p}), on whose circle a rotation by any float is none"
    assert str(told.value) == f"{was}; it should be another one, as PrimeField()"


def test_more_positions_than_points_are_refused():
    with pytest.raises(InvalidArgument) as told:
        circle_points(PrimeField(11), angles=(1.0,), positions=(0, 1, 2, 3))
    assert (
        str(told.value)
        == "field was GF(11), where a rotation by 3 times 1.0 is none; it should be a PrimeField with a larger p"
    )
    cosines, _ = circle_points(PrimeField(11), angles=(1.0, 0.0), positions=(0, 1, 2))
    assert cosines[0].tolist() == [1, 5, 5]  # the points of order 3: x = -1/2
    assert cosines[1].tolist() == [1, 1, 1]


@pytest.mark.parametrize("p", [8388593, 2305843009213693921])
def test_positions_are_told_apart(p):
    cosines, sines = circle_points(PrimeField(p), angles=(1.0, 0.01, 1e-4), positions=tuple(range(100)))
    for row in range(3):
        assert len(set(zip(cosines[row].tolist(), sines[row].tolist(), strict=True))) == 100


def test_widths_that_are_no_pairs():
    with pytest.raises(InvalidArgument, match=r"^width was 3; it should be even, as rows are turned in pairs$"):
        Rotary(width=3)
    should = "given queries of which it turns an even number of rows"
    for position, was in (
        (Rotary(), "given queries of 3 rows, of which it turns 3"),
        (Rotary(width=4), "given queries of 3 rows, of which it turns 4"),
    ):
        with pytest.raises(InvalidArgument) as told:
            Network(Linear(4) >> Heads(2, width=3, position=position), tokens=2, width=4)
        assert str(told.value) == f"{position!r} after Linear(4) was {was}; it should be {should}"
    with pytest.raises(InvalidArgument) as told:
        Network(Heads(1, position=Rotary(frequencies=(1, 2, 3))), tokens=2, width=4)
    assert str(told.value).endswith(
        "was given 3 frequencies; it should be given one for each of the 2 pairs of rows that it turns"
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base": 0}, "base was 0; it should be a positive number"),
        ({"base": True}, "base was True; it should be a positive number"),
        ({"layout": "half"}, "layout was 'half'; it should be 'interleaved' or 'halves'"),
        ({"frequencies": "1, 2"}, "frequencies was '1, 2'; it should be a sequence of numbers"),
        ({"frequencies": (1, "2")}, "frequencies[1] was '2'; it should be a finite number"),
        ({"frequencies": (float("nan"),)}, "frequencies[0] was nan; it should be a finite number"),
        ({"factor": 0}, "factor was 0; it should be a positive number"),
        ({"width": 0}, "width was 0; it should be an integer >= 1"),
    ],
)
def test_what_the_slots_may_hold(options, message):
    with pytest.raises(InvalidArgument) as told:
        Rotary(**options)
    assert str(told.value) == message
