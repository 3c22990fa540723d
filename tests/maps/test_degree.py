"""The bounds of the degrees, against those of the paper and against the degrees themselves."""

import numpy as np
import pytest

import algatt
from algatt import Lightning, PrimeField, Weights


@pytest.mark.parametrize(("layers", "weights"), [(1, 3), (2, 12), (3, 39), (4, 120)])
def test_the_degrees_of_lightning_attention(layers, weights):
    # D_1 = 3, D_{i+1} = 3 + 3 D_i in the weights, 3^l in the inputs, whatever the widths.
    for width in (1, 3):
        degree = algatt.degree(Lightning((width,) * (layers + 1), (2,) * layers, 2))
        assert (degree.weights, degree.inputs) == (weights, 3**layers)


@pytest.mark.parametrize("layers", [1, 2, 3])
def test_the_degrees_are_reached(layers):
    # Scaling by s multiplies the value by s^degree: the value is homogeneous in the weights and in the inputs.
    arch, p = Lightning((2,) * (layers + 1), (1,) * layers, 2), 8388593
    degree = algatt.degree(arch)
    theta, X = algatt.sample(arch, Weights), algatt.sample_inputs(arch)[0]
    value = np.array(algatt.evaluate(arch, theta, X).tolist(), dtype=object)
    assert value.any()
    s = 5
    scaled = algatt.unflatten(arch, Weights, [s * x % p for x in algatt.flatten(theta).tolist()], field=PrimeField())
    assert np.array_equal(np.array(algatt.evaluate(arch, scaled, X).tolist()), value * pow(s, degree.weights, p) % p)
    assert np.array_equal(
        np.array(algatt.evaluate(arch, theta, [[s * x % p for x in row] for row in X.tolist()]).tolist()),
        value * s ** (3**layers) % p,
    )
    assert degree.inputs == 3**layers
