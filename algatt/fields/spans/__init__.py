"""Spaces of polynomials in place of numbers: evaluating a network over them tells a space in which all its values
lie.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.fields.spans.field import Spans as Spans
    from algatt.fields.spans.forms import Form as Form
    from algatt.fields.spans.spanned import Spanned as Spanned

on_demand(__name__)
