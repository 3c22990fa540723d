"""The lightning network of one or two layers that a black box is, or that it is none: the answer over GF(p)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import cast

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.architectures.base import NetworkLike, as_architecture, draw_inputs
from algatt.arguments import instance, proper_fraction, whole
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.identification.factor import Factors, factors_of_forms
from algatt.geometry.identification.identification import (
    Identification,
    NotIdentified,
    difference_from,
    no_products,
    zero,
)
from algatt.geometry.identification.membership import member_of
from algatt.geometry.identification.over_reals import identify_over_reals
from algatt.geometry.identification.polynomial_maps import PolynomialMap
from algatt.geometry.identification.quadratic_forms import (
    Oracle,
    QuadraticForms,
    forms_of_values,
    oracle_of,
    values_for_forms,
)
from algatt.geometry.identification.two_layers import attention_of_first_layer, forms_of_second_layer
from algatt.geometry.implicit.coefficients import Coefficients
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights
from algatt.randomness import check_seed


def identify(
    oracle: Callable | PolynomialMap,
    arch: NetworkLike,
    *,
    field: Field | None = None,
    seed: int = 0,
    error: float = 1e-9,
    tolerance: float | None = None,
    degree: int = 4,
    groebner: bool = False,
) -> Identification:
    """Recover the parameters of a function from its values or its coefficients, or show that no parameters have it.

    **From values**, of one or two lightning layers: the proofs of HMK Theorem 3.2 and, where rk M_1 >= 2, Theorem 3.7
    as algorithms. Exact over GF(p). Over the reals a network is found by least squares and accepted by values at fresh
    inputs; that there is none is said only where bounds of all errors within the tolerance show it, and otherwise the
    status is ``undecided``. Cost: for one layer the values of `quadratic_forms`; for two 10 d_0 (d_0 + 1) values, then
    an elimination with u = d_0^2 (d_0 + 1) / 2 columns and u / t values; over the reals twice as many, and four times
    more if these decide nothing.

    **From coefficients**, of any polynomial network: exact over Q. The map is no function of the network, nor in the
    closure, if it violates an equation of these (`algatt.span`, `algatt.equations`), which is returned. Weights are
    found by least squares, as many are fixed as the fibre has dimensions, the others are refined by Newton's method,
    and accepted if they are rational and have exactly these coefficients. Else the answer is ``numerical`` with weights
    that have them up to rounding, or ``undecided``. Then the map is still known to be in the closure if this is the
    span, or a hypersurface whose equation it satisfies. Cost: that of `algatt.equations`, at most 20,000 products, and
    20 runs of least squares.

    Parameters
    ----------
    oracle : callable, Coefficients, mapping or str
        A polynomial map: what `algatt.coefficients` returns over ``Rationals()``, of a network of the same shape, or
        numbers by monomials as they are printed, ``{"y_1_1: x_1_1^2*x_2_1": 3}``, or lines of both as they are printed.
        Or the values: a callable that takes inputs of shape (batch, d_0, t) as a public array over `field`, returns
        values of shape (batch, d_l, t).
    arch : Architecture
        The network that is asked for. From values: its widths, ranks and tokens.
    field : Field, optional
        That of an `Oracle` or of a network's function, ``PrimeField()`` for others, unless given.
    seed : int, optional
        Names the random inputs.
    error : float, optional
        Over GF(p): the number of fresh inputs is such that another polynomial of degree 3^l agrees at all of them with
        at most this probability.
    tolerance : float, optional
        Over the reals: the relative difference up to which values count as equal; unless given as in `same_function`,
        by the precision of the field. If the oracle rounds more, nothing is decided.
    degree : int, optional
        From coefficients: the largest degree of equations that are looked for.
    groebner : bool, optional
        From coefficients: where no weights were found, let Singular decide by a Groebner basis over Q whether complex
        ones exist. If not, the answer is ``proven``; a map in the closure is then on its boundary. This can take long.

    Returns
    -------
    Identification
        With `theta` or None, the number of evaluations, and what the answer is worth.

    Raises
    ------
    InvalidArgument
        For more than two layers, one token, a field with p <= 3^l, or values of another shape or field, or too large or
        small for float64. From coefficients for networks that are no polynomials, and maps of other shapes.
    MissingProgram
        With `groebner` if Singular is not installed.

    Examples
    --------
    >>> import algatt
    >>> squares = algatt.Network(algatt.layers.Feedforward(1, algatt.layers.Power(2), width=1), tokens=1, width=2)
    >>> found = algatt.identify({"y_1_1: x_1_1^2": 3, "y_1_1: x_1_1*x_2_1": 12, "y_1_1: x_2_1^2": 12}, squares)
    >>> found.status, algatt.flatten(found.theta).tolist()
    ('proven', [1, 2, 3])
    >>> print(algatt.identify({"y_1_1: x_1_1^2": 1, "y_1_1: x_2_1^2": 1}, squares).violation)
    4*[y_1_1: x_1_1^2]*[y_1_1: x_2_1^2] - [y_1_1: x_1_1*x_2_1]^2 = 4
    """
    arch = as_architecture(arch)
    if isinstance(oracle, Coefficients | Mapping | str):
        return member_of(oracle, arch, degree=whole("degree", degree), groebner=groebner, seed=check_seed(seed))
    asked = oracle_of(oracle, field)
    instance("arch", arch, Lightning, "a Lightning network, unless coefficients are given")
    layers = cast("Lightning", arch)
    check_question(layers, asked.field)
    tolerance = tolerance_of(asked.field) if tolerance is None else tolerance
    for name, value in (("error", error), ("tolerance", tolerance)):
        proper_fraction(name, value)
    seed = check_seed(seed)
    try:
        if isinstance(asked.field, PrimeField):
            return identify_over_prime_field(asked, asked.field, layers, seed, error)
        return identify_over_reals(asked, layers, seed, tolerance)
    except NotIdentified as refusal:
        status = "undecided" if refusal.undecided else asked.field.status
        return Identification(None, (), status, None, refusal.difference, asked.evaluations, str(refusal))


def check_question(arch: Lightning, field: Field) -> None:
    """Raise `InvalidArgument` unless networks of an architecture can be recovered over a field."""
    if arch.layers > 2:
        raise InvalidArgument("arch", f"of {arch.layers} layers", "of one or two layers")
    if arch.tokens == 1:
        raise InvalidArgument("arch", "with one token", "with at least two tokens")
    if not isinstance(field, PrimeField | Reals):
        raise InvalidArgument("field", str(field), "a PrimeField or Reals()")
    degree = 3**arch.layers
    if 0 < field.characteristic <= degree:
        should = f"a PrimeField with p > {degree}, the degree of the function, or Reals()"
        raise InvalidArgument("field", str(field), should)


def identify_over_prime_field(
    oracle: Oracle,
    field: PrimeField,
    arch: Lightning,
    seed: int,
    error: float,
) -> Identification:
    """Identify a network over GF(p) and compare it at fresh random inputs; raise `NotIdentified` if that fails."""
    found = (members_of_one_layer if arch.layers == 1 else members_of_two_layers)(oracle, field, arch, seed)
    return verify(oracle, field, arch, found, seed, error)


def factor_forms(field: PrimeField, forms: QuadraticForms, A: str, V: str) -> list[Factors]:
    """Return the factors of forms; raise `NotIdentified` if there are none."""
    pairs = factors_of_forms(field, forms)
    if not pairs:
        raise no_products(A, V)
    return pairs


def members_of_one_layer(oracle: Oracle, field: PrimeField, arch: Lightning, seed: int) -> list[Parameters]:
    """Return all parameters of one layer, up to scale, with the values of the oracle at `values_for_forms`."""
    forms = forms_of_values(arch, values_for_forms(oracle, arch)[1])
    if not forms.elements.raw.any():
        return [zero(arch, field)]
    pairs = factor_forms(field, forms, "A", "V")
    rank = int(verbs.rank(pairs[0][0]))  # the swap has the same
    if rank > arch.ranks[0]:
        raise NotIdentified(f"the only attention matrix that fits has rank {rank}, more than a_1 = {arch.ranks[0]}")
    return [AttentionMatrix(pair) for pair in pairs]


def members_of_two_layers(oracle: Oracle, field: PrimeField, arch: Lightning, seed: int) -> list[Parameters]:
    """Return all virtual weights of two layers, up to the torus, with the values of the oracle at the inputs tried."""
    M1 = attention_of_first_layer(oracle, arch, seed)
    if M1 is None:
        return [zero(arch, field)]
    forms = forms_of_second_layer(oracle, arch, M1, seed)
    if not forms.elements.raw.any():
        raise NotIdentified("the values vanish at random inputs, but not at all inputs")
    pairs = factor_forms(field, forms, "M_2", "L")
    check_ranks(arch, M1, *pairs[0])
    return [VirtualWeights((M1, *pair)) for pair in pairs]


def check_ranks(arch: Lightning, M1: Elements, M2: Elements, L: Elements) -> None:
    """Raise `NotIdentified` unless virtual weights are those of weights of the architecture.

    M_2 = V_1^T A_2 V_1 and L = V_2 V_1 have such factors, V_1 having d_1 rows, if and only if the rows and columns of
    M_2 and the rows of L span at most d_1 dimensions; then A_2 can have the rank of M_2. The swap of M_2 and L has
    the same ranks.
    """
    through = Elements(M1.field, np.concatenate([M2.raw, M2.T.raw, L.raw]))
    for matrix, name, most in (
        (M1, "M_1", arch.ranks[0]),
        (M2, "M_2", arch.ranks[1]),
        (through, "(M_2, M_2^T, L)", arch.dims[1]),
    ):
        rank = int(verbs.rank(matrix))
        if rank > most:
            raise NotIdentified(f"the only virtual weights that fit have {name} of rank {rank}, more than {most}")


def verify(
    oracle: Oracle,
    field: PrimeField,
    arch: Lightning,
    found: list[Parameters],
    seed: int,
    error: float,
) -> Identification:
    """Compare some equal functions with the oracle at fresh random inputs; raise `NotIdentified` if they differ."""
    missed = 3**arch.layers / field.p  # the probability that one input does not separate two functions
    count = math.ceil(math.log(error) / math.log(missed))
    X = Elements(field, draw_inputs(arch, field, seed, 0, count))
    values = oracle.values(arch, X).raw
    agreeing = [theta for theta in found if np.array_equal(verbs.evaluate(arch, theta, X).raw, values)]
    is_zero = not any(element.raw.any() for element in found[0].elements)
    if not agreeing:
        raise difference_from(arch, is_zero)
    normal = agreeing if is_zero else [verbs.canonical(arch, theta) for theta in agreeing]
    reason = f"the values agree at {count} fresh random inputs"
    if is_zero:
        reason += "; the zero function, whose fibre is all parameters with a factor zero"
    return Identification(normal[0], tuple(normal[1:]), "probable", missed**count, None, oracle.evaluations, reason)
