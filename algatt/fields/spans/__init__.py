"""Spaces of polynomials in place of numbers: evaluating a network over them tells a space in which all its values
lie.
"""

from algatt.fields.spans.field import Spans
from algatt.fields.spans.forms import Form
from algatt.fields.spans.spanned import Spanned

__all__ = ["Form", "Spanned", "Spans"]
