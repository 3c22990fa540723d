r"""Quadratic forms that are known up to errors as products (a_k . x)(v_m . x): the factors, with bounds, or none.

Forms are symmetric matrices here, and a product is :math:`\operatorname{sym}(a v^T) = (a v^T + v a^T) / 2`. Dividing
a form S by a unit vector a gives :math:`v = 2 S a - (a^T S a) a`, with the remainder P S P, P being the projection
along a. Since :math:`|\operatorname{sym}(a v^T)| \ge |v| / \sqrt 2`, an error of S in Frobenius norm grows by at most
:math:`\sqrt 2`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from algatt.geometry.identification.identification import no_products
from algatt.geometry.identification.noise import SLACK

ROOT = math.sqrt(2.0)


@dataclass(frozen=True, eq=False)
class NearForms:
    """Quadratic forms with bounds of their errors.

    Parameters
    ----------
    matrices : array
        Shape (d, e, d, d): the symmetric matrix of q_{k,m}.
    errors : array
        Shape (d, e): a bound on the error of each in Frobenius norm; infinite if nothing is known.
    """

    matrices: np.ndarray
    errors: np.ndarray


Pair = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True, eq=False)
class NearFactors:
    """A region of the (A, V), up to scale, that have the forms within their errors, and where to start to look for one.

    Parameters
    ----------
    A, V : array
        Shapes (d, d) and (e, d).
    A_errors, V_errors : array
        Bounds for the columns of A and the rows of V, in Euclidean norm; infinite if nothing is known.
    starts : tuple of (array, array)
        Pairs (A, V) that nearly have the forms.
    """

    A: np.ndarray
    V: np.ndarray
    A_errors: np.ndarray
    V_errors: np.ndarray
    starts: tuple[Pair, ...]


@dataclass(frozen=True, eq=False)
class Pivot:
    """A form whose factors are known best.

    Parameters
    ----------
    k, m : int
        Its numbers.
    directions : tuple of array
        Unit vectors: two if the factors can be told apart, else one between them.
    sine : float
        In every tuple of products that fits, the sine of the angle between a_k and one of the directions is at most
        this; infinite if a_k may be any vector, zero too.
    starts : tuple of tuple of array
        For each direction unit vectors that may be nearer.
    """

    k: int
    m: int
    directions: tuple[np.ndarray, ...]
    sine: float
    starts: tuple[tuple[np.ndarray, ...], ...]


def check_signs(forms: NearForms, values: np.ndarray, names: tuple[str, str]) -> None:
    """Raise `NotIdentified` if a form is certainly no product, having two eigenvalues of one sign (Weyl)."""
    if values.shape[-1] > 1 and (np.maximum(values[..., -2], -values[..., 1]) > SLACK * forms.errors).any():
        raise no_products(*names)


def best_pivot(forms: NearForms, values: np.ndarray, vectors: np.ndarray) -> Pivot:
    r"""Return the form whose factors are known best.

    Let S be a product :math:`\operatorname{sym}(\alpha \beta^T)`, and let :math:`\hat\alpha, \hat\beta` be the
    factors of a form that differs from it by e at most, in spectral norm: of the largest and the smallest eigenvalue
    alone. Where :math:`\alpha \cdot x = 0` the form of S vanishes, so :math:`|(\hat\alpha \cdot x)(\hat\beta \cdot
    x)| \le e |x|^2`. There the product of two linear forms of norms b and c reaches b c / 2, so the sines of the
    angles of alpha with the two factors have a product of at most :math:`\kappa = 2 e / (|\hat\alpha| |\hat\beta|)`.
    One of the two angles is at least half of the angle between the factors.
    """
    above, below = np.maximum(values[..., -1], 0.0), np.maximum(-values[..., 0], 0.0)
    kept = np.zeros_like(values)
    kept[..., -1] += above
    kept[..., 0] -= below
    others = np.abs(values - kept).max(axis=-1)
    size = np.maximum(above + below, np.finfo(np.float64).tiny)  # the product of the norms of the two factors
    off = others + forms.errors
    kappa = 2 * off / size
    apart = np.sqrt(np.minimum(above, below) / size)  # the sine of half of the angle
    told = apart**2 > kappa
    sines = np.sqrt(kappa) + apart
    sines[told] = np.minimum(np.sqrt(kappa[told]), kappa[told] / apart[told])
    position = np.argmin(sines) if sines.min() < 1 else np.argmax(size)
    k, m = (int(index) for index in np.unravel_index(position, size.shape))
    high, low = vectors[k, m, :, -1], vectors[k, m, :, 0]
    main = high if above[k, m] >= below[k, m] else low
    first, second = math.sqrt(above[k, m]) * high, math.sqrt(below[k, m]) * low
    factors = tuple(side / np.linalg.norm(side) for side in (first - second, first + second) if side.any())
    if told[k, m] and sines[k, m] < 1:
        return Pivot(k, m, factors, SLACK * float(sines[k, m]), tuple((factor,) for factor in factors))
    return Pivot(k, m, (main,), SLACK * float(sines[k, m]) if sines[k, m] < 1 else math.inf, ((*factors, main),))


def divide(matrices: np.ndarray, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Divide symmetric matrices, (count, d, d), by a unit vector: the other factors, and the norms of remainders."""
    images = matrices @ unit
    quotients = 2 * images - (images @ unit)[:, None] * unit
    products = symmetric_products(unit[None], quotients)[0]
    return quotients, np.linalg.norm(matrices - products, axis=(1, 2))


def symmetric_products(columns: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the matrices sym(a v^T) for all rows a and v of two arrays."""
    outer = columns[:, None, :, None] * rows[None, :, None, :]
    return (outer + np.swapaxes(outer, 2, 3)) / 2


def extend(forms: NearForms, pivot: Pivot, unit: np.ndarray, starts: tuple[np.ndarray, ...]) -> NearFactors | None:
    r"""Return the (A, V) in which the column of the pivot is a unit vector near a given one, or None if there are none.

    With :math:`|a - \hat a| \le \sqrt 2 s`, s the sine, :math:`S - \operatorname{sym}(\hat a v^T)` has a norm of at
    most :math:`\sqrt 2 s |v|` and the error of S, and its part P (.) P at most :math:`s |v|` and that error. The same
    holds for dividing by the row v_m, which is known by then.
    """
    k, sine = pivot.k, pivot.sine
    sizes = np.linalg.norm(forms.matrices, axis=(2, 3)) + forms.errors
    V, remainders = divide(forms.matrices[k], unit)
    lengths = ROOT * sizes[k]  # at least |v|
    if (remainders > SLACK * (sine * lengths + forms.errors[k])).any():
        return None
    V_errors = ROOT * (ROOT * sine * lengths + forms.errors[k])
    row = best_row(V, V_errors)
    norm, error = float(np.linalg.norm(V[row])), float(V_errors[row])
    columns, remainders = divide(forms.matrices[:, row], V[row] / norm)
    lengths = ROOT * sizes[:, row] / (norm - error) if error < norm else np.full(len(columns), math.inf)
    if (remainders > SLACK * (lengths * error + forms.errors[:, row])).any():
        return None
    A, A_errors = columns / norm, ROOT * (lengths * error + forms.errors[:, row]) / norm
    if misfits(forms, A, V, A_errors, V_errors):
        return None
    return NearFactors(A.T, V, A_errors, V_errors, tuple(pair_of_column(forms, k, start) for start in starts))


def best_row(V: np.ndarray, errors: np.ndarray) -> int:
    """Return the number of the row with the least relative error, or of the longest if all errors are infinite."""
    norms = np.linalg.norm(V, axis=1)
    return int(np.argmax(norms / errors) if np.isfinite(errors).any() else np.argmax(norms))


def pair_of_column(forms: NearForms, k: int, unit: np.ndarray) -> Pair:
    """Return the (A, V) by which forms are divided if column k of A is a unit vector, whatever the remainders are."""
    V, _ = divide(forms.matrices[k], unit)
    norms = np.linalg.norm(V, axis=1)
    row = int(np.argmax(norms))
    columns, _ = divide(forms.matrices[:, row], V[row] / norms[row])
    return columns.T / norms[row], V


def misfits(forms: NearForms, A: np.ndarray, V: np.ndarray, A_errors: np.ndarray, V_errors: np.ndarray) -> bool:
    """Return whether the products of factors, with their errors, are certainly not the forms."""
    if not (np.isfinite(A_errors).all() and np.isfinite(V_errors).all()):
        return False
    off = np.linalg.norm(forms.matrices - symmetric_products(A, V), axis=(2, 3))
    lengths = np.linalg.norm(A, axis=1)[:, None], np.linalg.norm(V, axis=1) + V_errors
    return bool((off > SLACK * (A_errors[:, None] * lengths[1] + lengths[0] * V_errors + forms.errors)).any())


def near_factors(forms: NearForms, names: tuple[str, str]) -> list[NearFactors]:
    """Return all (A, V) with q_{k,m} = (a_k . x)(v_m . x) within the errors, up to scale: one, or two that are swapped.

    Not all forms are zero.

    Raises
    ------
    NotIdentified
        If there are none, whatever the errors are.
    """
    values, vectors = np.linalg.eigh(forms.matrices)
    check_signs(forms, values, names)
    pivot = best_pivot(forms, values, vectors)
    found = [extend(forms, pivot, unit, starts) for unit, starts in zip(pivot.directions, pivot.starts, strict=True)]
    if not any(found):
        raise no_products(*names)
    return [factors for factors in found if factors is not None]
