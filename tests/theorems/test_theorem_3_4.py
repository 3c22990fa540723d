"""HMK Theorem 3.4: boundary points A = u q^T, V = v u^T, singular points rk A * rk V <= 1, for one layer with t >= 2.

The statement on singular points is tested with a correction (derived): where a < d_0, points with rk A < a are singular
too. The hypothesis a > 1 or d_1 > 1 is needed, and so is d_0 >= 2 (derived).
"""

import itertools

import numpy as np
import pytest

import algatt

is_singular, is_boundary, tangent_space_at = (
    algatt.verbs.is_singular,
    algatt.verbs.is_boundary,
    algatt.verbs.tangent_space,
)


def two_forms(A, V):
    """Return the coefficients of x_1^2, x_1 x_2, x_2^2 in (a_1 . x)(v . x) and (a_2 . x)(v . x)."""
    v = V[0]
    return [np.array([a[0] * v[0], a[0] * v[1] + a[1] * v[0], a[1] * v[1]]) for a in A.T]


def resultant_and_gradient(f, g):
    """Return Res(f, g) = P^2 - S T with P = f_0 g_2 - f_2 g_0, S = f_0 g_1 - f_1 g_0, T = f_1 g_2 - f_2 g_1, and its
    gradient.
    """
    P, S, T = f[0] * g[2] - f[2] * g[0], f[0] * g[1] - f[1] * g[0], f[1] * g[2] - f[2] * g[1]
    dP = np.array([g[2], 0, -g[0], -f[2], 0, f[0]])
    dS = np.array([g[1], -g[0], 0, -f[1], f[0], 0])
    dT = np.array([0, g[2], -g[1], 0, -f[2], f[1]])
    return P * P - S * T, 2 * P * dP - dS * T - S * dT


def all_points(dims, q):
    d, e = dims
    for entries in itertools.product(range(q), repeat=d * d + e * d):
        yield np.array(entries[: d * d]).reshape(d, d), np.array(entries[d * d :]).reshape(e, d)


def some_points(dims, values, count):
    rng = np.random.default_rng(0)
    d, e = dims
    for _ in range(count):
        A, V = (
            np.outer(rng.choice(values, n), rng.choice(values, d)) + rng.integers(0, 2) * rng.choice(values, (n, d))
            for n in (d, e)
        )
        yield A, V


@pytest.mark.sample(1)
@pytest.mark.parametrize(("q", "count"), [(3, None), (5, 600), (101, 600)])
def test_the_gradient_of_the_resultant_vanishes_at_the_singular_points(q, count):
    # For dims (2, 1) and a = 2 the Zariski closure is the hypersurface Res(f, g) = 0.
    arch, field = algatt.Lightning((2, 1), (2,), 2), algatt.PrimeField(q)
    found = {True: 0, False: 0}
    for A, V in all_points((2, 1), q) if count is None else some_points((2, 1), np.arange(q), count):
        A, V = A % q, V % q
        value, gradient = resultant_and_gradient(*two_forms(A, V))
        answer = is_singular(arch, algatt.AttentionMatrix.of([(A, V)], field=field))
        assert value % q == 0
        assert answer == (not (gradient % q).any())
        found[answer] += 1
    assert min(found.values()) > 50


@pytest.mark.sample(1)
@pytest.mark.parametrize("dims", [(2, 1), (2, 2)])
def test_the_boundary_is_where_all_forms_are_squares(dims):
    # d_0 = 2: the discriminant of (a . x)(v . x) is det(a, v)^2; near a form with discriminant 0 there are some without
    # real factors.
    arch, field = algatt.Lightning(dims, (2,), 2), algatt.PrimeField(3)
    for A, V in all_points(dims, 3) if dims == (2, 1) else some_points(dims, np.arange(3), 500):
        A, V = A % 3, V % 3
        forms = [two_forms(A, V[[m]]) for m in range(dims[1])]
        squares = all((f[1] ** 2 - 4 * f[0] * f[2]) % 3 == 0 for pair in forms for f in pair)
        assert is_boundary(arch, algatt.AttentionMatrix.of([(A, V)], field=field)) == squares


@pytest.mark.parametrize("c", [0.0, 0.5, -2.0])
@pytest.mark.parametrize("y", [0.0, 1.0, -3.0])
def test_the_whitney_umbrella(c, y):
    # f = x_1^2 + z x_2^2 and g = y x_1 x_2 + b x_2^2: Res(f, g) = b^2 + z y^2. With z = -c^2 and b = c y the common
    # factor is x_1 + c x_2.
    arch = algatt.Lightning((2, 1), (2,), 2)
    theta = algatt.AttentionMatrix.of([(np.array([[1.0, 0.0], [-c, y]]), np.array([[1.0, c]]))])
    f, g = two_forms(*theta.layers[0])
    assert np.allclose([*f, *g], [1, 0, -(c**2), 0, y, c * y])
    assert is_singular(arch, theta) == (y == 0)  # the gradient (2 b, 2 y z, y^2) vanishes on the line b = y = 0
    assert is_boundary(arch, theta) == (y == 0 and c == 0)  # beyond z = 0 the line leaves the neuromanifold


@pytest.mark.parametrize("epsilon", [1.0, 1e-3])
def test_boundary_points_are_limits_of_real_functions_with_complex_parameters_only(epsilon):
    # A = k q^T and V = v h^T with k = u + i epsilon w and h its conjugate: the forms are q_k v_m ((u . x)^2 + epsilon^2
    # (w . x)^2), of rank two and definite on the plane, so without real factors; for epsilon = 0 they are those of a
    # boundary point.
    u, w, q, v = np.array([1.0, 2, 0]), np.array([0.0, 1, 1]), np.array([3.0, 1, 4]), np.array([1.0, 5])
    k = u + 1j * epsilon * w
    X = np.random.default_rng(0).normal(size=(3, 2))
    A, V = np.outer(k, q), np.outer(v, k.conj())
    assert np.allclose((V @ X @ X.T @ A @ X).imag, 0)
    form = np.outer(u, u) + epsilon**2 * np.outer(w, w)
    assert np.allclose(np.outer(k, k.conj()).real, form)
    assert (np.linalg.eigvalsh(form) > -1e-12).all()
    assert np.linalg.matrix_rank(form, tol=1e-9) == 2
    arch = algatt.Lightning((3, 2), (1,), 2)
    assert is_boundary(arch, algatt.AttentionMatrix.of([(np.outer(u, q), np.outer(v, u))]))


def swap_pair(plain, dims, seed=0):
    """Return the two preimages (k q^T, v h^T) and (h q^T, v k^T) of one function, as weights with a = 1 and as pairs
    (A, V).
    """
    d, e = dims
    k, h, q = (plain.random((1, d), seed + n) for n in range(3))
    v = plain.random((e, 1), seed + 3)
    return [(q, one, v @ two % plain.p) for one, two in ((k, h), (h, k))]


def images(plain, arch, pair, coordinates):
    field, spaces = algatt.PrimeField(plain.p), []
    inputs = algatt.sample_inputs(arch, field=field, count=3)
    values = set()
    for Q, K, V in pair:
        layer = (Q, K, V) if coordinates is algatt.Weights else (plain.times(K.T, Q), V)
        theta = coordinates.of([layer], field=field)
        values.add(algatt.evaluate(arch, theta, inputs).tobytes())
        spaces.append((theta, tangent_space_at(arch, theta)))
    assert len(values) == 1
    return spaces


@pytest.mark.parametrize(
    ("dims", "a", "coordinates"),
    [
        ((2, 1), 2, algatt.AttentionMatrix),
        ((2, 2), 2, algatt.AttentionMatrix),
        ((3, 1), 3, algatt.AttentionMatrix),
        ((3, 2), 4, algatt.AttentionMatrix),
        ((2, 2), 1, algatt.Weights),
        ((3, 2), 1, algatt.Weights),
        ((2, 4), 1, algatt.Weights),
    ],
)
def test_two_branches_with_different_tangent_spaces_meet_at_a_swap_pair(plain, dims, a, coordinates):
    arch = algatt.Lightning(dims, (a,), 2)
    alpha = min(a, dims[0])
    dimension = alpha * (2 * dims[0] - alpha) + dims[0] * dims[1] - 1  # HMK Eq 7
    (theta, one), (other, two) = images(plain, arch, swap_pair(plain, dims), coordinates)
    assert is_singular(arch, theta)
    assert is_singular(arch, other)
    assert not is_boundary(arch, theta)
    assert one.dimension == two.dimension == dimension  # both branches are smooth there
    assert plain.rank(np.hstack([np.array(one.image), np.array(two.image)])) > dimension


@pytest.mark.parametrize("dims", [(2, 1), (3, 1), (4, 1)])
def test_without_the_hypothesis_the_two_preimages_are_one_branch(plain, dims):
    # a = d_1 = 1: q times the form (k . x)(h . x), symmetric in k and h. So rk A * rk V <= 1 says nothing.
    arch = algatt.Lightning(dims, (1,), 2)
    (theta, one), (_, two) = images(plain, arch, swap_pair(plain, dims), algatt.Weights)
    assert one.dimension == two.dimension == 3 * dims[0] - 2  # HMK Eq 7
    assert np.array_equal(one.image, two.image)
    with pytest.raises(algatt.errors.InvalidArgument):
        is_singular(arch, theta)


@pytest.mark.parametrize("width", [1, 2])
def test_for_d_0_of_one_the_neuromanifold_is_a_linear_space(width):
    # The function is V x x^T A x = A V (x x^T x) with a number A: the products A V are all vectors, in which no point
    # is singular or a boundary.
    assert {tuple(A[0, 0] * V[:, 0] % 3) for A, V in all_points((1, width), 3)} == set(
        itertools.product(range(3), repeat=width)
    )
    arch = algatt.Lightning((1, width), (2,), 2)
    assert algatt.dimension(arch).value == width
    with pytest.raises(algatt.errors.InvalidArgument):
        is_singular(arch, algatt.sample(arch, algatt.AttentionMatrix))


@pytest.mark.parametrize(
    ("dims", "a", "rank_A", "rank_V"),
    [((3, 2), 2, 1, 2), ((3, 3), 2, 1, 3), ((4, 2), 3, 1, 2), ((4, 2), 3, 2, 1), ((4, 3), 2, 1, 2)],
)
def test_a_rank_below_a_bound_is_singular_although_the_product_of_ranks_is_not_one(plain, dims, a, rank_A, rank_V):
    # A moved along any unit matrix keeps rank <= a, so all these curves stay in the neuromanifold; their tangents span
    # more than its dimension.
    d, e = dims
    A = plain.times(plain.random((d, rank_A), 1), plain.random((rank_A, d), 2))
    V = plain.times(plain.random((e, rank_V), 3), plain.random((rank_V, d), 4))
    for unit in np.eye(d * d, dtype=int).reshape(-1, d, d):
        assert plain.rank((A + unit) % plain.p) <= a
    arch = algatt.Lightning(dims, (a,), 2)
    theta = algatt.AttentionMatrix.of([(A, V)], field=algatt.PrimeField(plain.p))
    dimension = a * (2 * d - a) + d * e - 1  # HMK Eq 7
    assert plain.rank(A) * plain.rank(V) > 1
    assert tangent_space_at(arch, theta).dimension == d * d + d * e - 1 > dimension
    assert is_singular(arch, theta)


@pytest.mark.parametrize(("dims", "a"), [((2, 1), 2), ((3, 1), 2), ((3, 2), 1), ((3, 2), 2), ((3, 3), 3), ((2, 3), 4)])
@pytest.mark.parametrize("seed", range(3))
def test_generic_points_are_smooth(plain, dims, a, seed):
    # K and Q of full rank: the weights of rank a are a smooth parametrization there, whose image has the dimension of
    # the neuromanifold.
    arch = algatt.Lightning(dims, (a,), 2)
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(plain.p), seed=seed)
    alpha = min(a, dims[0])
    assert tangent_space_at(arch, theta).dimension == alpha * (2 * dims[0] - alpha) + dims[0] * dims[1] - 1
    assert not is_singular(arch, theta)
    assert not is_boundary(arch, theta)
