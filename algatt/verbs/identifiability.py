"""Verbs of identifiability: equal functions, normal forms, fibres, and parameters from values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from algatt.dispatch import declare

if TYPE_CHECKING:
    from collections.abc import Callable

    from algatt.architectures.base import NetworkLike
    from algatt.architectures.lightning import Lightning
    from algatt.geometry.fibres.fiber import Fiber
    from algatt.geometry.fibres.unexplained import UnexplainedKernel
    from algatt.geometry.identification.quadratic_forms import QuadraticForms
    from algatt.parameters.base import Coordinates, Parameters, Weights


@declare(homes=["algatt.geometry.equality.networks.normal_forms.normal_form"])
def normal_form_map(arch: NetworkLike, theta: Parameters, /) -> Any:
    """Return the group element g with ``act(g, theta) == canonical(arch, theta)``.

    Raises
    ------
    NoNormalForm
        If none is known.
    UndefinedFunction
        If the point has no function.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare(homes=["algatt.geometry.equality.networks.normal_forms.normal_form"])
def canonical(arch: NetworkLike, theta: Coordinates, /) -> Coordinates:
    """Return the normal form of parameters under the symmetries of a network: the groups of its spaces, its quotients,
    permutations and signs, and translations by what is not seen where a space is not reached.

    Idempotent, constant on orbits, of the same function; exact over GF(p) and the rationals, rounded over the reals.
    What narrow widths hide (`UnseenDirections`, `QuadraticForm`) is left as it is. Points over GF(p) or the rationals
    that have one normal form are one function. Each step is in docs/theory/elements.md; for `Lightning` and
    `Normalized`:

    - What no input reaches is zero, and so are rows of K_i and Q_i that K_i^T Q_i does not see.
    - V_i, 0 < i < l, is in reduced row echelon form, and on `Weights` Q_i (over the reals: the identity in the columns
      that column pivoting takes).
    - Where scores may be multiplied by numbers, the first entry of K_i, or of A_i or M_i, that is not zero is 1 (over
      the reals the largest one).

    Over the reals it is numerical: rounded, without a bound for its error, and refused where floats do not decide; to
    compare floats, use `same_function`.
    Over GF(p) networks with exponentials, roots or gates have no function, and the groups are those modulo p: two
    points of one form may come from weights of two functions.

    Raises
    ------
    NoNormalForm
        If none is known for a space, which is named, or at these weights, as where nothing fixes the number of a layer.
    UndefinedFunction
        If the point has no function.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare(
    homes=[
        "algatt.geometry.fibres.normalized_fiber",
        "algatt.geometry.fibres.network_fiber",
        "algatt.geometry.fibres.lightning_fiber",
    ]
)
def fiber(arch: NetworkLike, theta: Parameters, /, *, gap: float | None = None) -> Fiber:
    """Return the fibre of the parametrization through `theta`: all parameters, in the same coordinates, of the same
    function.

    For one layer it is given by the three cases of HMK Theorem 3.2, for several by Theorem 3.7 with Lemmas 3.5 and 3.1
    under their hypotheses, which are checked at this point; where one fails, the fibre says which, and gives bounds
    instead of a dimension. For normalised scores it is given by Theorem 3.9, and for several layers by what is derived
    for Conjecture 3.10.

    Returns
    -------
    Fiber
        With `case`, `dimension`, `components`, ``contains(theta2)``, ``sample(seed)``.

    Raises
    ------
    UndefinedFunction
        If the point has no function, and so no fibre.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare(homes=["algatt.geometry.fibres.normalized_unexplained", "algatt.geometry.fibres.unexplained"])
def unexplained_kernel(arch: NetworkLike, theta: Weights, /, *, seed: int = 0) -> UnexplainedKernel:
    """Return the directions in which the function does not change to first order although no symmetry known here
    explains it.

    The kernel of the Jacobian at `theta`, over enough random inputs that one more adds no row, modulo the tangents of
    all symmetries. Over GF(p) and the rationals; for normalised scores also over the reals, where balls prove that it
    is empty, or the answer is refused. Cost: one elimination with as many columns as there are parameters.

    Returns
    -------
    UnexplainedKernel
        With `dimension` and a `basis` whose vectors name the matrices that they move.

    Raises
    ------
    SymmetryError
        If the function changes along the tangents of a symmetry that the architecture declares.
    UndefinedFunction
        If the point has no function.
    """


@declare(homes=["algatt.geometry.identification.quadratic_forms"])
def quadratic_forms(arch: Lightning, source: Callable | Parameters, /) -> QuadraticForms:
    r"""Return the quadratic forms :math:`(a_k \cdot x)(v_m \cdot x)`, a tuple that is linearly isomorphic to a function
    of one layer (HMK Prop A.5).

    Parameters
    ----------
    arch : Lightning
        One layer, with at least two tokens.
    source : Parameters or callable
        A point in any coordinate system, or a function of inputs of shape (batch, d_0, t), of which only d_0 (d_0 (d_0
        + 1) / 2 + 1) values are used. Its field is that of an `Oracle` or of a network's function, and ``PrimeField()``
        for others.

    Returns
    -------
    QuadraticForms
        Callable: the function back from the forms. Exact over GF(p), p = 2 included. That a callable is the function of
        a layer, or in their span, is not checked.

    Raises
    ------
    InvalidArgument
        If the architecture has several layers or one token, or the values do not have its shape or field.
    """
