"""Singular, boundary and critical points of one layer: hypotheses, coordinates, fields, and what the functions do not
see.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument, RankUndecided
from algatt.fields import Dual, DualArray, Elements

F = PrimeField(8388593)
VERBS = [algatt.verbs.is_singular, algatt.verbs.is_boundary, algatt.verbs.is_critical]


def answers(arch, theta, **options):
    return tuple(verb(arch, theta, **options) for verb in VERBS)


def point(A, V, field):
    return AttentionMatrix.of([(np.array(A), np.array(V))], field=field)


U, W, Q = [1, 2, 0], [0, 1, 1], [3, 1, 4]
CASES = {
    "A is zero": (np.zeros((3, 3), int), [[1, 0, 0], [0, 1, 0]], (True, True, True)),
    "V is zero": (np.eye(3, dtype=int), np.zeros((2, 3), int), (True, True, True)),
    "ranks one, common line": (np.outer(U, Q), np.outer([1, 5], U), (True, True, True)),
    "ranks one, two lines": (np.outer(U, Q), np.outer([1, 5], W), (True, False, False)),
    "A of rank one": (np.outer(U, Q), [[1, 2, 0], [0, 1, 0]], (False, False, False)),
    "V of rank one": (np.eye(3, dtype=int), np.outer([1, 5], U), (False, False, False)),
}


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("field", [F, PrimeField(31), Reals(), PrimeField(2**61 - 1)], ids=str)
def test_the_three_families(case, field):
    A, V, expected = CASES[case]
    assert answers(Lightning((3, 2), (3,), 2), point(A, V, field)) == expected


@pytest.mark.parametrize("field", [F, Reals()], ids=str)
def test_all_coordinates_give_one_answer(field):
    arch = Lightning((3, 2), (2,), 2)
    for K, V in (
        ([U, W], [U, W]),
        ([U, [2, 4, 0]], np.outer([1, 5], U)),
        ([U, [2, 4, 0]], np.outer([1, 5], W)),
        ([U, W], [[0] * 3] * 2),
    ):
        theta = Weights.of([(np.array([Q, U]), np.array(K), np.array(V))], field=field)
        expected = answers(arch, theta)
        for coordinates in (AttentionMatrix, VirtualWeights):
            assert answers(arch, algatt.convert(theta, coordinates)) == expected


def test_a_lower_rank_is_singular_where_the_architecture_bounds_the_rank():
    A, V = np.outer(U, Q), [[1, 2, 0], [0, 1, 0]]
    found = {a: answers(Lightning((3, 2), (a,), 2), point(A, V, F)) for a in (1, 2, 3, 4)}
    assert found == {1: (False,) * 3, 2: (True, False, False), 3: (False,) * 3, 4: (False,) * 3}


@given(scale=st.integers(1, 6), seed=st.integers(0, 50), case=st.sampled_from(sorted(CASES)))
def test_rescaling_changes_nothing(scale, seed, case):
    A, V, expected = CASES[case]
    GF = PrimeField(7).galois
    change = np.random.default_rng(seed).integers(-6, 7, 2)
    moved = AttentionMatrix.of([(GF(np.array(A) % 7) * GF(scale), GF(np.array(V) % 7) / GF(scale))])
    assert answers(Lightning((3, 2), (3,), 2), moved) == expected
    real = point(np.array(A) * 10.0 ** change[0], np.array(V) * 10.0 ** change[1], Reals())
    assert answers(Lightning((3, 2), (3,), 2), real) == expected


@given(seed=st.integers(0, 200), case=st.sampled_from(["common", "apart", "generic"]))
def test_the_key_query_gauge_and_the_rescaling_change_nothing(seed, case):
    arch = Lightning((3, 2), (2,), 2)
    one = np.outer([1, 4], U)
    K, V = {"common": (one, np.outer([2, 3], U)), "apart": (one, np.outer([2, 3], W)), "generic": ([U, W], [Q, W])}[
        case
    ]
    theta = Weights.of([(np.array([Q, U]), np.array(K), np.array(V))], field=PrimeField(31))
    moved = theta
    for family in (algatt.symmetry.KeyQuery(arch), algatt.symmetry.Rescaling(arch)):
        moved = algatt.act(family.element(moved, seed=seed), moved)
    assert answers(arch, moved) == answers(arch, theta)
    assert answers(arch, theta) == {"common": (True,) * 3, "apart": (True, False, False), "generic": (False,) * 3}[case]


def test_floats_without_a_gap_are_refused():
    arch = Lightning((2, 2), (2,), 2)
    undecided = point(np.eye(2) * [1, 1e-8], np.eye(2), Reals())
    nearly_parallel = point(np.outer([1, 0], [1, 2]), np.outer([1, 1], [1, 1e-9]), Reals())
    for verb, theta in [(VERBS[0], undecided), (VERBS[1], undecided), (VERBS[1], nearly_parallel)]:
        with pytest.raises(RankUndecided):
            verb(arch, theta)
    assert answers(arch, nearly_parallel, gap=1e7) == (True, True, True)  # now 1e-9 counts as rounding


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
@pytest.mark.parametrize(
    ("dims", "rank", "tokens"),
    [((2, 2), 2, 1), ((2, 1), 1, 2), ((1, 3), 2, 2), ((1, 1), 1, 2)],
)
def test_hypotheses_are_checked(verb, dims, rank, tokens):
    arch = Lightning(dims, (rank,), tokens)
    with pytest.raises(InvalidArgument, match="arch was"):
        verb(arch, algatt.sample(arch, Weights))


@pytest.mark.parametrize("verb", VERBS, ids=lambda verb: verb.name)
def test_bad_points_are_refused(verb):
    deep = Lightning((2, 2, 2), (2, 2), 2)
    with pytest.raises(InvalidArgument, match="arch was"):
        verb(deep, algatt.sample(deep, Weights))
    arch = Lightning((3, 2), (2,), 2)
    with pytest.raises(InvalidArgument, match="theta was"):
        verb(arch, algatt.sample(Lightning((3, 3), (2,), 2), Weights))
    with pytest.raises(InvalidArgument, match="attention matrix of rank 3"):
        verb(arch, point(np.eye(3, dtype=int), np.ones((2, 3), int), F))
    theta = algatt.sample(arch, AttentionMatrix)
    duals = theta.replace([Elements(Dual(F), DualArray(element.raw)) for element in theta.elements])
    with pytest.raises(InvalidArgument, match="over dual numbers"):
        verb(arch, duals)
