import pytest

from algatt.parameters import Parameters
from algatt.testing import check_parameters, examples, market


@pytest.mark.parametrize("theta", examples(Parameters), ids=repr)
def test_every_example_is_a_frozen_value(theta):
    check_parameters(theta)


@pytest.mark.parametrize("instance", market().values(), ids=str)
def test_every_sampled_point_is_a_frozen_value(instance):
    check_parameters(instance.theta)


def test_every_coordinate_system_brings_examples():
    assert all(cls.examples() for cls in Parameters.__subclasses__() if cls.__module__.startswith("algatt."))
