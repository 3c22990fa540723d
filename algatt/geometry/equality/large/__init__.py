"""Elements between two points of a network of any size over the reals, and whether they are one function."""

from algatt.geometry.equality.large.comparison import Comparison, SpaceResult, TensorResult, name_of_precision
from algatt.geometry.equality.large.difference import Fit, fit_weights
from algatt.geometry.equality.large.further_tokens import compare_further_tokens, compare_tokens
from algatt.geometry.equality.large.half_precision import HALF
from algatt.geometry.equality.large.reference import Reference
from algatt.geometry.equality.large.twins import unexplained_tensors
from algatt.geometry.equality.large.two_networks import compare_networks
from algatt.geometry.equality.large.verdict import compare_weights

__all__ = [
    "HALF",
    "Comparison",
    "Fit",
    "Reference",
    "SpaceResult",
    "TensorResult",
    "compare_further_tokens",
    "compare_networks",
    "compare_tokens",
    "compare_weights",
    "fit_weights",
    "name_of_precision",
    "unexplained_tensors",
]
