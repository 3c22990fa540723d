"""Verbs of dimensions: formulas, proofs, and what floats say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    import numpy as np

    from algatt.architectures.attention_network import AttentionNetwork
    from algatt.architectures.base import Architecture
    from algatt.fields.base import Elements, Field
    from algatt.fields.prime import PrimeField
    from algatt.geometry.dimensions.formulas import Formula
    from algatt.geometry.dimensions.points import Points
    from algatt.geometry.dimensions.question import Question
    from algatt.geometry.dimensions.report import DimensionReport
    from algatt.geometry.dimensions.spectrum import JacobianSpectrum
    from algatt.geometry.fibres.arrows import Arrow
    from algatt.linalg.engines import Engine
    from algatt.parameters.weights import Weights


@declare(homes=["algatt.geometry.dimensions.formulas"])
def expected_dimension(arch: Architecture, /) -> int | None:
    """Return the dimension of the neuromanifold by the theorem that covers `arch` (HMK Cor 3.3 or Cor 3.8), or None
    where no hypothesis holds.
    """


@declare(homes=["algatt.geometry.dimensions.formulas"])
def formulas(arch: Architecture, /) -> tuple[Formula, ...]:
    """Return the closed formulas for the dimension of `arch`: each a `Formula` with its value, its source and whether
    it is a theorem.
    """


@declare(homes=["algatt.geometry.dimensions.dimension"])
def dimension(
    arch: Architecture,
    /,
    *,
    seed: int = 0,
    field: Field | None = None,
    error: float = 1e-06,
    gap: float = 1000.0,
    progress: Callable[[int, int], object] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    points: Points | None = None,
    engine: Engine | None = None,
) -> DimensionReport:
    """Compute the dimension of the neuromanifold: the generic rank of the Jacobian of theta -> phi_theta (HMK Eq 5).

    The rank of the Jacobian at any point over GF(p) is a lower bound over Q, the number of parameters less the rank of
    the symmetries' tangents is an upper bound. Where they meet the dimension is `proven`; otherwise it is `probable`
    and the report has an error bound. Exponentials, roots and gates, as of softmax, norms and ReLU, get residues of
    their own over GF(p), `Elementary`, after conditions have been checked, which the report names; the rank is then a
    lower bound all the same, but without a proof the error is 1. Where a condition does not hold, and for networks that
    read tokens and have exponentials or roots, the report has the `reason`, and the lower bound is a minor of the
    Jacobian at a real point whose enclosure by balls excludes zero; where it falls short with the highest precision,
    2048 bits, the answer is `numerical`, between two proven bounds.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the first point; further ones take the seeds after it.
    field : Field, optional
        The first field; other primes follow if it falls short. Unless given it is ``PrimeField()`` for networks that
        are algebraic, and ``Elementary()`` for others. For polynomials with integer coefficients and at least 8192
        parameters, at random points, it is ``PrimeField(503)``, where the elimination takes about half of the time,
        before ``PrimeField()``. ``Balls()`` may be given for all; its precision is the first, doubled while it falls
        short. ``Reals()`` gives a `numerical` answer.
    error : float, optional
        Where there is no proof: points are tried until the probability that all of them missed a larger rank modulo
        their primes is at most this, or twelve were tried. The report has the probability that was reached.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides.
    progress : callable, optional
        Called as ``progress(rank, upper)`` while the rank grows; over balls with the number of rows that are enclosed
        at the present precision.
    checkpoint : path, optional
        A file to which the elimination modulo a prime is saved from time to time, and from which it goes on if it is
        there already; removed in the end. It is as large as the matrix, 4 bytes for an entry.
    points : Points, optional
        Where the Jacobian is looked at: `algatt.geometry.RandomPoints` or `algatt.geometry.Copies`; unless given
        `algatt.geometry.AutoPoints`, which takes copies for large networks of lightning or normalised attention, where
        a proof takes seconds, and random points for all others.
    engine : Engine, optional
        Where eliminations modulo a prime are done: `algatt.linalg.Blas`, or `algatt.linalg.Gpu` on a device; unless
        given `algatt.linalg.Auto`, which takes a device for matrices of at least 10,000 columns if there is one with
        room for twice as many rows as columns.

    Returns
    -------
    DimensionReport

    Raises
    ------
    InvalidArgument
        If `seed` or `error` is out of range, or the architecture has no values over `field`, or there are no points of
        this kind for it, or no such device.
    MissingExtra
        If the engine needs a package that is not installed.
    SymmetryError
        If a symmetry that the architecture declares changes its function.
    RankUndecided
        Over the reals, if the singular values have no gap, or one that is not where the symmetries or the rank over a
        prime field say.
    DivisionByZero
        If a denominator vanishes at all of many random inputs over a small field.
    NotEnoughMemory
        Before any work, if what is held at one time is more than the memory that there is.
    """


@declare(homes=["algatt.geometry.fibres.arrows"])
def fiber_dimensions(arch: AttentionNetwork, /, *, seed: int = 0) -> tuple[Arrow, ...]:
    """Return what each arrow of the tower Weights -> AttentionMatrix -> VirtualWeights -> function forgets, as a tuple
    of three `Arrow`.

    Each is measured by itself, as the difference of the ranks of two derivatives at random weights over GF(p), beside
    the value of its theorem (HMK Lemma 3.1, Lemma 3.5, Theorem 3.2 or 3.7). Cost: a few eliminations of as many columns
    as there are parameters.
    """


@declare(homes=["algatt.geometry.dimensions.spectrum"])
def jacobian_spectrum(
    arch: Architecture,
    /,
    *,
    seed: int = 0,
    inputs: int | None = None,
    weight_scale: float = 1.0,
    input_scale: float = 1.0,
    draw: str = "uniform",
    gap: float = 1000.0,
    prove: bool = False,
    progress: Callable[[int, int], object] | None = None,
) -> JacobianSpectrum:
    r"""Compute the singular values of the Jacobian at a random point in float64 and in float32, and what they tell
    about the dimension.

    The verdict of float64 is a rank with a gap of at least `gap` after it, and no second one, that is equal to the
    upper bound which the symmetries prove. Anything else is refused. Beside it is what `matrix_rank` of numpy and torch
    would have said, which never refuses. Cost: one Jacobian and one singular value decomposition in each precision.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the point.
    inputs : int, optional
        The number of inputs. Unless given it is that upper bound, and generically enough: as long as rows are missing,
        each input adds one.
    weight_scale, input_scale : float, optional
        Factors of the random weights and inputs. At 1 and 1 the gap of softmax networks is nearly the widest
        (`scripts/spectrum_scales.py`).
    draw : {"uniform", "normal"}, optional
        ``uniform``: entries on (-2, 2), those of a matrix with d columns times a power of two next to
        :math:`1 / \sqrt{d}`, so that tokens keep their size. ``normal``: standard normal, as in HMK Figure 3; tokens
        grow from layer to layer. Both are rounded to float32.
    gap : float, optional
        The ratio between neighbouring singular values that decides.
    prove : bool, optional
        Whether to compute the dimension with its proof too, by `dimension`.
    progress : callable, optional
        For this proof, as in `dimension`.

    Returns
    -------
    JacobianSpectrum

    Raises
    ------
    InvalidArgument
        If an option is out of range.
    SymmetryError
        If a symmetry that the architecture declares changes its function.
    ScoreOverflow
        If the numbers are too large for float64.
    NotEnoughMemory
        Before any work, if the Jacobian and its singular values are more than the memory that there is.
    """


@declare(
    homes=[
        "algatt.geometry.dimensions.dimension",
        "algatt.geometry.dimensions.structure.dimension for AutoPoints",
        "algatt.geometry.dimensions.structure.dimension for Copies",
    ]
)
def measure_at(points: Points, arch: Architecture, question: Question, /) -> DimensionReport:
    """Return the `DimensionReport` of a question about a network that is looked at at points of some kind."""


@declare(
    homes=["algatt.geometry.dimensions.elementary.dimension for Elementary", "algatt.geometry.dimensions.dimension"]
)
def measure_over(field: Any, question: Question, /) -> DimensionReport:
    """Return the `DimensionReport` of a question, which is looked at over a field first."""


@declare(homes=["algatt.geometry.dimensions.memory"])
def sizes_over(field: Field, question: Question, /) -> dict[str, float]:
    """Return the bytes that each stage of `dimension` over a field holds at one time in the memory of this machine, by
    the name of the stage.
    """


@declare(homes=["algatt.geometry.dimensions.elementary.places for Elementary", "algatt.geometry.dimensions.bounds"])
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


@declare(homes=["algatt.geometry.dimensions.bounds", "algatt.geometry.dimensions.elementary.places for Elementary"])
def jacobian_where_defined(
    field: Field, arch: Architecture, theta: Weights, seed: int, start: int, /
) -> tuple[int, Elements]:
    """Return the first input from `start` on at which the network has a value over a finite field, by its number, and
    all of its rows of the Jacobian.
    """


@declare(homes=["algatt.geometry.fibres.unexplained"])
def check_point(field: Field, arch: Architecture, theta: Weights, /, *, seed: int) -> Weights:
    """Return weights as ranks over a finite field are taken at them, after a look at whether there is a function."""
