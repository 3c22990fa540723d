"""Exponents that are combinations of others: found modulo p, proved by expansion, and drawn together."""

from fractions import Fraction

import numpy as np
import pytest

import algatt
from algatt import Network, PrimeField
from algatt.fields import Elements
from algatt.geometry.dimensions.elementary.dimension import reading_of
from algatt.layers import Heads, RelativeBias, Residual, RMSNorm, Tie, Unnormalized
from algatt.maps import program as program_of
from algatt.maps.elementary.drawing import DrawnValues
from algatt.maps.elementary.reading import read
from algatt.maps.elementary.ties import is_zero, small_fraction, tie_exponents
from algatt.programs import Trace
from written_networks import written

FIELD = PrimeField(8388587)


def tied(net):
    return tie_exponents(read(program_of(net)), FIELD, {})


def symmetric(tokens=2, width=2, norm=False):
    """Return attention whose keys are its queries: its scores are symmetric."""
    heads = Tie(Heads(1, width=2), {"heads.K_1": "heads.Q_1"})
    return Network(Residual(RMSNorm() >> heads if norm else heads), tokens=tokens, width=width)


def opposite():
    """Return two heads of which one has the scores of the other, transposed."""
    return Network(
        Residual(Tie(Heads(2, width=2), {"heads.K_2": "heads.Q_1", "heads.Q_2": "heads.K_1"})), tokens=2, width=3
    )


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    ("net", "exponents", "free"),
    [
        (symmetric(), 4, 3),  # t (t + 1) / 2 entries of a symmetric matrix
        (symmetric(tokens=3), 9, 6),
        (symmetric(tokens=3, norm=True), 9, 6),
        (opposite(), 8, 4),
        (Network(Residual(Heads(2, width=2)), tokens=2, width=2), 8, 8),
    ],
    ids=str,
)
def test_equal_scores_are_tied(net, exponents, free):
    reading = tied(net)
    sizes = [int(np.prod(reading.program.instructions[base].shape)) for base in reading.bases]
    assert sum(sizes) == exponents
    assert sum(int(reading.free_entries(base).sum()) for base in reading.bases) == free
    assert (reading.ties is None) == (exponents == free)


@pytest.mark.parametrize("net", [symmetric(), symmetric(tokens=3, norm=True), opposite()], ids=str)
def test_tied_exponentials_have_equal_values_where_their_arguments_are_equal(net):
    reading = tied(net)
    theta = algatt.sample(net, algatt.Weights, field=FIELD, seed=1)
    tensors = {name: element.raw for name, element in zip(theta.names(), theta.elements, strict=True)}
    place = DrawnValues(reading, FIELD, tensors, 0, np.arange(5), {})
    assert place.alive.all()
    for row in range(5):
        value_at = {}
        for number in reading.exponents:
            pairs = zip(place.results[reading.source(number)][row].flat, place.results[number][row].flat, strict=True)
            for argument, value in pairs:
                assert value_at.setdefault(argument, value) == value
        assert len(set(value_at.values())) == len(value_at)  # and different ones where they are not


@pytest.mark.parametrize("net", [symmetric(), symmetric(tokens=3), opposite()], ids=str)
def test_dimensions_of_tied_scores_are_those_of_balls(net):
    report = algatt.dimension(net, field=algatt.Elementary())
    assert report.status == "proven"
    assert report.conditions is not None
    assert report.value == algatt.dimension(net, field=algatt.Balls()).value


def test_without_ties_the_condition_fails_and_balls_answer(monkeypatch):
    monkeypatch.setattr("algatt.geometry.dimensions.at_real_points.dimension_in_floats", lambda question: None)
    monkeypatch.setattr(
        "algatt.geometry.dimensions.elementary.dimension.tie_exponents", lambda reading, field, gates: reading
    )
    reading_of.cache_clear()
    report = algatt.dimension(symmetric(tokens=4))
    reading_of.cache_clear()
    assert report.status == "proven"
    assert report.conditions is None
    assert report.reason.startswith("over balls, since 6 of 16 exponents depend on the others")


@pytest.mark.sample(0)
def test_scores_that_differ_by_a_weight_are_not_tied(monkeypatch):
    monkeypatch.setattr("algatt.geometry.dimensions.at_real_points.dimension_in_floats", lambda question: None)
    heads = Tie(Heads(2, width=1, position=RelativeBias()), {"heads.K_2": "heads.K_1", "heads.Q_2": "heads.Q_1"})
    net = Network(Residual(heads), tokens=2, width=2)
    assert tied(net).ties is None
    assert "depend on the others" in algatt.dimension(net).reason


def entry_of(net, row, column, other):
    """Return the difference of two entries of the first product of an activation by an activation."""
    program = program_of(net)
    number = next(n for n, one in enumerate(program.instructions) if one.operation == "product" and one.shape == (2, 2))
    return program, [(number, 2 * row + column, Fraction(1)), (number, 2 * other[0] + other[1], Fraction(-1))]


def test_the_scores_of_equal_keys_and_queries_are_symmetric_and_others_are_not():
    linear = Heads(1, width=3, score=Unnormalized(algatt.layers.Power(2)))
    equal = Network(Tie(linear, {"heads.K_1": "heads.Q_1"}), tokens=2, width=4)
    assert is_zero(*entry_of(equal, 0, 1, (1, 0)))
    assert not is_zero(*entry_of(equal, 0, 1, (1, 1)))
    assert not is_zero(*entry_of(Network(linear, tokens=2, width=4), 0, 1, (1, 0)))


def test_identities_are_expanded_through_sums_parts_and_constants():
    trace = Trace()
    X, W = Elements(trace, trace.input((2, 2))), Elements(trace, trace.tensor("W", (2, 2)))
    left = (W @ (X + 3 * W))[[0], :]
    right = (W @ X)[[0], :] + (3 * (W @ W))[[0], :]
    program = trace.program((left - right).raw)
    value = len(program) - 1
    assert is_zero(program, [(value, 0, Fraction(1))])
    assert is_zero(program, [(value, 1, Fraction(7, 2))])
    other = Trace()
    X, W = Elements(other, other.input((2, 2))), Elements(other, other.tensor("W", (2, 2)))
    program = other.program((W @ X - X @ W).raw)
    assert not is_zero(program, [(len(program) - 1, 0, Fraction(1))])


@pytest.mark.parametrize("value", [Fraction(1), Fraction(-2), Fraction(3, 7), Fraction(-64, 63)])
def test_small_fractions_come_back_from_residues(value):
    p = FIELD.p
    assert small_fraction(value.numerator * pow(value.denominator, -1, p) % p, p) == value


def test_large_residues_are_no_small_fractions():
    assert small_fraction(1234567, FIELD.p) is None


@pytest.mark.parametrize(("width", "tokens", "dimension"), [(2, 1, 10), (3, 2, 15)])
def test_exponents_that_are_centred_add_up_to_zero(width, tokens, dimension):
    """The exponents are results of an operation other than sums and products. What is added to all rows of A is not
    seen: that leaves 2 * 3 * width - width, which is what singular values of derivatives by hand show, too.
    """
    net = written(
        {"A": (3, width), "B": (width, 3)}, lambda w, X: w.B @ (w.A @ X).centre().exp(), width=width, tokens=tokens
    )
    report = algatt.dimension(net)
    assert (report.value, report.status) == (dimension, "proven")
    assert tied(net).ties is not None
