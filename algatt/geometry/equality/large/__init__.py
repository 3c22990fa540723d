"""Elements between two points of a network of any size over the reals, and whether they are one function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.equality.large.comparison import Comparison as Comparison
    from algatt.geometry.equality.large.comparison import SpaceResult as SpaceResult
    from algatt.geometry.equality.large.comparison import TensorResult as TensorResult
    from algatt.geometry.equality.large.comparison import name_of_precision as name_of_precision
    from algatt.geometry.equality.large.difference import Fit as Fit
    from algatt.geometry.equality.large.difference import fit_weights as fit_weights
    from algatt.geometry.equality.large.further_tokens import compare_further_tokens as compare_further_tokens
    from algatt.geometry.equality.large.further_tokens import compare_tokens as compare_tokens
    from algatt.geometry.equality.large.half_precision import HALF as HALF
    from algatt.geometry.equality.large.half_precision import known_as_rounded as known_as_rounded
    from algatt.geometry.equality.large.reference import Reference as Reference
    from algatt.geometry.equality.large.twins import unexplained_tensors as unexplained_tensors
    from algatt.geometry.equality.large.two_networks import compare_networks as compare_networks
    from algatt.geometry.equality.large.verdict import compare_weights as compare_weights

on_demand(
    __name__,
    {
        "algatt.geometry.equality.large.comparison": "Comparison SpaceResult TensorResult name_of_precision",
        "algatt.geometry.equality.large.difference": "Fit fit_weights",
        "algatt.geometry.equality.large.further_tokens": "compare_further_tokens compare_tokens",
        "algatt.geometry.equality.large.half_precision": "HALF known_as_rounded",
        "algatt.geometry.equality.large.reference": "Reference",
        "algatt.geometry.equality.large.twins": "unexplained_tensors",
        "algatt.geometry.equality.large.two_networks": "compare_networks",
        "algatt.geometry.equality.large.verdict": "compare_weights",
    },
)
