"""HMK Lemma A.3: the differential of (A, V) -> phi has the rescaling alone in its kernel, except where A = u q^T, V = v
u^T for one u (or one is 0).

There (derived) the kernel has dimension d_0 if neither is zero: the directions (w q^T, -v w^T). Asked for d_0 >= 2.
"""

import itertools

import numpy as np
import pytest

import algatt

is_critical, tangent_space_at = algatt.verbs.is_critical, algatt.verbs.tangent_space


def points(dims, q):
    """Iterate over all pairs (A, V) with entries in 0, ..., q - 1."""
    d, e = dims
    for entries in itertools.product(range(q), repeat=d * d + e * d):
        yield np.array(entries[: d * d]).reshape(d, d), np.array(entries[d * d :]).reshape(e, d)


def number_of_critical_points(dims, q):
    """Count over GF(q): A = 0, V = 0, or a line for u, then q and v."""
    d, e = dims
    lines = (q**d - 1) // (q - 1)
    return q ** (e * d) + q ** (d * d) - 1 + lines * (q**d - 1) * (q**e - 1)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("dims", "a", "q"), [((2, 1), 2, 2), ((2, 2), 2, 2), ((2, 1), 2, 3)])
def test_all_points_over_a_small_field(dims, a, q):
    arch, field = algatt.Lightning(dims, (a,), 2), algatt.PrimeField(q)
    critical = 0
    for A, V in points(dims, q):
        theta = algatt.AttentionMatrix.of([(A, V)], field=field)
        kernel = tangent_space_at(arch, theta).kernel.shape[1]
        assert is_critical(arch, theta) == (kernel > 1)
        if A.any() and V.any():
            assert kernel in (1, dims[0])
        critical += kernel > 1
    assert critical == number_of_critical_points(dims, q)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("dims", "values"), [((2, 1), (-1, 0, 1)), ((2, 2), (0, 1))])
def test_the_jacobian_of_values_at_all_points_with_small_entries(plain, dims, values):
    # Lifted to a large prime, where values at a few random inputs tell functions apart; the ranks are FLINT's.
    arch, field = algatt.Lightning(dims, (2,), 2), algatt.PrimeField(plain.p)
    inputs = algatt.sample_inputs(arch, field=field, seed=1, count=6)
    smooth = dims[0] ** 2 + dims[0] * dims[1] - 1
    for indices in itertools.product(values, repeat=smooth + 1):
        entries = np.array(indices) % plain.p
        A, V = entries[:4].reshape(2, 2), entries[4:].reshape(-1, 2)
        theta = algatt.AttentionMatrix.of([(A, V)], field=field)
        rank = plain.rank(np.array(algatt.jacobian(arch, theta, inputs)))
        assert is_critical(arch, theta) == (rank < smooth)


def random_point(plain, dims, rank_A, rank_V, common, seed):
    d, e = dims
    left, right, other, top = (
        plain.random(shape, seed + k) for k, shape in enumerate([(d, rank_A), (rank_A, d), (rank_V, d), (e, rank_V)])
    )
    return plain.times(left, right), plain.times(top, left.T if common else other)


@pytest.mark.parametrize("dims", [(2, 1), (2, 3), (3, 2), (4, 1), (4, 4)])
@pytest.mark.parametrize("seed", range(2))
def test_points_of_every_rank_over_a_large_prime(plain, dims, seed):
    arch, field = algatt.Lightning(dims, (dims[0],), 2), algatt.PrimeField(plain.p)
    for rank_A, rank_V in itertools.product(range(1, dims[0] + 1), range(1, min(dims) + 1)):
        for common in (False, True) if rank_A == rank_V else (False,):
            A, V = random_point(plain, dims, rank_A, rank_V, common, seed)
            theta = algatt.AttentionMatrix.of([(A, V)], field=field)
            kernel = tangent_space_at(arch, theta).kernel
            critical = common and rank_A == 1
            assert is_critical(arch, theta) == critical
            assert kernel.shape[1] == (dims[0] if critical else 1)
            if not critical:
                rescaling = np.concatenate([A.ravel(), -V.ravel()])
                assert plain.rank(np.column_stack([np.array(kernel), rescaling])) == 1


def test_the_directions_of_the_kernel_over_the_boundary(plain):
    dims = (3, 2)
    arch, field = algatt.Lightning(dims, (1,), 2), algatt.PrimeField(plain.p)
    u, q, v = (plain.random(n, seed) for seed, n in enumerate((3, 3, 2)))
    theta = algatt.AttentionMatrix.of([(np.outer(u, q) % plain.p, np.outer(v, u) % plain.p)], field=field)
    kernel = np.array(tangent_space_at(arch, theta).kernel)
    directions = [
        np.concatenate([np.outer(w, q).ravel(), -np.outer(v, w).ravel()]) % plain.p for w in np.eye(3, dtype=int)
    ]
    assert kernel.shape[1] == 3 == plain.rank(np.column_stack([kernel, *directions]))
    # They keep A of rank one to first order: w q^T is tangent to the matrices of rank one at u q^T. So a bound on the
    # rank changes nothing.


@pytest.mark.parametrize("a", [1, 2])
def test_on_weights_the_gauge_comes_on_top(plain, a):
    # K and Q of full rank a < d_0: the kernel is that of the lemma and the a^2 directions of the key-query gauge.
    arch, field = algatt.Lightning((3, 2), (a,), 2), algatt.PrimeField(plain.p)
    for seed in range(3):
        theta = algatt.sample(arch, algatt.Weights, field=field, seed=seed)
        assert tangent_space_at(arch, theta).kernel.shape[1] == a**2 + 1
    Q, K, _ = theta.layers[0]
    if a == 1:
        over = algatt.Weights.of([(Q, K, field.galois([[2], [3]]) @ K)])
        assert is_critical(arch, over)
        assert tangent_space_at(arch, over).kernel.shape[1] == a**2 + 3


def test_width_one_has_no_critical_points_but_zeros(plain):
    # (A, V) -> A V for numbers A: with A and V not zero only the rescaling is in the kernel, although every u is
    # parallel to every other.
    arch, field = algatt.Lightning((1, 2), (1,), 2), algatt.PrimeField(3)
    for A, V in points((1, 2), 3):
        theta = algatt.AttentionMatrix.of([(A, V)], field=field)
        assert (
            tangent_space_at(arch, theta).kernel.shape[1]
            == {(True, True): 1, (True, False): 1, (False, True): 2, (False, False): 3}[A.any(), V.any()]
        )
    with pytest.raises(algatt.errors.InvalidArgument):
        is_critical(arch, theta)
