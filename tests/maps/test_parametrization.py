import numpy as np
import pytest

import algatt
from algatt import AttentionMatrix, Lightning, VirtualWeights, Weights
from algatt.errors import InvalidArgument

ARCH = Lightning((3, 2, 3), (2, 1), 2)


@pytest.mark.parametrize("coordinates", [Weights, AttentionMatrix, VirtualWeights])
def test_the_map_the_function_and_the_value(coordinates):
    phi = algatt.parametrization(ARCH, coordinates)
    theta = algatt.sample(ARCH, coordinates)
    X = algatt.sample_inputs(ARCH, count=3)
    function = phi(theta)
    assert callable(function)
    assert function.theta == theta
    assert np.array_equal(function(X), algatt.evaluate(ARCH, theta, X))
    assert np.array_equal(function(X[1]), function(X)[1])


def test_maps_and_functions_are_values():
    phi = algatt.parametrization(ARCH, Weights)
    assert phi == algatt.parametrization(ARCH, Weights)
    assert hash(phi) == hash(algatt.parametrization(ARCH, Weights))
    assert phi != algatt.parametrization(ARCH, AttentionMatrix)
    assert phi(algatt.sample(ARCH, Weights)) == phi(algatt.sample(ARCH, Weights))
    assert phi(algatt.sample(ARCH, Weights)) != phi(algatt.sample(ARCH, Weights, seed=1))
    assert repr(phi) == "Parametrization(Lightning(dims=(3, 2, 3), ranks=(2, 1), tokens=2), Weights)"


def test_the_map_takes_only_its_own_coordinates():
    theta = algatt.sample(ARCH, AttentionMatrix)
    with pytest.raises(InvalidArgument) as caught:
        algatt.parametrization(ARCH, Weights)(theta)
    assert (
        str(caught.value)
        == "theta was AttentionMatrix(dims=(3, 2, 3), field=GF(8388593)); it should be of type Weights"
    )


def test_the_map_takes_only_parameters_of_its_architecture():
    theta = algatt.sample(Lightning((3, 3, 3), (2, 1), 2), Weights)
    with pytest.raises(InvalidArgument, match="it should be parameters of Lightning"):
        algatt.parametrization(ARCH, Weights)(theta)


def test_the_function_refuses_inputs_that_do_not_fit():
    with pytest.raises(InvalidArgument, match="inputs was of shape"):
        algatt.parametrization(ARCH, Weights)(algatt.sample(ARCH, Weights))([[1, 2]])
