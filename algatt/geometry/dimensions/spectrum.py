"""What floating point says about a dimension: the singular values of the Jacobian, in float64 and in float32, and how
far they can be trusted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import NetworkLike, as_architecture, draw_inputs, unflatten
from algatt.arguments import positive, whole
from algatt.display import Rows, Said, Summary, Worth
from algatt.errors import DivisionByZero, InvalidArgument, RankUndecided, ScoreOverflow
from algatt.fields import Balls, Elements, PrimeField, Reals
from algatt.fields.real import SingleReals
from algatt.geometry.dimensions.bounds import upper_bound
from algatt.geometry.dimensions.declared import check_symmetries
from algatt.geometry.dimensions.dimension import dimension_of
from algatt.geometry.dimensions.formulas import Formula
from algatt.geometry.dimensions.memory import check_spectrum
from algatt.geometry.dimensions.question import Options, Progress, Question
from algatt.geometry.dimensions.real_point import ball_inputs, ball_weights, rounded
from algatt.geometry.dimensions.report import DimensionReport
from algatt.linalg.rank import RankVerdict, float_rank, rounding_level
from algatt.parameters import Weights
from algatt.plain import plain
from algatt.randomness import check_seed, random_words
from algatt.verbs.views import Summarized

DRAWS = ("uniform", "normal")
"""How a point may be drawn."""


@dataclass(frozen=True, eq=False, repr=False)
class FloatSpectrum(Summarized):
    """The singular values of one matrix that was computed, and decomposed, in one precision.

    Parameters
    ----------
    singular_values : ndarray
        In decreasing order, of dtype float32 or float64.
    shape : tuple of int
        Rows and columns of the matrix.
    """

    singular_values: np.ndarray
    shape: tuple[int, int]

    @property
    def precision(self) -> str:
        """The name of the type of the numbers, such as ``float64``."""
        return str(self.singular_values.dtype)

    @property
    def tolerance(self) -> float:
        """The default of `numpy.linalg.matrix_rank` and of `torch.linalg.matrix_rank`: max(shape) * eps * largest
        singular value.
        """
        largest = float(self.singular_values.max(initial=0.0))
        return largest * max(self.shape) * float(np.finfo(self.singular_values.dtype).eps)

    @property
    def rank(self) -> int:
        """The number of singular values above the tolerance. It is always an answer, and may be a wrong one."""
        return int((self.singular_values > self.tolerance).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return the spectrum as plain values for JSON."""
        return {
            name: plain(getattr(self, name)) for name in ("rank", "tolerance", "precision", "shape", "singular_values")
        }


@dataclass(frozen=True, eq=False)
class JacobianSpectrum(Summarized):
    """The singular values of the Jacobian of a network at a random point, and what may be concluded from them.

    Parameters
    ----------
    architecture : Architecture
        The network.
    seed : int
        The seed that names weights and inputs.
    inputs : int
        The number of inputs.
    draw : str
        ``uniform`` or ``normal``.
    weight_scale, input_scale : float
        What the random weights and inputs were multiplied by.
    double : FloatSpectrum
        What float64 computes.
    single : FloatSpectrum or None
        What float32 computes at the same point, which has float32 entries; None if its numbers overflow or vanish.
    upper : int
        A proven bound: the number of parameters less the rank of the symmetries.
    gap : RankVerdict
        The widest gap in float64: where it is, and how wide. The level of rounding counts as the last singular value.
    verdict : RankVerdict or None
        The rank that float64 decides; None if it is refused.
    refusal : str or None
        Why it is refused.
    report : DimensionReport or None
        The dimension with its proof, if it was asked for.
    """

    architecture: Architecture
    seed: int
    inputs: int
    draw: str
    weight_scale: float
    input_scale: float
    double: FloatSpectrum
    single: FloatSpectrum | None
    upper: int
    gap: RankVerdict
    verdict: RankVerdict | None
    refusal: str | None
    report: DimensionReport | None

    def __repr__(self) -> str:
        decided = "refused" if self.verdict is None else self.verdict.rank
        single = None if self.single is None else self.single.rank
        return (
            f"JacobianSpectrum({self.architecture}, shape={self.shape}, verdict={decided}, "
            f"float64={self.double.rank}, float32={single})"
        )

    @property
    def singular_values(self) -> np.ndarray:
        """The singular values in float64, in decreasing order."""
        return self.double.singular_values

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the Jacobian: entries of the values at all inputs, and parameters."""
        return self.double.shape

    @property
    def expected(self) -> Formula | None:
        """The first closed formula for the architecture, a theorem if there is one, or None."""
        return next(iter(verbs.formulas(self.architecture)), None)

    @property
    def proven(self) -> int | None:
        """The dimension, if it was asked for and is proven."""
        return self.report.value if self.report is not None and self.report.status == "proven" else None

    @property
    def opening(self) -> float:
        """The ratio of the singular values number `upper` and the next one: how far the spectrum is open where it
        should be; rounding as in `gap`.
        """
        levels = levels_of(self.double)
        return float(levels[self.upper - 1] / levels[self.upper]) if 0 < self.upper < len(levels) else 1.0

    def to_dict(self) -> dict[str, Any]:
        """Return the spectrum and what was concluded from it as plain values for JSON."""
        return {
            "architecture": self.architecture.description(),
            "seed": self.seed,
            "inputs": self.inputs,
            "draw": self.draw,
            "weight_scale": self.weight_scale,
            "input_scale": self.input_scale,
            "shape": list(self.shape),
            "expected": None
            if self.expected is None
            else {"value": self.expected.value, "source": self.expected.source},
            "upper": self.upper,
            "opening": self.opening,
            "proven": self.proven,
            "verdict": plain(self.verdict),
            "refusal": self.refusal,
            "gap": plain(self.gap),
            "double": self.double.to_dict(),
            "single": None if self.single is None else self.single.to_dict(),
            "report": None if self.report is None else self.report.to_dict(),
        }


def jacobian_spectrum(
    arch: NetworkLike,
    *,
    seed: int = 0,
    inputs: int | None = None,
    weight_scale: float = 1.0,
    input_scale: float = 1.0,
    draw: str = "uniform",
    gap: float = 1e3,
    prove: bool = False,
    progress: Progress | None = None,
) -> JacobianSpectrum:
    r"""Compute the singular values of the Jacobian at a random point in float64 and in float32, and the ranks that they
    suggest.

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
    arch = as_architecture(arch)
    seed = check_seed(seed)
    question = Question(arch, Options(seed, gap=gap, progress=progress))
    check_spectrum(question, None if inputs is None else whole("inputs", inputs))
    check_symmetries(question, seed)
    field = PrimeField()
    upper = upper_bound(question, field, verbs.sample(arch, Weights, field=field, seed=seed)).value
    # As long as rows are missing, each generic input adds at least one, so that as many inputs as the rank can be are
    # enough.
    count = max(1, upper) if inputs is None else whole("inputs", inputs)
    scales = float(positive("weight_scale", weight_scale)), float(positive("input_scale", input_scale))
    theta, X = drawn(arch, seed, count, draw, *scales)
    double = spectrum(arch, theta, X, Reals())
    if double is None:
        raise ScoreOverflow("the Jacobian is too large for float64; make weight_scale or input_scale smaller")
    verdict, refusal = decided(double, gap, upper)
    return JacobianSpectrum(
        architecture=arch,
        seed=seed,
        inputs=count,
        draw=draw,
        weight_scale=scales[0],
        input_scale=scales[1],
        double=double,
        single=spectrum(arch, theta, X, SingleReals()),
        upper=upper,
        gap=widest_gap(double),
        verdict=verdict,
        refusal=refusal,
        report=dimension_of(question) if prove else None,
    )


def drawn(
    arch: Architecture, seed: int, count: int, draw: str, weight_scale: float, input_scale: float
) -> tuple[Weights, Elements]:
    """Return a random point whose numbers float32 has exactly, so that both precisions compute at the same one."""
    if draw == "uniform":
        balls = Balls(53)
        theta = ball_weights(arch, balls, seed, weight_scale)
        weights = [rounded(element).raw for element in theta.elements]
        X = rounded(ball_inputs(arch, balls, seed, 0, count, input_scale)).raw
    elif draw == "normal":
        vector = normal_numbers(seed, "weights", (arch.parameters,)) * weight_scale
        theta = unflatten(arch, Weights, vector)
        weights = [element.raw for element in theta.elements]
        if arch.vocabulary is None:
            X = normal_numbers(seed, "inputs", (count, *arch.input_shape)) * input_scale
        else:
            X = draw_inputs(arch, Reals(), seed, 0, count)
    else:
        raise InvalidArgument("draw", repr(draw), f"one of {', '.join(map(repr, DRAWS))}")
    at = theta.replace([Elements(Reals(), single_numbers(weight, "weight_scale", weight_scale)) for weight in weights])
    return at, Elements(Reals(), X if arch.vocabulary is not None else single_numbers(X, "input_scale", input_scale))


def single_numbers(array: np.ndarray, argument: str, scale: float) -> np.ndarray:
    """Round to float32, and return what that is in float64."""
    with np.errstate(over="ignore"):
        numbers = array.astype(np.float32).astype(np.float64)
    if not np.isfinite(numbers).all():
        raise InvalidArgument(argument, f"{scale:g}, which makes numbers that float32 does not have", "smaller")
    if (numbers == 0).any():  # none of those that are drawn is
        raise InvalidArgument(argument, f"{scale:g}, which makes numbers that are zero in float32", "larger")
    return numbers


def normal_numbers(seed: int, label: str, shape: tuple[int, ...]) -> np.ndarray:
    """Return standard normal numbers: the inverse of the distribution function at the middles of the 2^53 intervals
    that the stream names.
    """
    import scipy.special

    words = random_words(seed, f"normal/{label}", math.prod(shape))
    return np.reshape(scipy.special.ndtri(((words >> np.uint64(11)).astype(np.float64) + 0.5) / 2.0**53), shape)


def spectrum(arch: Architecture, theta: Weights, inputs: Elements, field: Reals) -> FloatSpectrum | None:
    """Compute the Jacobian and its singular values in the precision of a field; None if numbers overflow, or
    denominators vanish in float32.
    """
    at = theta.replace([Elements.of(field, element.raw) for element in theta.elements])
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = verbs.jacobian(arch, at, Elements.of(field, inputs.raw)).raw
    except ScoreOverflow:
        return None
    except DivisionByZero:
        if isinstance(field, SingleReals):  # scores that float64 has are zero in float32
            return None
        raise
    if not np.isfinite(matrix).all():
        return None
    return FloatSpectrum(np.linalg.svd(matrix, compute_uv=False), matrix.shape)


def levels_of(spectrum: FloatSpectrum) -> np.ndarray:
    """Return the singular values with the level of rounding below all of them, as `float_rank` sees them; empty for a
    zero matrix.
    """
    values = spectrum.singular_values
    if not values.any():
        return np.empty(0)
    floor = rounding_level(values, spectrum.shape)
    return np.append(np.maximum(values, floor), floor)


def widest_gap(spectrum: FloatSpectrum) -> RankVerdict:
    """Return the place and the width of the widest gap."""
    levels = levels_of(spectrum)
    if not levels.size:
        return RankVerdict(0, math.inf)
    ratios = levels[:-1] / levels[1:]
    return RankVerdict(int(np.argmax(ratios)) + 1, float(ratios.max()))


def decided(double: FloatSpectrum, gap: float, upper: int) -> tuple[RankVerdict | None, str | None]:
    """Decide a rank, or say why not.

    A gap alone is not enough: a true singular value may be smaller than rounding, and the gap above it as wide as one
    likes. So the rank has to be the proven upper bound. Then nothing can be missing, and rounding would have to be a
    thousand times as large as it is to feign a singular value.
    """
    try:
        verdict = float_rank(double.singular_values, double.shape, gap)
    except RankUndecided as undecided:
        return None, undecided.reason
    if verdict.rank > upper:
        return None, f"the gap is after {verdict.rank}, but the symmetries leave at most {upper}"
    if verdict.rank < upper:
        return (
            None,
            f"the gap is after {verdict.rank}, but the symmetries leave {upper}: what is missing may be smaller than "
            f"rounding",
        )
    return verdict, None


@verbs.summarize.method
def summary_of_jacobian_spectrum(spectrum: JacobianSpectrum) -> Summary:
    rows: Rows = []
    if spectrum.verdict is not None:
        rows.append(("float64, by the gap", (Said(str(spectrum.verdict.rank), "strong"), " ", Worth("numerical"))))
    else:
        rows.append(("float64, by the gap", (Said("refused", "doubtful"), f": {spectrum.refusal}")))
    rows.append(("widest gap", f"{spectrum.gap.gap:.3g}, after {spectrum.gap.rank}"))
    rows.append(("float64, default tolerance", str(spectrum.double.rank)))
    rows.append(("float32, default tolerance", "overflow" if spectrum.single is None else str(spectrum.single.rank)))
    if spectrum.expected is not None:
        rows.append(("expected", f"{spectrum.expected.value}, {spectrum.expected.source}"))
    rows.append(("at most", f"{spectrum.upper}, by the symmetries"))
    if spectrum.report is not None:
        rows.append(("dimension", f"{spectrum.report}"))
    rows.append(("jacobian", f"{spectrum.shape[0]} x {spectrum.shape[1]}, {spectrum.inputs} inputs"))
    rows.append(
        (
            "point",
            f"seed {spectrum.seed}, {spectrum.draw}, scales {spectrum.weight_scale:g} and {spectrum.input_scale:g}",
        )
    )
    return Summary(f"{spectrum.architecture}", rows)
