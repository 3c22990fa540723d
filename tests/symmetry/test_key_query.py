"""The key-query gauge: K -> C K, Q -> C^{-T} Q."""

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument, SingularMatrix
from algatt.fields import Elements
from algatt.symmetry import KeyQuery

ARCH = Lightning((3, 2, 4), (2, 3), 2)
F = PrimeField()
P = F.p


def integers(public):
    return np.array(public.tolist(), dtype=object)


def element(matrices, field=F):
    ranks = tuple(len(matrix) for matrix in matrices)
    family = KeyQuery(Lightning((3,) * (len(ranks) + 1), ranks, 2))
    return family.of(tuple(Elements.of(field, matrix) for matrix in matrices))


def draws(seed):
    return [np.random.default_rng(seed).integers(0, P, (a, a)) for a in ARCH.ranks]


def test_the_action_is_that_of_the_lemma():
    theta = algatt.sample(ARCH, Weights)
    matrices = draws(1)
    moved = algatt.act(element(matrices), theta)
    for before, after, C in zip(theta.layers, moved.layers, matrices, strict=True):
        assert np.array_equal(integers(after.K), C.astype(object) @ integers(before.K) % P)
        assert np.array_equal(C.T.astype(object) @ integers(after.Q) % P, integers(before.Q))
        assert np.array_equal(after.V, before.V)


def test_acting_is_a_group_action():
    theta = algatt.sample(ARCH, Weights)
    one, two = draws(1), draws(2)
    both = [C.astype(object) @ D.astype(object) % P for C, D in zip(one, two, strict=True)]
    assert algatt.act(element(one), algatt.act(element(two), theta)) == algatt.act(element(both), theta)
    assert algatt.act(element([np.eye(a, dtype=int) for a in ARCH.ranks]), theta) == theta
    g = element(one)
    assert algatt.act(g.family.of(g.inverses, g.matrices), algatt.act(g, theta)) == theta


@pytest.mark.parametrize("coordinates", [AttentionMatrix, VirtualWeights])
def test_the_quotients_do_not_move(coordinates):
    theta = algatt.sample(ARCH, coordinates)
    assert algatt.act(element(draws(1)), theta) == theta


@pytest.mark.parametrize(
    ("sizes", "described"), [((2,), r"\(2,\)"), ((3, 2), r"\(3, 2\)"), ((2, 3, 1), r"\(2, 3, 1\)")]
)
def test_matrices_of_other_sizes_are_refused(sizes, described):
    with pytest.raises(InvalidArgument, match=rf"element was of sizes {described}; it should be of sizes \(2, 3\)"):
        algatt.act(element([np.eye(a, dtype=int) for a in sizes]), algatt.sample(ARCH, Weights))


def test_matrices_of_another_field_are_refused():
    with pytest.raises(InvalidArgument, match=r"operand was over RR \(float64\); it should be over GF\(8388593\)"):
        algatt.act(element(draws(1)), algatt.sample(ARCH, Weights, field=Reals()))


def test_singular_matrices_are_refused():
    with pytest.raises(SingularMatrix, match=r"a 2 x 2 matrix over GF\(8388593\) is singular"):
        element([[[1, 2], [2, 4]], np.eye(3, dtype=int)])
    with pytest.raises(InvalidArgument, match=r"matrix was of shape \(2, 3\); it should be square"):
        element([np.ones((2, 3), dtype=int)])


def test_tangents_are_derivatives_of_the_action():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    tangents = KeyQuery(ARCH).tangents(theta)
    step, row = 1e-6, 0
    for layer, a in enumerate(ARCH.ranks):
        for unit in np.eye(a * a).reshape(-1, a, a):
            ends = []
            for s in (step, -step):
                matrices = [np.eye(size) for size in ARCH.ranks]
                matrices[layer] = matrices[layer] + s * unit
                ends.append(algatt.flatten(algatt.act(element(matrices, Reals()), theta)))
            assert np.allclose((ends[0] - ends[1]) / (2 * step), tangents[row], atol=1e-8)
            row += 1
    assert row == len(tangents)


@pytest.mark.parametrize(("d", "a", "dimension"), [(3, 1, 1), (3, 3, 9), (3, 4, 15), (1, 4, 7), (2, 5, 16)])
def test_the_orbit_has_the_dimension_of_the_group_unless_the_rank_exceeds_the_width(d, a, dimension):
    # a^2 for a <= d, 2 a d - d^2 for a > d.
    arch = Lightning((d, 2), (a,), 2)
    assert KeyQuery(arch).dimension == dimension
    assert np.linalg.matrix_rank(KeyQuery(arch).tangents(algatt.sample(arch, Weights, field=Reals()))) == dimension


def test_an_element_can_be_built_of_public_matrices():
    """The gauge diag(2, 1), 3 halves the first row of Q_1 and doubles that of K_1; Q_2 is divided by 3 and K_2
    multiplied.
    """
    F = algatt.PrimeField(31)
    arch = algatt.Lightning((3, 2, 2), (2, 1), 2)
    theta = algatt.sample(arch, algatt.Weights, field=F)
    moved = algatt.act(KeyQuery(arch).of([F.galois([[2, 0], [0, 1]]), F.galois([[3]])]), theta)
    assert (moved.layers[0].K[0] == theta.layers[0].K[0] * F.galois(2)).all()
    assert (moved.layers[0].Q[0] * F.galois(2) == theta.layers[0].Q[0]).all()
    assert (moved.layers[1].Q * F.galois(3) == theta.layers[1].Q).all()
    with pytest.raises(algatt.errors.SingularMatrix):
        KeyQuery(arch).of([F.galois([[1, 2], [2, 4]]), F.galois([[1]])])
    with pytest.raises(algatt.errors.InvalidArgument, match="theta was AttentionMatrix"):
        algatt.symmetries(arch)[1].tangents(algatt.convert(theta, algatt.AttentionMatrix))
