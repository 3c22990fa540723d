import pytest

from algatt.fields import Field, Motions, Spans, Virtual
from algatt.fields.base import Differential
from algatt.fields.tangents import Tangents
from algatt.geometry.training.pfaffian_degrees import PfaffianDegrees
from algatt.programs import Trace
from algatt.testing import check_field, examples


@pytest.mark.parametrize("field", examples(Field), ids=repr)
def test_every_field_computes_as_a_ring(field):
    check_field(field)


def test_every_field_brings_examples():
    kinds = [cls for cls in Field.__subclasses__() if cls.__module__.startswith("algatt.")]
    # programs are no ring, x + y and y + x being two; types are equal after their equations are solved
    # only, spaces do not see what cancels, of virtual forms equal arrays may have several, and of tangents
    # values alone are compared; that a square is not negative is seen of a product of one array with itself
    # rings with derivatives bring their own
    without = {Trace, Spans, Motions, Virtual, Tangents, Differential, PfaffianDegrees}
    assert {cls for cls in kinds if not cls.examples()} <= without
