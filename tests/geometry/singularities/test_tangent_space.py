"""The differential of one layer, against differences of expanded products and against the Jacobian of values."""

import dataclasses
import itertools

import flint
import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, PrimeField, Reals, VirtualWeights, Weights
from algatt.errors import InvalidArgument, RankUndecided
from algatt.geometry.singularities.tangent_space import TangentSpace, differential

tangent_space = algatt.verbs.tangent_space
COORDINATES = [Weights, AttentionMatrix, VirtualWeights]


def integers(public):
    return np.array(public.tolist(), dtype=object)


def rank(matrix, p):
    return flint.nmod_mat(*matrix.shape, [int(x) % p for x in matrix.ravel()], p).rank()


def coefficients(A, V):
    """Expand (a_k . x)(v_m . x) in integers: the coefficient of x_i x_j, i <= j, in the order (k, m, i, j)."""
    result = []
    for a, v in itertools.product(A.T, V):
        for i, j in itertools.combinations_with_replacement(range(len(a)), 2):
            result.append(a[i] * v[j] + (a[j] * v[i] if i != j else 0))
    return np.array(result, dtype=object)


def forms(matrices):
    if len(matrices) == 3:
        Q, K, V = matrices
        return coefficients(K.T @ Q, V)
    return coefficients(*matrices)


def differences(matrices):
    """The forms are linear in each matrix, so their differences along unit matrices are their derivatives."""
    base, columns = forms(matrices), []
    for position, matrix in enumerate(matrices):
        for entry in range(matrix.size):
            moved = [other.copy() for other in matrices]
            moved[position].flat[entry] += 1
            columns.append(forms(moved) - base)
    return np.array(columns, dtype=object).T


def test_the_differential_is_that_of_the_expanded_products():
    for p, (dims, a) in itertools.product(
        (2, 3, 8388593, 2**61 - 1), (((2, 1), 2), ((3, 2), 2), ((1, 3), 2), ((2, 3), 3))
    ):
        arch = Lightning(dims, (a,), 2)
        for coordinates in COORDINATES:
            theta = algatt.sample(arch, coordinates, field=PrimeField(p), seed=3)
            expected = differences([integers(element.public()) for element in theta.elements]) % p
            assert np.array_equal(integers(differential(arch, theta).public()), expected)


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(("dims", "a"), [((2, 1), 2), ((3, 2), 2), ((3, 3), 1), ((1, 3), 2), ((2, 2), 4)])
@pytest.mark.parametrize("p", [2, 31, 8388593])
def test_image_and_kernel_are_what_they_say(coordinates, dims, a, p):
    arch = Lightning(dims, (a,), 3)
    theta = algatt.sample(arch, coordinates, field=PrimeField(p), seed=1)
    space = tangent_space(arch, theta)
    matrix = differences([integers(element.public()) for element in theta.elements])
    image, kernel = integers(space.image), integers(space.kernel)
    assert space.dimension == rank(matrix, p) == image.shape[1] == matrix.shape[1] - kernel.shape[1]
    assert image.shape[0] == matrix.shape[0]
    assert (
        rank(np.hstack([matrix, image]), p) == rank(image, p) == space.dimension if space.dimension else not image.size
    )
    assert not ((matrix @ kernel) % p).any()
    assert not kernel.size or rank(kernel, p) == kernel.shape[1]
    assert space.coordinates is coordinates
    assert space.status == "proven"
    assert type(space.kernel) is type(space.image) is PrimeField(p).galois


@pytest.mark.parametrize("coordinates", COORDINATES)
@pytest.mark.parametrize(("dims", "a"), [((2, 1), 2), ((3, 2), 2), ((3, 3), 1), ((1, 3), 2)])
@pytest.mark.parametrize("tokens", [2, 3])
def test_the_values_have_the_same_kernel(coordinates, dims, a, tokens):
    # HMK Prop A.5: the forms and the function determine each other linearly.
    arch = Lightning(dims, (a,), tokens)
    theta = algatt.sample(arch, coordinates, seed=5)
    rows = algatt.jacobian(arch, theta, algatt.sample_inputs(arch, count=40))
    space = tangent_space(arch, theta)
    assert algatt.rank(rows) == space.dimension
    assert not (rows @ space.kernel).any()


def test_a_generic_point_of_weights_has_the_dimension_of_the_neuromanifold():
    for dims, a in (((2, 1), 1), ((3, 2), 2), ((5, 3), 2), ((2, 3), 4), ((4, 4), 1)):
        alpha = min(a, dims[0])
        expected = alpha * (2 * dims[0] - alpha) + dims[0] * dims[1] - 1  # HMK Eq 7
        arch = Lightning(dims, (a,), 2)
        assert tangent_space(arch, algatt.sample(arch, Weights)).dimension == expected


def test_over_the_reals():
    arch = Lightning((3, 2), (2,), 2)
    for coordinates in COORDINATES:
        theta = algatt.sample(arch, coordinates, field=Reals(), seed=2)
        space = tangent_space(arch, theta)
        matrix = differences([element.public().astype(object) for element in theta.elements]).astype(float)
        assert space.status == "numerical"
        assert space.dimension == (13 if coordinates is Weights else 14)
        for basis in (space.image, space.kernel):
            assert np.allclose(basis.T @ basis, np.eye(basis.shape[1]))
        assert np.allclose(matrix @ space.kernel, 0)
        assert np.allclose(space.image @ (space.image.T @ matrix), matrix)


def test_more_parameters_than_coefficients_over_the_reals():
    arch = Lightning((1, 2), (3,), 2)
    space = tangent_space(arch, algatt.sample(arch, Weights, field=Reals()))
    assert (space.dimension, space.image.shape, space.kernel.shape) == (2, (2, 2), (8, 6))


@pytest.mark.parametrize("field", [PrimeField(5), Reals()], ids=str)
def test_the_zero_point(field):
    arch = Lightning((2, 2), (2,), 2)
    theta = AttentionMatrix.of([(np.zeros((2, 2), int), np.zeros((2, 2), int))], field=field)
    space = tangent_space(arch, theta)
    assert (space.dimension, space.image.shape, space.kernel.shape) == (0, (12, 0), (8, 8))


def test_equal_images_have_equal_bases_over_a_prime_field():
    arch = Lightning((2, 2), (2,), 2)
    theta = algatt.sample(arch, AttentionMatrix, field=PrimeField(31))
    A, V = theta.layers[0]
    other = AttentionMatrix.of([(A * 3, V * 11)])
    assert np.array_equal(tangent_space(arch, theta).image, tangent_space(arch, other).image)


def test_small_derivatives_are_not_decided_in_floating_point():
    arch = Lightning((2, 1), (2,), 2)
    theta = AttentionMatrix.of([(np.eye(2), np.array([[1e-9, 2e-9]]))])
    with pytest.raises(RankUndecided):
        tangent_space(arch, theta)


def test_it_is_frozen_and_short_in_print():
    arch = Lightning((2, 1), (2,), 2)
    space = tangent_space(arch, algatt.sample(arch, AttentionMatrix))
    assert isinstance(space, TangentSpace)
    assert repr(space) == "TangentSpace(dimension=5, kernel=1, AttentionMatrix, proven)"
    with pytest.raises(dataclasses.FrozenInstanceError):
        space.dimension = 0


@pytest.mark.parametrize("arch", [Lightning((2, 2), (2,), 1), Lightning((2, 2, 2), (2, 2), 2)], ids=str)
def test_several_layers_and_single_tokens_are_refused(arch):
    with pytest.raises(InvalidArgument, match="arch was"):
        tangent_space(arch, algatt.sample(arch, Weights))


def test_a_point_of_another_architecture_is_refused():
    with pytest.raises(InvalidArgument, match="theta was"):
        tangent_space(Lightning((2, 2), (2,), 2), algatt.sample(Lightning((3, 2), (2,), 2), Weights))
