"""Verbs of singular points: boundary, critical points, tangent spaces, distances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.dispatch import declare

if TYPE_CHECKING:
    from algatt.architectures.base import NetworkLike
    from algatt.geometry.singularities.distance import Distance
    from algatt.geometry.singularities.tangent_space import TangentSpace
    from algatt.parameters.base import Parameters


@declare(homes=["algatt.geometry.singularities.singular", "algatt.geometry.singularities.recognized"])
def is_singular(arch: NetworkLike, theta: Parameters, /, *, gap: float | None = None) -> bool:
    """Return whether the function of one layer is a singular point of the neuromanifold: rk A * rk V <= 1, or rk A < a
    < d_0.

    The first condition is HMK Theorem 3.4, the second is derived (see the page on the theorem): there the curves
    through the point have tangents that span more than the dimension. Exact over the rationals, and
    over GF(p), where it is the algebraic condition. Cost: two small eliminations.

    Parameters
    ----------
    arch : Lightning or Network
        One layer; a network of layers that computes what one of `Lightning` does is one.
    theta : Parameters
        A point in any coordinate system.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides a rank; 1000 unless given,
        less for numbers of less than 21 bits.

    Raises
    ------
    InvalidArgument
        If the hypotheses fail: one layer, t >= 2, d_0 >= 2, and a > 1 or d_1 > 1; or if the rank of A is larger than a.
    RankUndecided
        Over the reals, if a rank is undecided.
    """


@declare(homes=["algatt.geometry.singularities.singular", "algatt.geometry.singularities.recognized"])
def is_boundary(arch: NetworkLike, theta: Parameters, /, *, gap: float | None = None) -> bool:
    """Return whether the function of one layer is in the relative boundary of the neuromanifold: A = u q^T, V = v u^T
    (HMK Theorem 3.4).

    Here u, q and v may be zero. Exact over GF(p), where it is the algebraic condition. Takes and raises what
    `is_singular` does.
    """


@declare(homes=["algatt.geometry.singularities.singular", "algatt.geometry.singularities.recognized"])
def is_critical(arch: NetworkLike, theta: Parameters, /, *, gap: float | None = None) -> bool:
    """Return whether the differential of (A, V) -> phi has more in its kernel than the rescaling, for one layer.

    By HMK Lemma A.3 this is so exactly over the boundary, and that is what is decided; `tangent_space` computes the
    kernel. Exact over GF(p). Takes and raises what `is_singular` does.
    """


@declare(homes=["algatt.geometry.singularities.tangent_space", "algatt.geometry.singularities.recognized"])
def tangent_space(arch: NetworkLike, theta: Parameters, /, *, gap: float | None = None) -> TangentSpace:
    """Return the image and the kernel of the differential of the parametrization of one layer at a point, as a
    `TangentSpace`.

    Computed from the coefficients of HMK Proposition A.5, so without sampling; exact over GF(p).
    Cost: an elimination with d_0^2 d_1 (d_0 + 1) / 2 columns and a row for each parameter.

    Parameters
    ----------
    arch : Lightning
        One layer, with at least two tokens.
    theta : Parameters
        A point in any coordinate system, whose entries are moved.
    gap : float, optional
        Over the reals: the ratio between neighbouring singular values that decides the rank; 1000 unless given,
        less for numbers of less than 21 bits.

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


@declare(homes=["algatt.geometry.singularities.distance", "algatt.geometry.singularities.recognized"])
def singular_distance(arch: NetworkLike, theta: Parameters, /) -> Distance:
    """Return the distance of (A, V) over the reals, in Frobenius norm, to the nearest point of a singular function, as
    a `Distance` with that point.

    By best approximations of lower rank (Eckart and Young). It is a distance between parameters: ``(s A, V / s)`` is
    the same function at another distance. Numerical. Cost: two small singular value decompositions.

    Raises
    ------
    InvalidArgument
        If the hypotheses of `is_singular` fail, or over GF(p), where there is no distance.
    """


@declare(homes=["algatt.geometry.singularities.distance", "algatt.geometry.singularities.recognized"])
def boundary_distance(arch: NetworkLike, theta: Parameters, /) -> Distance:
    """Return the distance of (A, V) over the reals, in Frobenius norm, to the nearest point of a function in the
    boundary, as a `Distance`.

    The nearest A = u q^T, V = v u^T has for u the leading left singular vector of [A, V^T]. A distance between
    parameters; raises what `singular_distance` does.
    """
