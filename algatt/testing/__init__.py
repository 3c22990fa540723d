"""Conformance kits: what every field, every parameter point and every architecture has to satisfy, for this package's
own and for yours.

Each kit runs the laws of its kind on one instance and raises an `AssertionError` that names the law and the instance.
Nothing here needs a test runner::

    from algatt import testing

    testing.check_field(MyField())
    testing.check_architecture(MyAttention(dims=(4, 3, 4), ranks=(2, 2), tokens=3))
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.testing.architectures import check_architecture as check_architecture
    from algatt.testing.fields import check_field as check_field
    from algatt.testing.laws import agree as agree
    from algatt.testing.laws import examples as examples
    from algatt.testing.laws import has_method as has_method
    from algatt.testing.laws import networks as networks
    from algatt.testing.market import Instance as Instance
    from algatt.testing.market import coordinate_systems as coordinate_systems
    from algatt.testing.market import market as market
    from algatt.testing.parameters import check_parameters as check_parameters

on_demand(__name__)
