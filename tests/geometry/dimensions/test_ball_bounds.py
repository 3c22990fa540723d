"""Dimensions of softmax networks, proven by balls, against HMK Theorem 3.9 and the values of Eq 16."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest
from flint import arb

import algatt
from algatt import Balls, Normalized, Reals, Softmax, verbs
from algatt.fields import FloatBalls
from algatt.geometry.dimensions.ball_bounds import ball_lower_bound, bound_in_floats
from algatt.geometry.dimensions.declared import check_symmetries_by_balls
from algatt.geometry.dimensions.evidence import UpperBound
from algatt.geometry.dimensions.question import Question
from algatt.geometry.dimensions.real_point import ball_inputs, ball_weights, real_inputs, real_weights
from algatt.layers import Affine, Embedding, Exponential, Heads, Power, Residual, Unembedding
from algatt.linalg.rank import rank_from_below


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("dims", "rank", "value"),
    [
        # NeuroDim's configuration, as published: 37, 52, 61, 64.
        ((4, 4, 4, 4), 1, 37),
        ((4, 4, 4, 4), 2, 52),
        ((4, 4, 4, 4), 3, 61),
        ((4, 4, 4, 4), 4, 64),
        # HMK Figure 3: delta^2 + 8 delta - 8.
        ((3, 3, 3), 2, 25),
        ((5, 5, 5), 2, 57),
    ],
)
def test_published_dimensions_are_proven(dims, rank, value):
    report = algatt.dimension(Softmax(dims, (rank,) * (len(dims) - 1), 3), field=Balls())
    assert (report.value, report.lower, report.upper, report.status) == (value, value, value, "proven")
    assert report.conjecture == value
    assert report.field == Balls(128)


def test_six_layers_are_proven():
    # Eq 16: 6 (2 (8 - 2) + 16) - 5 * 16 = 88; float64 has no gap there.
    report = algatt.dimension(Softmax((4,) * 7, (2,) * 6, 3), field=Balls())
    assert (report.value, report.status) == (88, "proven")
    with pytest.raises(algatt.errors.RankUndecided):
        algatt.dimension(Softmax((4,) * 7, (2,) * 6, 3), field=Reals())


@pytest.mark.parametrize("temperature", [0.25, 3])
def test_the_temperature_does_not_change_the_dimension(temperature):
    # Theorem 3.9: one layer has 2 (6 - 2) + 6 = 14.
    report = algatt.dimension(Softmax((3, 2), (2,), 2, temperature), field=Balls())
    assert (report.value, report.status, report.formula, report.formula_source) == (14, "proven", 14, "HMK Theorem 3.9")


@pytest.mark.parametrize("temperature", [1e20, 1e300, 10**400, Fraction(10**400, 3)])
def test_temperatures_beyond_numpy_integers_and_floats_are_proven(temperature):
    report = algatt.dimension(Softmax((3, 2), (2,), 2, temperature), field=Balls())  # Theorem 3.9, as above
    assert (report.value, report.status) == (14, "proven")


def test_scores_beyond_floats_are_proven():
    # As above, less the rescaling of a homogeneous score; derivatives are sums of 101st powers.
    report = algatt.dimension(Normalized((3, 2), (2,), 2, Power(101)), field=Balls())
    assert (report.value, report.status) == (13, "proven")


def test_balls_and_prime_fields_agree_on_algebraic_scores():
    arch = Normalized((3, 2, 3), (1, 2), 3, Affine(1, 1))
    exact, real = algatt.dimension(arch), algatt.dimension(arch, field=Balls())
    assert exact.value == real.value
    assert exact.status == real.status == "proven"


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("dims", "rank", "value"), [((4, 4, 4, 4), 1, 37), ((4, 4, 4, 4), 4, 64), ((3, 3, 3), 2, 25), ((5, 5, 5), 2, 57)]
)
def test_floats_prove_what_is_published(dims, rank, value):
    """As above, and the minor that they found is regular over balls of 200 bits."""
    arch = Softmax(dims, (rank,) * (len(dims) - 1), 3)
    report = algatt.dimension(arch)
    floats, lower = bound_in_floats(Question(arch), 3, report.evidence.upper)
    assert (report.value, lower.value, floats) == (value, value, FloatBalls())
    minor, field = lower.minor, Balls(200)
    X = ball_inputs(arch, field, 3, 0, lower.inputs)
    jacobian = verbs.jacobian(arch, ball_weights(arch, field, 3), X).raw
    assert rank_from_below(field, jacobian[np.ix_(minor.rows, minor.columns)]).rank == value


def test_networks_that_read_tokens_are_proven_in_floats():
    """A table E of 4 x 2 and U of 3 x 2, up to GL(2), and one number that is added to all logits of a token."""
    net = algatt.Network(Embedding(4, 2) >> Residual(Heads(1, width=1)) >> Unembedding(3), tokens=2)
    report, other = algatt.dimension(net), algatt.dimension(net, field=Balls())
    assert (report.value, report.status, report.gap) == (other.value, "proven", None)
    assert isinstance(report.field, FloatBalls)
    assert algatt.verify(algatt.certify(report)).ok


def test_a_bound_that_is_too_large_leaves_what_floats_see():
    question = Question(Softmax((3, 2), (2,), 2))
    upper = algatt.dimension(question.arch).evidence.upper
    for value in (14, 15, 18):
        field, lower = bound_in_floats(question, 0, UpperBound(value, (), upper.minor))
        assert (field, lower.value) == (FloatBalls(), 14)
        X = ball_inputs(question.arch, Balls(200), 0, 0, lower.inputs)
        jacobian = verbs.jacobian(question.arch, ball_weights(question.arch, Balls(200), 0), X).raw
        assert rank_from_below(Balls(200), jacobian[np.ix_(lower.minor.rows, lower.minor.columns)]).rank == 14


def test_precision_is_doubled_until_it_decides():
    arch = Softmax((4,) * 7, (2,) * 6, 3)
    report = algatt.dimension(arch, field=Balls(16))
    assert report.value == 88
    bits = report.evidence.lower.minor.bits
    assert bits > 16
    assert bits & (bits - 1) == 0


def test_a_bound_that_is_too_large_is_not_reached():
    # The true dimension is 14; asked for 15, an elimination with the highest precision stops at 14.
    arch = Softmax((3, 2), (2,), 2)
    bound = UpperBound(15, (), algatt.dimension(arch).evidence.upper.minor)
    lower = ball_lower_bound(Question(arch), Balls(64), 0, bound)
    assert lower.value == 14
    assert lower.minor.bits == 2048


READ = (
    type[algatt.symmetry.SpaceSymmetry]
    | type[algatt.symmetry.GainSymmetry]
    | type[algatt.symmetry.ShiftSymmetry]
    | type[algatt.symmetry.NormBiasSymmetry]
    | type[algatt.symmetry.UnseenSymmetry]
    | type[algatt.symmetry.MixtureSymmetry]
)
"""The families that are read off code."""


@dataclass(frozen=True)
class Unexplained(algatt.architectures.AttentionNetwork):
    """One layer of softmax off which no symmetry is read."""

    algebraic = False


@verbs.evaluate.method
def evaluate_unexplained(
    arch: Unexplained, theta: algatt.Weights, inputs: algatt.fields.Elements
) -> algatt.fields.Elements:
    return verbs.evaluate(Softmax(arch.dims, arch.ranks, arch.tokens), theta, inputs)


@verbs.members.method
def nothing_is_read(family: READ, arch: Unexplained) -> tuple[algatt.symmetry.Symmetry, ...]:
    return ()


def test_a_dimension_that_the_symmetries_do_not_explain_is_numerical():
    # 18 parameters less GL(2), which is not read off this architecture: 14 (Theorem 3.9).
    report = algatt.dimension(Unexplained((3, 2), (2,), 2), field=Balls())
    assert (report.value, report.lower, report.upper, report.status, report.error) == (14, 14, 18, "numerical", None)


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    ("dims", "value"), [((3, 2, 1), 3), ((5, 4, 3), 15), ((6, 4, 3, 1), 6), ((2, 3, 2), 4), ((3, 1, 3), 5)]
)
def test_one_token_is_a_linear_network(dims, value):
    # X -> V_l ... V_1 X: the d_l x d_0 matrices of rank at most r, the smallest width, have dimension r (d_l + d_0 -
    # r).
    report = algatt.dimension(Softmax(dims, (2,) * (len(dims) - 1), 1), field=Balls())
    assert (report.value, report.status) == (value, "proven")
    assert value == min(dims) * (dims[0] + dims[-1] - min(dims))


def test_false_symmetries_are_noticed():
    arch = Softmax((3, 2, 3), (1, 2), 2)
    check_symmetries_by_balls(Question(arch), Balls(), 0)
    method = verbs.symmetries

    class Shadow:
        def __call__(self, arch):
            return (*method(arch), algatt.symmetry.Rescaling(arch))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verbs, "symmetries", Shadow())
        with pytest.raises(algatt.errors.SymmetryError, match="the rescaling symmetry changes the function"):
            check_symmetries_by_balls(Question(arch), Balls(), 0)


def test_wide_balls_raise_no_alarm():
    check_symmetries_by_balls(Question(Softmax((4, 3, 4), (2, 2), 3)), Balls(24), 0)


def test_the_minor_is_one_of_the_jacobian():
    arch = Softmax((3, 2), (2,), 2)
    report = algatt.dimension(arch, seed=3, field=Balls())
    minor = report.evidence.lower.minor
    jacobian = algatt.jacobian(arch, real_weights(arch, 3), real_inputs(arch, 3, 0, report.samples).public())
    assert len(set(minor.rows)) == len(set(minor.columns)) == report.value
    assert np.linalg.cond(jacobian[np.ix_(minor.rows, minor.columns)]) < 1e8


def test_points_are_exact_and_scaled_by_powers_of_two():
    arch = Softmax((5, 3), (2,), 2)
    balls, drawn = ball_weights(arch, Balls(), 0), algatt.sample(arch, algatt.Weights, field=Balls())
    assert all(entry.is_exact() for element in balls.elements for entry in element.raw.flat)
    # Five columns: 1 / sqrt 5 is 2^-1.16, so the power is 1/2.
    assert all(
        2 * one == two
        for a, b in zip(balls.elements, drawn.elements, strict=True)
        for one, two in zip(a.raw.flat, b.raw.flat, strict=True)
    )


def test_progress_is_told():
    seen = []
    algatt.dimension(
        Softmax((4, 3, 4), (2, 2), 3), progress=lambda done, total: seen.append((done, total)), field=Balls()
    )
    assert seen[-1] == (35, 35)


def test_numerical_answers_are_held_against_the_proof():
    report = algatt.dimension(Softmax((4, 3, 4), (2, 2), 3), field=Reals())
    assert (report.value, report.status, report.lower) == (35, "numerical", None)
    assert report.gap > 1e3


@pytest.mark.parametrize("temperature", [1e20, 1e200])
def test_numerical_answers_below_the_symmetries_are_refused(temperature):
    """Theorem 3.9: 14. At high temperatures the values are all that floats see, with a gap below the derivatives by
    queries and keys.
    """
    arch = Softmax((3, 2), (2,), 2, temperature)
    with pytest.raises(algatt.errors.RankUndecided, match="the gap says 6, but the proven bounds are 14 and 14"):
        algatt.dimension(arch, field=Reals())


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "temperature", [Fraction(1, 3), Fraction(1, 4), 1e-3, 1e-5, 1e-20, 1e-100, Fraction(1, 10**400)]
)
def test_low_temperatures_are_proven(temperature):
    """Theorem 3.9 and Eq 16: the dimension does not depend on the temperature, which is a factor of the queries."""
    assert algatt.dimension(Softmax((3, 2), (2,), 2, temperature), field=Balls()).status == "proven"
    report = (
        algatt.dimension(Softmax((4, 3, 4), (2, 2), 3, temperature), field=Balls()) if temperature > 1e-50 else None
    )
    assert report is None or (report.value, report.status) == (35, "proven")


def test_the_point_makes_queries_and_keys_small_at_low_temperatures():
    """2^-h with h = floor(k / 2), where m has k binary digits more than n; the values stay."""
    cold, warm = (
        ball_weights(Softmax((3, 2), (2,), 2, temperature), Balls(), 0) for temperature in (Fraction(3, 1000), 1)
    )
    for one, two, power in zip(cold.elements, warm.elements, (-4, -4, 0), strict=True):
        assert [entry.mid() for entry in one.raw.flat] == [entry.mid() * arb(2) ** power for entry in two.raw.flat]


def test_reports_are_plain_values_for_json():
    import json

    report = algatt.dimension(Normalized((3, 2), (2,), 2, Exponential(0.5)), field=Balls())
    plain = json.loads(json.dumps(report.to_dict()))
    assert plain["architecture"] == {
        "name": "Normalized",
        "dims": [3, 2],
        "ranks": [2],
        "tokens": 2,
        "score": {"name": "Exponential", "temperature": "1/2"},
    }
    assert plain["field"] == "RR (balls of 128 bits)"


@dataclass(frozen=True)
class Forgetful(algatt.architectures.AttentionNetwork):
    """A network over the reals that looks at none of its weights, or at its values alone."""

    values: bool = False

    algebraic = False


@verbs.evaluate.method
def evaluate_forgetful(
    arch: Forgetful, theta: algatt.Weights, inputs: algatt.fields.Elements
) -> algatt.fields.Elements:
    return theta.layer_elements[0].V @ inputs if arch.values else inputs * 1 + 0 * (theta.layer_elements[0].V @ inputs)


@pytest.mark.parametrize(("values", "lower"), [(True, 9), (False, 0)])
def test_weights_that_play_no_part_have_derivatives_zero(values, lower):
    report = algatt.dimension(Forgetful((3, 3), (2,), 2, values), field=Balls())
    assert (report.lower, report.upper, report.status) == (lower, lower, "proven")


@dataclass(frozen=True)
class Twice(algatt.architectures.AttentionNetwork):
    """One layer of softmax with two families of one name, of which the first is false."""

    algebraic = False


@dataclass(frozen=True)
class Translation(algatt.symmetry.Symmetry):
    """What moves one tensor in all directions; the values for a false symmetry, nothing for a true one."""

    moves: bool

    name = "translation"
    dimension = 1

    def element(self, theta, seed=0):
        raise NotImplementedError

    def tangent_parts(self, theta):
        V = theta.tensors["V_1"]
        return [{"V_1": algatt.fields.Elements(V.field, V.raw[None]) * int(self.moves)}]


@verbs.evaluate.method
def evaluate_twice(arch: Twice, theta: algatt.Weights, inputs: algatt.fields.Elements) -> algatt.fields.Elements:
    return verbs.evaluate(Softmax(arch.dims, arch.ranks, arch.tokens), theta, inputs)


@verbs.members.method
def translations(family: type[Translation], arch: Twice) -> tuple[Translation, ...]:
    return Translation(arch, True), Translation(arch, False)


def test_a_false_symmetry_is_found_beside_a_true_one_of_its_name():
    with pytest.raises(algatt.errors.SymmetryError, match="the translation symmetry changes the function"):
        algatt.dimension(Twice((3, 2), (2,), 2), field=Balls())
