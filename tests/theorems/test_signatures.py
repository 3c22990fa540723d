"""The inequalities of docs/theory/theorem_3_4.md: a real tuple of forms that are products over C is one of a real layer
if and only if no form is definite, c_ij^2 >= 4 c_ii c_jj.
"""

from __future__ import annotations

import numpy as np
import pytest

import algatt


def discriminants(forms):
    """Return c_ij^2 - 4 c_ii c_jj for all forms and i < j."""
    i, j = np.triu_indices(forms.shape[-1], 1)
    return forms[..., i, j] ** 2 - 4 * forms[..., i, i] * forms[..., j, j]


def coefficients(A, V):
    """Return the upper triangular coefficients of (a_k . x)(v_m . x)."""
    products = A.T[:, None, :, None] * V[None, :, None, :]
    return np.triu(products) + np.triu(products.swapaxes(-1, -2), 1)


@pytest.mark.parametrize(("dims", "rank"), [((2, 1), 2), ((3, 2), 1), ((4, 3), 2)])
def test_layers_over_the_reals_satisfy_them(dims, rank):
    arch = algatt.Lightning(dims, (rank,), 2)
    for seed in range(5):
        theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.Reals(), seed=seed)
        forms = np.array(algatt.geometry.quadratic_forms(arch, theta).coefficients)
        A, V = (np.array(matrix) for matrix in theta.layers[0])
        i, j = np.triu_indices(dims[0], 1)
        squares = (A.T[:, None, i] * V[None, :, j] - A.T[:, None, j] * V[None, :, i]) ** 2
        np.testing.assert_allclose(discriminants(forms), squares, atol=1e-12)
        np.testing.assert_allclose(algatt.geometry.quadratic_forms(arch, theta).discriminants(), squares, atol=1e-12)


def test_modulo_a_prime_they_are_squares_too():
    arch, p = algatt.Lightning((3, 2), (2,), 2), 31
    theta = algatt.sample(arch, algatt.AttentionMatrix, field=algatt.PrimeField(p), seed=0)
    A, V = (np.array(matrix.tolist()) for matrix in theta.layers[0])
    i, j = np.triu_indices(3, 1)
    squares = (A.T[:, None, i] * V[None, :, j] - A.T[:, None, j] * V[None, :, i]) ** 2 % p
    assert algatt.geometry.quadratic_forms(arch, theta).discriminants().tolist() == squares.tolist()


@pytest.mark.parametrize(("d", "e"), [(2, 1), (3, 2), (4, 3)])
def test_real_tuples_of_complex_layers_that_are_no_real_ones_violate_them(d, e):
    """A = k q^T and V = v h^T with h the conjugate of k: the forms are multiples of |k . x|^2."""
    generator = np.random.default_rng(d)
    for _ in range(10):
        k = generator.standard_normal(d) + 1j * generator.standard_normal(d)
        q, v = generator.standard_normal(d), generator.standard_normal(e)
        forms = coefficients(np.outer(k, q), np.outer(v, k.conj()))
        assert np.abs(forms.imag).max() < 1e-12
        assert (discriminants(forms.real) < 0).all()


def test_a_complex_layer_of_larger_rank_with_real_forms_is_a_real_one():
    """Its conjugate has the same forms, so it is a multiple: A times a root of unity is real, and V too."""
    generator = np.random.default_rng(0)
    A, V = generator.standard_normal((3, 3)), generator.standard_normal((2, 3))
    turned = coefficients(np.exp(0.7j) * A, np.exp(-0.7j) * V)
    np.testing.assert_allclose(turned, coefficients(A, V), atol=1e-12)
    assert (discriminants(turned.real) >= -1e-12).all()


@pytest.mark.parametrize(("z", "inside"), [(-1.0, True), (-0.1, True), (0.0, True), (0.1, False), (2.0, False)])
def test_the_line_of_figure_1(z, inside):
    """f = x_1^2 + z x_2^2 and g = 0 on the singular line of the umbrella: outside of the neuromanifold for z > 0."""
    forms = np.array([[[[1.0, 0.0], [0.0, z]]], [[[0.0, 0.0], [0.0, 0.0]]]])
    assert bool((discriminants(forms) >= 0).all()) is inside
