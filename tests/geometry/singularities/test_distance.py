"""Distances to the singular points and to the boundary, against minimisations over their parametrizations and closed
cases.
"""

import numpy as np
import pytest
import scipy.optimize

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument

singular_distance, boundary_distance = algatt.verbs.singular_distance, algatt.verbs.boundary_distance


def point(A, V):
    return AttentionMatrix.of([(np.array(A, dtype=float), np.array(V, dtype=float))], field=Reals())


def least(residual, size, restarts=12):
    """Minimise the norm of a residual from random starts."""
    rng = np.random.default_rng(0)
    results = [
        scipy.optimize.least_squares(residual, rng.normal(size=size), xtol=1e-12, ftol=1e-12, gtol=1e-12)
        for _ in range(restarts)
    ]
    return min(np.sqrt(2 * result.cost) for result in results)


def minimised(A, V, left, right, common=False):
    """Minimise the distance to (B C, D E) with inner widths left and right; with a common line E = B^T, both of rank
    one.
    """
    d, e = A.shape[0], V.shape[0]

    def residual(x):
        B, C, D, E = (
            np.split(x, np.cumsum([d * left, left * d, e * right])) if not common else [*np.split(x, [d, 2 * d]), x[:d]]
        )
        near_A, near_V = B.reshape(d, left) @ C.reshape(left, d), D.reshape(e, right) @ E.reshape(right, d)
        return np.concatenate([(A - near_A).ravel(), (V - near_V).ravel()])

    return least(residual, 2 * d * left + e * right + (0 if common else d * right))


CASES = [((2, 1), 2), ((2, 2), 1), ((2, 3), 2), ((3, 2), 3), ((3, 2), 2), ((4, 2), 3)]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("dims", "a"), CASES)
@pytest.mark.parametrize(("scale_A", "scale_V"), [(1, 1), (0.1, 1), (1, 0.1)])
def test_against_minimisation(dims, a, scale_A, scale_V):
    arch = Lightning(dims, (a,), 2)
    A, V = algatt.sample(arch, AttentionMatrix, field=Reals(), seed=4).layers[0]
    theta = point(scale_A * A, scale_V * V)
    A, V = theta.layers[0]
    zero = [np.linalg.norm(A), np.linalg.norm(V)]
    expected = [*zero, minimised(A, V, 1, 1)]
    if 1 < a < dims[0]:
        d = dims[0]
        lower = a - 1
        expected.append(
            least(
                lambda x: (A - x[: d * lower].reshape(d, lower) @ x[d * lower :].reshape(lower, d)).ravel(),
                2 * d * lower,
            )
        )
    assert singular_distance(arch, theta).value == pytest.approx(min(expected), abs=1e-6)
    assert boundary_distance(arch, theta).value == pytest.approx(
        min([*zero, minimised(A, V, 1, 1, common=True)]), abs=1e-6
    )


@pytest.mark.parametrize(("dims", "a"), CASES)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("shrunk", [None, "A", "V"])
def test_the_nearest_point_is_there(dims, a, seed, shrunk):
    arch = Lightning(dims, (a,), 2)
    A, V = algatt.sample(arch, AttentionMatrix, field=Reals(), seed=seed).layers[0]
    theta = point(A * (0.01 if shrunk == "A" else 1), V * (0.01 if shrunk == "V" else 1))
    for measure, question in (
        (singular_distance, algatt.verbs.is_singular),
        (boundary_distance, algatt.verbs.is_boundary),
    ):
        found = measure(arch, theta)
        assert question(arch, found.nearest)
        gap = [
            np.linalg.norm(one.public() - two.public())
            for one, two in zip(theta.elements, found.nearest.elements, strict=True)
        ]
        assert found.value == pytest.approx(np.hypot(*gap))
        assert measure(arch, found.nearest).value == pytest.approx(0, abs=1e-12)


def test_closed_cases():
    arch = Lightning((2, 2), (2,), 2)
    # Diagonal matrices: the second singular values are 2 and 1, to be dropped together.
    theta = point(np.eye(2) * [3, 2], np.eye(2) * [5, 1])
    found = singular_distance(arch, theta)
    assert found.value == pytest.approx(np.sqrt(5))
    assert np.allclose(found.nearest.layers[0].A, [[3, 0], [0, 0]])
    assert np.allclose(found.nearest.layers[0].V, [[5, 0], [0, 0]])
    # The first axis is the common line: 2 and 1 are lost, too.
    assert boundary_distance(arch, theta).value == pytest.approx(np.sqrt(5))
    # With the larger entries on different axes the lines disagree: [A, V^T] has singular values sqrt(9 + 1) and sqrt(4
    # + 25), of which 29 is kept.
    crossed = point(np.eye(2) * [3, 2], np.eye(2) * [1, 5])
    assert singular_distance(arch, crossed).value == pytest.approx(np.sqrt(4 + 1))
    assert boundary_distance(arch, crossed).value == pytest.approx(np.sqrt(9 + 1))
    # A small A is dropped as a whole, a small V too.
    assert singular_distance(arch, point(0.1 * np.eye(2), np.eye(2))).value == pytest.approx(0.1 * np.sqrt(2))
    assert not singular_distance(arch, point(0.1 * np.eye(2), np.eye(2))).nearest.layers[0].A.any()
    assert not boundary_distance(arch, point(np.eye(2), 0.1 * np.eye(2))).nearest.layers[0].V.any()


def test_a_bounded_rank_is_dropped_where_that_is_nearer():
    A, V = np.eye(3) * [3, 1, 0], [[1, 0, 0], [0, 1, 0]]
    assert singular_distance(Lightning((3, 2), (2,), 2), point(A, V)).value == pytest.approx(1)
    assert singular_distance(Lightning((3, 2), (3,), 2), point(A, V)).value == pytest.approx(np.sqrt(1 + 1))


def test_singular_points_have_distance_zero_and_boundary_points_too():
    arch = Lightning((3, 2), (3,), 2)
    u, w, q = [1, 2, 0], [0, 1, 1], [3, 1, 4]
    apart, common = point(np.outer(u, q), np.outer([1, 5], w)), point(np.outer(u, q), np.outer([1, 5], u))
    assert singular_distance(arch, apart).value == pytest.approx(0, abs=1e-12)
    assert boundary_distance(arch, apart).value > 0.1
    assert boundary_distance(arch, common).value == pytest.approx(0, abs=1e-12)


def test_the_scale_between_A_and_V_matters_but_coordinates_do_not():
    arch = Lightning((3, 2), (2,), 2)
    theta = algatt.sample(arch, Weights, field=Reals(), seed=1)
    for measure in (singular_distance, boundary_distance):
        values = {
            round(measure(arch, algatt.convert(theta, coordinates)).value, 12)
            for coordinates in (Weights, AttentionMatrix, VirtualWeights)
        }
        assert len(values) == 1
        A, V = algatt.convert(theta, AttentionMatrix).layers[0]
        assert measure(arch, point(4 * A, V / 4)).value != pytest.approx(values.pop())


@pytest.mark.parametrize("measure", [singular_distance, boundary_distance], ids=lambda verb: verb.name)
def test_what_has_no_distance_is_refused(measure):
    arch = Lightning((3, 2), (2,), 2)
    with pytest.raises(InvalidArgument, match=r"over GF\(31\); it should be over Reals"):
        measure(arch, algatt.sample(arch, AttentionMatrix, field=PrimeField(31)))
    for bad in (
        Lightning((2, 1), (1,), 2),
        Lightning((1, 2), (2,), 2),
        Lightning((2, 2), (2,), 1),
        Lightning((2, 2, 2), (2, 2), 2),
    ):
        with pytest.raises(InvalidArgument, match="arch was"):
            measure(bad, algatt.sample(bad, AttentionMatrix, field=Reals()))
    with pytest.raises(InvalidArgument, match="theta was"):
        measure(arch, algatt.sample(Lightning((2, 2), (2,), 2), AttentionMatrix, field=Reals()))
