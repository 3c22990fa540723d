"""The interlayer gauge: V_i -> C V_i, and C^{-1} from the right on Q, K, V of the next layer."""

import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.symmetry import Interlayer

ARCH = Lightning((3, 2, 4, 2), (2, 3, 1), 2)
WIDTHS = (2, 4)
F = PrimeField()
P = F.p


def integers(public):
    return np.array(public.tolist(), dtype=object)


def element(matrices, field=F):
    dims = (3, *(len(matrix) for matrix in matrices), 2)
    family = Interlayer(Lightning(dims, (1,) * (len(dims) - 1), 2))
    return family.of(tuple(Elements.of(field, matrix) for matrix in matrices))


def draws(seed):
    return [np.random.default_rng(seed).integers(0, P, (d, d)) for d in WIDTHS]


def test_the_action_on_weights_is_that_of_equation_9():
    theta = algatt.sample(ARCH, Weights)
    matrices = draws(1)
    moved = algatt.act(element(matrices), theta)
    before_it = [np.eye(3, dtype=object), *(C.astype(object) for C in matrices)]
    after_it = [*(C.astype(object) for C in matrices), np.eye(2, dtype=object)]
    for old, new, C, D in zip(theta.layers, moved.layers, before_it, after_it, strict=True):
        assert np.array_equal(integers(new.Q) @ C % P, integers(old.Q))
        assert np.array_equal(integers(new.K) @ C % P, integers(old.K))
        assert np.array_equal(integers(new.V) @ C % P, D @ integers(old.V) % P)


def test_the_action_on_attention_matrices_is_that_of_equation_9():
    theta = algatt.sample(ARCH, AttentionMatrix)
    matrices = draws(1)
    moved = algatt.act(element(matrices), theta)
    before_it = [np.eye(3, dtype=object), *(C.astype(object) for C in matrices)]
    after_it = [*(C.astype(object) for C in matrices), np.eye(2, dtype=object)]
    for old, new, C, D in zip(theta.layers, moved.layers, before_it, after_it, strict=True):
        assert np.array_equal(C.T @ integers(new.A) @ C % P, integers(old.A))
        assert np.array_equal(integers(new.V) @ C % P, D @ integers(old.V) % P)


def test_virtual_weights_do_not_move():
    theta = algatt.sample(ARCH, VirtualWeights)
    assert algatt.act(element(draws(1)), theta) == theta
    weights = algatt.sample(ARCH, Weights)
    assert algatt.convert(algatt.act(element(draws(1)), weights), VirtualWeights) == theta


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix])
def test_acting_is_a_group_action(coordinates):
    theta = algatt.sample(ARCH, coordinates)
    one, two = draws(1), draws(2)
    both = [C.astype(object) @ D.astype(object) % P for C, D in zip(one, two, strict=True)]
    assert algatt.act(element(one), algatt.act(element(two), theta)) == algatt.act(element(both), theta)
    assert algatt.act(element([np.eye(d, dtype=int) for d in WIDTHS]), theta) == theta
    g = element(one)
    assert algatt.act(g.family.of(g.inverses, g.matrices), algatt.act(g, theta)) == theta


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix])
@pytest.mark.parametrize("sizes", [(), (2,), (4, 2), (2, 4, 2)])
def test_matrices_of_other_sizes_are_refused(coordinates, sizes):
    with pytest.raises(InvalidArgument) as caught:
        algatt.act(element([np.eye(d, dtype=int) for d in sizes]), algatt.sample(ARCH, coordinates))
    assert str(caught.value) == f"element was of sizes {sizes}; it should be of sizes (2, 4)"


def test_tangents_are_derivatives_of_the_action():
    theta = algatt.sample(ARCH, Weights, field=Reals())
    tangents = Interlayer(ARCH).tangents(theta)
    step, row = 1e-6, 0
    for position, d in enumerate(WIDTHS):
        for unit in np.eye(d * d).reshape(-1, d, d):
            ends = []
            for s in (step, -step):
                matrices = [np.eye(size) for size in WIDTHS]
                matrices[position] = matrices[position] + s * unit
                ends.append(algatt.flatten(algatt.act(element(matrices, Reals()), theta)))
            assert np.allclose((ends[0] - ends[1]) / (2 * step), tangents[row], atol=1e-8)
            row += 1
    assert row == len(tangents)


@pytest.mark.parametrize(
    ("dims", "ranks", "dimension"),
    [
        ((3, 2, 3), (2, 2), 4),
        ((3, 2, 4, 2), (2, 3, 1), 4 + 16),
        # Between widths 1 and 1 with rank 1 lie 5 dimensions: C is seen on the column V_1 and the three rows Q_2, K_2,
        # V_2: 25 - 4 * 2.
        ((1, 5, 1), (1, 1), 17),
    ],
)
def test_the_orbit_has_as_many_dimensions_as_the_group_unless_the_layers_are_too_narrow_to_see_it(
    dims, ranks, dimension
):
    arch = Lightning(dims, ranks, 2)
    assert Interlayer(arch).dimension == dimension
    assert np.linalg.matrix_rank(Interlayer(arch).tangents(algatt.sample(arch, Weights, field=Reals()))) == dimension


def test_one_layer_has_no_interlayer_gauge():
    assert all(family.name != "interlayer" for family in algatt.symmetries(Lightning((3, 3), (2,), 2)))
