"""HMK Eq 13: A_i -> s A_i, V_i -> V_i / s leaves the function unchanged.

On virtual weights this is the torus lambda_0 * prod_i lambda_i^{3^{l-i}} = 1, acting by L -> lambda_0 L, M_i ->
lambda_i M_i.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt

P = algatt.PrimeField().p
FIELD = algatt.PrimeField()
UNIT = st.integers(1, P - 1)

ARCHITECTURES = [((3, 2), (2,)), ((3, 2, 3), (2, 1)), ((2, 2, 2, 2), (1, 2, 2)), ((2, 3, 1, 2, 2), (2, 1, 2, 1))]


def integers(public):
    return np.array(public.tolist(), dtype=object)


def instance(dims, ranks, coordinates):
    arch = algatt.Lightning(dims, ranks, 3)
    return arch, algatt.sample(arch, coordinates, field=FIELD), algatt.sample_inputs(arch, field=FIELD, count=2)


def units(count, seed):
    return [int(x) for x in np.random.default_rng(seed).integers(1, P, count)]


def character(first, others):
    """Return lambda_0 * prod_i lambda_i^{3^{l-i}}."""
    value = first
    for i, factor in enumerate(others, start=1):
        value = value * pow(factor, 3 ** (len(others) - i), P) % P
    return value


def scaled(theta, first, others):
    """Multiply M_i by lambda_i and L by lambda_0, in plain integers."""
    M = [integers(matrix) * factor % P for matrix, factor in zip(theta.M, others, strict=True)]
    return algatt.VirtualWeights.of(M, integers(theta.L) * first % P, field=FIELD)


@pytest.mark.parametrize(("dims", "ranks"), ARCHITECTURES)
@pytest.mark.parametrize("seed", range(3))
def test_a_factor_may_move_between_scores_and_values(dims, ranks, seed):
    arch, theta, X = instance(dims, ranks, algatt.AttentionMatrix)
    scalars = units(len(ranks), seed)
    moved = algatt.AttentionMatrix.of(
        [
            (integers(A) * s % P, integers(V) * pow(s, -1, P) % P)
            for (A, V), s in zip(theta.layers, scalars, strict=True)
        ],
        field=FIELD,
    )
    assert moved != theta
    assert np.array_equal(algatt.evaluate(arch, moved, X), algatt.evaluate(arch, theta, X))


@pytest.mark.parametrize(("dims", "ranks"), ARCHITECTURES)
@pytest.mark.parametrize("seed", range(3))
def test_the_torus_leaves_the_function_unchanged(dims, ranks, seed):
    arch, theta, X = instance(dims, ranks, algatt.VirtualWeights)
    others = units(len(ranks), seed)
    first = pow(character(1, others), -1, P)
    moved = scaled(theta, first, others)
    assert moved != theta
    assert np.array_equal(algatt.evaluate(arch, moved, X), algatt.evaluate(arch, theta, X))


@given(first=UNIT, others=st.lists(UNIT, min_size=3, max_size=3))
def test_off_the_torus_the_function_is_multiplied_by_the_value_of_the_equation(first, others):
    arch, theta, X = instance((2, 2, 2, 2), (1, 2, 2), algatt.VirtualWeights)
    value = integers(algatt.evaluate(arch, theta, X))
    moved = integers(algatt.evaluate(arch, scaled(theta, first, others), X))
    assert value.any()
    assert np.array_equal(moved, value * character(first, others) % P)


@pytest.mark.parametrize(("dims", "ranks"), ARCHITECTURES)
@pytest.mark.parametrize("seed", range(3))
def test_the_rescalings_act_on_virtual_weights_by_elements_of_the_torus(dims, ranks, seed):
    arch, theta, _ = instance(dims, ranks, algatt.VirtualWeights)
    weights = algatt.sample(arch, algatt.Weights, field=FIELD)
    moved = algatt.act(algatt.symmetry.Rescaling(arch).element(weights, seed), theta)
    ratios = []
    for before, after in zip((theta.L, *theta.M), (moved.L, *moved.M), strict=True):
        place = tuple(int(k[0]) for k in np.nonzero(before))
        ratios.append(int(after[place]) * pow(int(before[place]), -1, P) % P)
        assert np.array_equal(integers(after), integers(before) * ratios[-1] % P)
    assert character(ratios[0], ratios[1:]) == 1
    assert ratios[1:] != [1] * len(ranks)


def test_a_factor_on_the_values_alone_changes_the_function_by_a_power_of_it():
    # V_1 enters the second layer three times: V_1 -> 2 V_1 multiplies the function by 8, not by 2.
    arch, theta, X = instance((3, 2, 3), (2, 1), algatt.AttentionMatrix)
    (first, last) = theta.layers
    moved = algatt.AttentionMatrix.of([(first.A, integers(first.V) * 2 % P), last], field=FIELD)
    assert np.array_equal(integers(algatt.evaluate(arch, moved, X)), integers(algatt.evaluate(arch, theta, X)) * 8 % P)


@pytest.mark.parametrize(("dims", "ranks"), ARCHITECTURES)
def test_the_orbit_has_one_dimension_for_each_layer(plain, dims, ranks):
    # The tangents (Q_i, -V_i) of different layers have no parameter in common.
    arch = algatt.Lightning(dims, ranks, 3)
    weights = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(plain.p))
    tangents = algatt.symmetry.Rescaling(arch).tangents(weights)
    assert plain.rank(integers(tangents)) == len(ranks) == algatt.symmetry.Rescaling(arch).dimension


def test_without_homogeneous_scores_there_is_no_rescaling():
    # Attention whose scores are 1 + x^T A x, in plain integers: 2 A and V / 2 are another function.
    rng = np.random.default_rng(0)
    A, V, X = (rng.integers(0, P, shape).astype(object) for shape in ((3, 3), (2, 3), (3, 4)))

    def attention(scores, values, one):
        return values @ X @ ((X.T @ scores @ X + one) % P) % P

    half = pow(2, -1, P)
    assert np.array_equal(attention(2 * A, half * V, 0), attention(A, V, 0))
    assert not np.array_equal(attention(2 * A, half * V, 1), attention(A, V, 1))
