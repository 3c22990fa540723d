"""Verbs of the function space: dimensions, fibres, equivalence, singular points, identification, spectra of the Jacobian."""

from __future__ import annotations

from typing import Any

from algatt.dispatch import declare

__all__ = [
    "boundary_distance",
    "canonical",
    "dimension",
    "expected_dimension",
    "fiber",
    "fiber_dimensions",
    "formulas",
    "identify",
    "is_boundary",
    "is_critical",
    "is_singular",
    "jacobian_spectrum",
    "normal_form_map",
    "quadratic_forms",
    "same_function",
    "singular_distance",
    "tangent_space",
    "unexplained_kernel",
]


@declare
def expected_dimension(arch: Any) -> Any:
    """Return the dimension of the neuromanifold by the theorem that covers `arch` (HMK Cor 3.3 or Cor 3.8), or None where no hypothesis holds."""


@declare
def formulas(arch: Any) -> Any:
    """Return the closed formulas for the dimension of `arch`: each a `Formula` with its value, its source and whether it is a theorem."""


@declare
def dimension(arch: Any, *, seed: int = 0, field: Any = None, error: float = 1e-6, gap: float = 1e3, progress: Any = None) -> Any:
    """Compute the dimension of the neuromanifold: the generic rank of the Jacobian of theta -> phi_theta (HMK Eq 5).

    The rank of the Jacobian at any point over GF(p) is a lower bound over Q, the number of parameters less the rank of the symmetries' tangents is an
    upper bound. Where they meet the dimension is `proven`; otherwise it is `probable` and the report has an error bound. For scores that have no
    values over GF(p), such as softmax, the lower bound is a minor of the Jacobian at a real point whose enclosure by balls excludes zero; where it
    falls short with the highest precision, 2048 bits, the answer is `numerical`, between two proven bounds.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the first point; further ones take the seeds after it.
    field : Field, optional
        The first field, ``PrimeField()`` unless given; other primes follow if it falls short. ``Balls()`` is taken for scores that have no values
        over GF(p), and may be given for others; its precision is the first, doubled while it falls short. ``Reals()`` gives a `numerical` answer.
    error : float, optional
        Where there is no proof: points are tried until the probability that all of them missed a larger rank modulo their primes is at most this, or
        twelve were tried. The report has the probability that was reached.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides.
    progress : callable, optional
        Called as ``progress(rank, upper)`` while the rank grows; over balls with the number of rows that are enclosed at the present precision.

    Returns
    -------
    DimensionReport

    Raises
    ------
    InvalidArgument
        If `seed` or `error` is out of range, or the architecture has no values over `field`.
    SymmetryError
        If a symmetry that the architecture declares changes its function.
    RankUndecided
        Over the reals, if the singular values have no gap, or one that is not where the symmetries or the rank over a prime field say.
    DivisionByZero
        If a denominator vanishes at all of many random inputs over a small field.
    """


@declare
def fiber_dimensions(arch: Any, *, seed: int = 0) -> Any:
    """Return what each arrow of the tower Weights -> AttentionMatrix -> VirtualWeights -> function forgets, as a tuple of three `Arrow`.

    Each is measured by itself, as the difference of the ranks of two derivatives at random weights over GF(p), beside the value of its theorem
    (HMK Lemma 3.1, Lemma 3.5, Theorem 3.2 or 3.7). Cost: a few eliminations of as many columns as there are parameters.
    """


@declare
def same_function(arch: Any, theta1: Any, theta2: Any, *, seed: int = 0, error: float = 1e-9, tolerance: float = 1e-8) -> Any:
    """Decide whether two sets of parameters, in any coordinate systems, define one function.

    Exact over GF(p): a difference is an input, a common orbit a group element that is checked entry by entry. Over the reals the same with a
    tolerance; for normalised scores balls enclose the values, so that a difference is proven. Cost: a few evaluations and small eliminations for
    each layer.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta1, theta2 : Parameters
        Over one field.
    seed : int, optional
        Names the random inputs.
    error : float, optional
        Without a common orbit: enough inputs are tried that two different functions agree at all of them with at most this probability.
    tolerance : float, optional
        Over the reals: the relative difference up to which parameters, or values, count as equal.

    Returns
    -------
    Equivalence
        True if they are equal; with the group element or the input.

    Raises
    ------
    InvalidArgument
        If the points do not fit the architecture or each other.
    EquivalenceUndecided
        If the field is too small to tell, or floats are too coarse.
    """


@declare
def normal_form_map(arch: Any, theta: Any) -> Any:
    """Return the group element g with ``act(g, theta) == canonical(arch, theta)``.

    Raises
    ------
    InvalidArgument
        If some virtual weight M_i is zero, for lightning and homogeneous scores: the zero function has no normal form.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def canonical(arch: Any, theta: Any) -> Any:
    """Return the normal form of parameters under the gauges, the rescalings and the translations by what no input reaches.

    Idempotent, constant on orbits, of the same function, and compatible with `convert`; exact over GF(p), rounded over the reals. Two points of
    one coordinate system over GF(p) have one normal form if and only if they are in one orbit of these groups.

    - For lightning and for homogeneous scores, each M_i has 1 as its first entry that is not zero (over the reals: Frobenius norm 1, and its largest
      entry positive).
    - Each L_i = V_i ... V_1, 0 < i < l, is in reduced row echelon form (over the reals: the identity in the columns that column pivoting takes).
    - Columns that no input reaches are zero.
    - On `Weights`, K_i is in that form too, and the rows of Q_i that K_i^T Q_i does not see are reduced.

    Raises
    ------
    InvalidArgument
        If some virtual weight M_i is zero, for lightning and homogeneous scores: the zero function has no normal form.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def fiber(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Return the fibre of the parametrization through `theta`: all parameters, in the same coordinates, of the same function.

    For one layer it is given by the three cases of HMK Theorem 3.2, for several by Theorem 3.7 with Lemmas 3.5 and 3.1 under their hypotheses,
    which are checked at this point; where one fails, the fibre says which, and gives bounds instead of a dimension. For normalised scores it is
    given by Theorem 3.9, and for several layers by what is derived for Conjecture 3.10.

    Returns
    -------
    Fiber
        With `case`, `dimension`, `components`, ``contains(theta2)``, ``sample(seed)``.

    Raises
    ------
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def unexplained_kernel(arch: Any, theta: Any, *, seed: int = 0) -> Any:
    """Return the directions in which the function does not change to first order although no symmetry known here explains it.

    The kernel of the Jacobian at `theta`, over enough random inputs that one more adds no row, modulo the tangents of all symmetries. Over GF(p);
    for normalised scores also over the reals, where balls prove that it is empty, or the answer is refused.
    Cost: one elimination with as many columns as there are parameters.

    Returns
    -------
    UnexplainedKernel
        With `dimension` and a `basis` whose vectors name the matrices that they move.
    """


@declare
def is_singular(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Say whether the function of one layer is a singular point of the neuromanifold: rk A * rk V <= 1, or rk A < a < d_0.

    The first condition is HMK Theorem 3.4, the second is derived (see the page on the theorem): there the curves through the point have tangents
    that span more than the dimension. Exact over GF(p), where it is the algebraic condition. Cost: two small eliminations.

    Parameters
    ----------
    arch : Lightning
        One layer.
    theta : Parameters
        A point in any coordinate system.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides a rank.

    Raises
    ------
    InvalidArgument
        If the hypotheses fail: one layer, t >= 2, d_0 >= 2, and a > 1 or d_1 > 1; or if the rank of A is larger than a.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare
def is_boundary(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Say whether the function of one layer is in the relative boundary of the neuromanifold: A = u q^T, V = v u^T (HMK Theorem 3.4).

    Here u, q and v may be zero. Exact over GF(p), where it is the algebraic condition. Takes and raises what `is_singular` does.
    """


@declare
def is_critical(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Say whether the differential of (A, V) -> phi has more in its kernel than the rescaling, for one layer.

    By HMK Lemma A.3 this is so exactly over the boundary, and that is what is decided; `tangent_space` computes the kernel. Exact over GF(p). Takes
    and raises what `is_singular` does.
    """


@declare
def tangent_space(arch: Any, theta: Any, *, gap: float = 1e3) -> Any:
    """Return the image and the kernel of the differential of the parametrization of one layer at a point, as a `TangentSpace`.

    Computed from the coefficients of HMK Proposition A.5, so without sampling; exact over GF(p).
    Cost: an elimination with d_0^2 d_1 (d_0 + 1) / 2 columns and a row for each parameter.

    Parameters
    ----------
    arch : Lightning
        One layer, with at least two tokens.
    theta : Parameters
        A point in any coordinate system, whose entries are moved.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides the rank.

    Returns
    -------
    TangentSpace

    Raises
    ------
    InvalidArgument
        If there are several layers or one token, or the point does not fit the architecture.
    RankUndecided
        Over the reals, if the singular values have no gap, as where A and V are of very different sizes.
    """


@declare
def singular_distance(arch: Any, theta: Any) -> Any:
    """Return the distance of (A, V) over the reals, in Frobenius norm, to the nearest point of a singular function, as a `Distance` with that point.

    By best approximations of lower rank (Eckart and Young). It is a distance between parameters: ``(s A, V / s)`` is the same function at another
    distance. Numerical. Cost: two small singular value decompositions.

    Raises
    ------
    InvalidArgument
        If the hypotheses of `is_singular` fail, or over GF(p), where there is no distance.
    """


@declare
def boundary_distance(arch: Any, theta: Any) -> Any:
    """Return the distance of (A, V) over the reals, in Frobenius norm, to the nearest point of a function in the boundary, as a `Distance`.

    The nearest A = u q^T, V = v u^T has for u the leading left singular vector of [A, V^T]. A distance between parameters; raises what
    `singular_distance` does.
    """


@declare
def quadratic_forms(arch: Any, source: Any) -> Any:
    r"""Return the quadratic forms :math:`(a_k \cdot x)(v_m \cdot x)`, a tuple that is linearly isomorphic to a function of one layer (HMK Prop A.5).

    Parameters
    ----------
    arch : Lightning
        One layer, with at least two tokens.
    source : Parameters or callable
        A point in any coordinate system, or a function of inputs of shape (batch, d_0, t), of which only d_0 (d_0 (d_0 + 1) / 2 + 1) values are used.
        Its field is that of an `Oracle` or of a network's function, and ``PrimeField()`` for others.

    Returns
    -------
    QuadraticForms
        Callable: the function back from the forms. Exact over GF(p), p = 2 included. That a callable is the function of a layer, or in their span,
        is not checked.

    Raises
    ------
    InvalidArgument
        If the architecture has several layers or one token, or the values do not have its shape or field.
    """


@declare
def identify(oracle: Any, arch: Any, *, field: Any = None, seed: int = 0, error: float = 1e-9, tolerance: float = 1e-8) -> Any:
    """Recover the parameters of a function of one or two lightning layers from its values, or show that it is none.

    The proofs of HMK Theorem 3.2 and, where rk M_1 >= 2, Theorem 3.7 as algorithms. Exact over GF(p); over the reals by least squares. Cost: for one
    layer the values of `quadratic_forms`; for two 10 d_0 (d_0 + 1) values, then an elimination with u = d_0^2 (d_0 + 1) / 2 columns and u / t values.

    Parameters
    ----------
    oracle : callable
        Takes inputs of shape (batch, d_0, t) as a public array over `field`, returns values of shape (batch, d_l, t).
    arch : Lightning
        The widths, ranks and tokens that are asked for.
    field : Field, optional
        That of an `Oracle` or of a network's function, ``PrimeField()`` for others, unless given.
    seed : int, optional
        Names the random inputs.
    error : float, optional
        Over GF(p): so many fresh inputs are compared that another polynomial of degree 3^l agrees at all of them with at most this probability.
    tolerance : float, optional
        Over the reals: the relative difference up to which values count as equal.

    Returns
    -------
    Identification
        With `theta` or None, the number of evaluations, and what the answer is worth.

    Raises
    ------
    InvalidArgument
        For more than two layers, one token, a field with p <= 3^l, or values of another shape or field.
    """


@declare
def jacobian_spectrum(
    arch: Any,
    *,
    seed: int = 0,
    inputs: Any = None,
    weight_scale: float = 1.0,
    input_scale: float = 1.0,
    draw: str = "uniform",
    gap: float = 1e3,
    prove: bool = False,
    progress: Any = None,
) -> Any:
    r"""Compute the singular values of the Jacobian at a random point in float64 and in float32, and what they tell about the dimension.

    The verdict of float64 is a rank with a gap of at least `gap` after it, and no second one, that is equal to the upper bound which the symmetries
    prove. Anything else is refused. Beside it is what `matrix_rank` of numpy and torch would have said, which never refuses.
    Cost: one Jacobian and one singular value decomposition in each precision.

    Parameters
    ----------
    arch : Architecture
        The network.
    seed : int, optional
        Names the point.
    inputs : int, optional
        The number of inputs. Unless given it is that upper bound, and generically enough: as long as rows are missing, each input adds one.
    weight_scale, input_scale : float, optional
        Factors of the random weights and inputs. At 1 and 1 the gap of softmax networks is nearly the widest (`scripts/spectrum_scales.py`).
    draw : {"uniform", "normal"}, optional
        ``uniform``: entries on (-2, 2), those of a matrix with d columns times a power of two next to :math:`1 / \sqrt{d}`, so that tokens keep
        their size. ``normal``: standard normal, as in HMK Figure 3; tokens grow from layer to layer. Both are rounded to float32.
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
    ScoreOverflow
        If the numbers are too large for float64.
    """
