"""The families that HMK name are what the types of the code allow: all of it for their networks, and nothing else."""

from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

import algatt
from algatt import Lightning, Normalized, verbs
from algatt.errors import InvalidArgument, NoRuleWarning, SingularMatrix
from algatt.fields import Elements
from algatt.layers import Affine, Exponential, Heads, Power, Rational, ReLU, Residual, Score, Stack, Unnormalized
from algatt.programs import Trace
from algatt.symmetry import Interlayer, KeyQuery, Rescaling, ScoreRescaling
from algatt.symmetry.named.found import is_found
from algatt.symmetry.named.place import Place, PlaceMove
from algatt.symmetry.named.spaces import NamedSpaces
from algatt.symmetry.spaces import spaces_of

FAMILIES = (Interlayer, KeyQuery, Rescaling, ScoreRescaling)
SCORES = (
    Affine(1, 1),
    Affine(-2, 3),
    Affine(2, 0),
    Power(1),
    Power(2),
    Power(3),
    Rational((1,), (2, 1)),
    Exponential(),
    Exponential(Fraction(1, 2)),
)


def random_networks(count):
    """Networks of up to four layers of all widths and ranks up to 5, of one token and more."""
    rng = np.random.default_rng(1)
    for _ in range(count):
        layers = int(rng.integers(1, 5))
        dims, ranks = rng.integers(1, 6, layers + 1).tolist(), rng.integers(1, 6, layers).tolist()
        tokens, score = int(rng.integers(1, 5)), SCORES[rng.integers(len(SCORES))]
        yield Lightning(dims, ranks, tokens) if rng.integers(2) else Normalized(dims, ranks, tokens, score)


def rank(arch, blocks):
    rows = algatt.linalg.RowSpace(blocks[0].field, arch.parameters)
    for block in blocks:
        rows.add(block)
    return rows.rank


@pytest.mark.sample(0)
@pytest.mark.parametrize("p", [31, 8388593])
def test_named_families_are_all_that_types_find(p):
    """By the rank of both together, at random points of 100 random networks."""
    for seed, arch in enumerate(random_networks(100)):
        theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
        named = [one.tangent_elements(theta) for one in algatt.symmetries(arch) if isinstance(one, NamedSpaces)]
        typed = [space.tangent_elements(theta) for space in spaces_of(arch)]
        assert rank(arch, named) == rank(arch, typed) == rank(arch, [*named, *typed]), arch


@pytest.mark.sample(0)
def test_which_families_a_network_has():
    """Rescaling is that of lightning attention (HMK Eq 13), that of scores is for homogeneous ones (Section 3.4); one
    layer has no space between layers.
    """
    for arch in random_networks(100):
        expected = [Interlayer] * (arch.layers > 1) + [KeyQuery]
        if isinstance(arch, Lightning):
            expected.append(Rescaling)
        elif arch.score.homogeneous:
            expected.append(ScoreRescaling)
        families = [one for one in algatt.symmetries(arch) if isinstance(one, NamedSpaces)]
        assert [type(one) for one in families] == expected, arch
        assert {one.basis for one in families} == {"equivariant"}


def test_families_stand_in_the_order_of_certificates():
    arch = Lightning((3, 7, 2), (1, 2), 2)
    names = [one.name for one in algatt.symmetries(arch)]
    hidden = [
        "quadratic form of K_2 and Q_2",
        *(f"unseen directions of {name}" for name in ("V_1", "Q_2", "K_2", "V_2")),
    ]
    assert names == ["interlayer", "key-query", "rescaling", *hidden]


def moved(place, number, **changes):
    """A place with one of its moves changed."""
    moves = list(place.moves)
    values = {"tensor": moves[number].tensor, "side": moves[number].side, "power": moves[number].power}
    moves[number] = PlaceMove(**{**values, "transposed": moves[number].transposed, **changes})
    return Place(place.size, tuple(moves), place.number)


@pytest.mark.parametrize(
    "arch",
    [Lightning((4, 3, 4), (2, 2), 3), Normalized((4, 3, 4), (2, 2), 3, Power(3))],
    ids=["lightning", "normalised"],
)
def test_every_part_of_what_a_family_does_is_checked(arch):
    """With a move left out, turned around, transposed or on the other side, it is no symmetry any more."""
    checked = 0
    for family in algatt.symmetries(arch):
        for place in family.places:
            assert is_found(arch, (place,))
            for number, move in enumerate(place.moves):
                changes = [{"power": -move.power}, {"power": 2 * move.power}]
                if not place.number:
                    changes.append({"transposed": not move.transposed})
                false = [moved(place, number, **change) for change in changes]
                false.append(Place(place.size, place.moves[:number] + place.moves[number + 1 :], place.number))
                if len(place.moves) == 1:  # of the score a rescaling may be any power, and nothing at all
                    false = []
                checked += len(false)
                for one in false:
                    assert not is_found(
                        arch,
                        (
                            *family.places,
                            one,
                        ),
                    ), one
    assert checked > 20


def test_one_false_place_is_enough():
    arch = Lightning((4, 3, 4), (2, 2), 3)
    first, second = KeyQuery(arch).places
    assert not is_found(
        arch,
        (
            first,
            moved(second, 0, transposed=True),
        ),
    )


@pytest.mark.parametrize(
    ("family", "arch"),
    [
        (Rescaling, Normalized((3, 2), (2,), 3, Affine(1, 1))),
        (ScoreRescaling, Normalized((3, 2), (2,), 3, Affine(1, 1))),
        (ScoreRescaling, Normalized((3, 2), (2,), 3, Exponential())),
        (ScoreRescaling, Lightning((3, 2), (2,), 3)),
    ],
)
def test_what_changes_the_function_is_not_found(family, arch):
    assert not family(arch).found
    assert family(arch).basis == "declared"
    assert algatt.symmetry.members(family, arch) == ()


@dataclass(frozen=True)
class Around(algatt.architectures.AttentionNetwork):
    """Lightning attention with residual connections."""


@verbs.expression.method
def expression_of_around(arch: Around) -> algatt.Network:
    layers = [
        Residual(Heads(1, width=a, value_width=d, score=Unnormalized(), output=False))
        for a, d in zip(arch.ranks, arch.dims[1:], strict=True)
    ]
    return algatt.Network(Stack(tuple(layers)), tokens=arch.tokens, width=arch.dims[0])


def test_another_code_has_other_families():
    """The input goes around the layers, so the bases of the spaces between them are that of the input."""
    arch = Around((3, 3, 3), (2, 2), 3)
    assert (KeyQuery(arch).basis, Rescaling(arch).basis, Interlayer(arch).basis) == (
        "equivariant",
        "equivariant",
        "declared",
    )


class Rectified(Score):
    """A score that is homogeneous for positive numbers alone: 2 x, or -x below 0."""


@verbs.activate.method
def activate_rectified(activation: Rectified, scores: Elements) -> Elements:
    return verbs.activate(ReLU(), scores) * 3 - scores


def test_a_group_of_positive_numbers_is_not_taken_for_all_numbers():
    """Types find that scores may be multiplied, but by positive numbers: a negative one changes the function."""
    arch = Normalized((2, 1), (1,), 2, Rectified())
    net = algatt.expression(arch)
    assert "T+(1)" in [str(one.group) for one in algatt.symmetries(net)]
    assert not ScoreRescaling(arch).found
    theta = algatt.Weights.of([([[1.0, 0.0]], [[1.0, 1.0]], [[1.0, 2.0]])])
    X = [[1.0, 2.0], [1.0, -3.0]]  # scores 2, -1 and 4, -2
    moved = algatt.act(ScoreRescaling(arch).of([[[-1.0]]]), theta)
    one, two = (
        algatt.evaluate(net, algatt.unflatten(net, algatt.Weights, algatt.flatten(point)), X)
        for point in (theta, moved)
    )
    assert not np.allclose(one, two)


def test_the_rescaling_is_that_of_homogeneous_scores():
    """Scores say it themselves, by their coefficients."""
    scores = []
    for count, columns in product((1, 2, 3), (1, 2)):
        for numerator, denominator in product(product((0, 1, 2), repeat=count), product((0, 1, 3), repeat=columns)):
            with suppress(InvalidArgument):  # a constant, or a leading coefficient 0
                scores.append(Rational(numerator, denominator))
    homogeneous = [score.homogeneous for score in scores]
    assert homogeneous == [ScoreRescaling(Normalized((2, 2), (2,), 2, score)).found for score in scores]
    assert min(homogeneous.count(True), homogeneous.count(False)) >= 20


class Unruly(Score):
    """A score of which no program is recorded, and so no types are known."""


@verbs.activate.method
def activate_unruly(activation: Unruly, scores: Elements) -> Elements:
    if isinstance(scores.field, Trace):
        raise algatt.errors.MethodError("no method fits a trace")
    return scores


def test_a_score_without_types_has_no_families_that_are_found_and_says_so():
    arch = Normalized((3, 2), (2,), 3, Unruly())
    with pytest.warns(NoRuleWarning, match=r"no symmetries are read off .*Unruly"):
        assert not any(isinstance(one, NamedSpaces) for one in algatt.symmetries(arch))
    assert KeyQuery(arch).basis == "declared"


def test_matrices_of_other_sizes_make_no_element():
    family = KeyQuery(Lightning((3, 2, 4), (2, 1), 2))
    with pytest.raises(InvalidArgument, match=r"matrices was of sizes \(2,\); it should be of sizes \(2, 1\)"):
        family.of([[[1.0, 0.0], [0.0, 1.0]]])
    with pytest.raises(SingularMatrix):
        family.of([[[1.0, 2.0], [2.0, 4.0]], [[1.0]]])


@pytest.mark.parametrize("kind", FAMILIES)
@pytest.mark.parametrize("field", [algatt.PrimeField(31), algatt.fields.Rationals(), algatt.Reals()], ids=str)
def test_an_element_acts_on_quotients_as_on_weights(kind, field):
    arch = Lightning((3, 2, 4, 2), (2, 1, 3), 2)
    rng = np.random.default_rng(2)
    tensors = {name: rng.integers(-9, 10, shape) for name, shape in verbs.coordinates(arch).items()}
    theta = algatt.Weights(tuple(Elements(field, verbs.embed(field, raw)) for raw in tensors.values()))
    element = kind(arch).element(theta, seed=3)
    moved = algatt.act(element, theta)
    for coordinates in (algatt.AttentionMatrix, algatt.VirtualWeights):
        point = algatt.convert(theta, coordinates)
        for one, two in zip(
            algatt.act(element, point).elements, algatt.convert(moved, coordinates).elements, strict=True
        ):
            assert np.array_equal(one.raw, two.raw) if field.exact else np.allclose(one.raw, two.raw, rtol=1e-8)
