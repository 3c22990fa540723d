"""Conformance kits: what every field, every parameter point and every architecture has to satisfy, for this package's
own and for yours.

Each kit runs the laws of its kind on one instance and raises an `AssertionError` that names the law and the instance.
Nothing here needs a test runner::

    from algatt import testing

    testing.check_field(MyField())
    testing.check_architecture(MyAttention(dims=(4, 3, 4), ranks=(2, 2), tokens=3))
"""

from algatt.testing.architectures import check_architecture
from algatt.testing.fields import check_field
from algatt.testing.laws import agree, examples, has_method
from algatt.testing.market import Instance, coordinate_systems, market
from algatt.testing.parameters import check_parameters

__all__ = [
    "Instance",
    "agree",
    "check_architecture",
    "check_field",
    "check_parameters",
    "coordinate_systems",
    "examples",
    "has_method",
    "market",
]
