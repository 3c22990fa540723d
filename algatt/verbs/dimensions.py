"""Verbs of dimensions: formulas, proofs, and what floats say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    import numpy as np

    from algatt.architectures.attention_network import AttentionNetwork
    from algatt.architectures.base import Architecture, NetworkLike
    from algatt.fields.base import Elements, Field
    from algatt.fields.prime import PrimeField
    from algatt.geometry.dimensions.formulas import Formula
    from algatt.geometry.dimensions.question import Points, Question
    from algatt.geometry.dimensions.report import DimensionReport
    from algatt.geometry.fibres.arrows import Arrow
    from algatt.parameters.base import Weights


@declare(homes=["algatt.geometry.dimensions.formulas"])
def formulas(arch: NetworkLike, /) -> tuple[Formula, ...]:
    """Return the closed formulas for the dimension of `arch`: each a `Formula` with its value, its source and whether
    it is a theorem.
    """


@declare(homes=["algatt.geometry.fibres.arrows"])
def fiber_dimensions(arch: AttentionNetwork, /, *, seed: int = 0) -> tuple[Arrow, ...]:
    """Return what each arrow of the tower Weights -> AttentionMatrix -> VirtualWeights -> function forgets, as a tuple
    of three `Arrow`.

    Each is measured by itself, as the difference of the ranks of two derivatives at random weights over GF(p), beside
    the value of its theorem (HMK Lemma 3.1, Lemma 3.5, Theorem 3.2 or 3.7). Cost: a few eliminations of as many columns
    as there are parameters.
    """


@declare(
    homes=[
        "algatt.geometry.dimensions.dimension",
        "algatt.geometry.dimensions.structure.dimension for AutoPoints",
        "algatt.geometry.dimensions.structure.dimension for Copies",
        "algatt.geometry.dimensions.side_by_side.dimension for SideBySide",
    ]
)
def measure_at(points: Points, arch: Architecture, question: Question, /) -> DimensionReport:
    """Return the `DimensionReport` of a question about a network that is looked at at points of some kind."""


@declare(
    homes=[
        "algatt.geometry.dimensions.dimension",
        "algatt.geometry.dimensions.at_real_points for Balls",
        "algatt.geometry.dimensions.elementary.dimension for Elementary",
    ]
)
def measure_over(field: Any, question: Question, /) -> DimensionReport:
    """Return the `DimensionReport` of a question, which is looked at over a field first."""


@declare(homes=["algatt.geometry.dimensions.memory"])
def sizes_over(field: Field, question: Question, /) -> dict[str, float]:
    """Return the bytes that each stage of `dimension` over a field holds at one time in the memory of this machine, by
    the name of the stage.
    """


@declare(homes=["algatt.geometry.dimensions.elementary.dimension for Elementary", "algatt.geometry.dimensions.bounds"])
def gradients_where_defined(
    field: PrimeField,
    arch: Architecture,
    theta: Weights,
    seed: int,
    numbers: np.ndarray,
    outputs: np.ndarray,
    /,
) -> tuple[np.ndarray, Elements]:
    """Return one row of the Jacobian over a finite field for each input at which the network has a value.

    Inputs are drawn from the seed by their numbers. The answer has the number of each row in the Jacobian of all
    inputs, and the rows, as `Elements` of shape (rows, parameters).
    """


@declare(homes=["algatt.geometry.dimensions.bounds", "algatt.geometry.dimensions.elementary.dimension for Elementary"])
def jacobian_where_defined(
    field: Field, arch: Architecture, theta: Weights, seed: int, start: int, /
) -> tuple[int, Elements]:
    """Return the first input from `start` on at which the network has a value over a finite field, by its number, and
    all of its rows of the Jacobian.
    """


@declare(homes=["algatt.geometry.fibres.unexplained"])
def check_point(field: Field, arch: Architecture, theta: Weights, /, *, seed: int) -> Weights:
    """Return weights as ranks over a finite field are taken at them, after a look at whether there is a function."""
