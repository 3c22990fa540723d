"""Parameters from values: the lightning network of one or two layers that a black box is, or the proof that it is none."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.architectures.base import draw_inputs
from algatt.display import html_of
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, PrimeField, Reals
from algatt.fields.real import tolerance_of
from algatt.geometry.factor import factors_of_forms, relative_error
from algatt.geometry.quadratic_forms import Oracle, QuadraticForms, forms_from_values, oracle_of
from algatt.geometry.two_layers import NotIdentified, attention_of_first_layer, forms_of_second_layer, numerical_rank
from algatt.parameters import AttentionMatrix, Parameters, VirtualWeights
from algatt.randomness import check_seed

__all__ = ["Identification"]

FLOAT_INPUTS = 16
"""Over the reals so many fresh inputs are compared."""

NEWTON_STEPS = 6
"""Over the reals at most so many Newton steps are taken."""

CLEAR = 1e-2
"""Over the reals a singular value of this size relative to the largest is no effect of rounding."""

KERNEL = 1e-9
"""Over the reals directions in which the values change less than this, relative to the largest change, are left alone: the rescalings among them."""


@dataclass(frozen=True, eq=False)
class Identification:
    """What is known of a black box after `algatt.identify`; true if parameters were found.

    Parameters
    ----------
    theta : AttentionMatrix, VirtualWeights or None
        The parameters in normal form (see `algatt.canonical`), of type `AttentionMatrix` for one layer and `VirtualWeights` for two; zeros for the
        zero function.
    alternatives : tuple of Parameters
        Parameters of the same function that no rescaling connects to `theta`: the swap of two matrices of rank one (HMK Theorem 3.2), if it is
        another point.
    status : str
        ``probable``: `theta` has the values of the oracle at all inputs that were tried, see `error`. ``proven``: no member of the family has the
        values of the oracle at the inputs that were tried. ``numerical``: either of them over the reals, up to the tolerance. ``undecided``: the
        method does not apply, and nothing is claimed.
    error : float or None
        For a probable answer: if the oracle is a polynomial of degree at most 3^l, the probability that it differs from the function of `theta` and
        agrees at the fresh random inputs is at most this. Of an oracle that is no such polynomial nothing more is known than its values.
    difference : float or None
        Over the reals: the relative difference, in Frobenius norm, of the values at fresh inputs.
    evaluations : int
        The number of inputs at which the oracle was evaluated.
    reason : str
        The evidence in words.
    """

    theta: Parameters | None
    alternatives: tuple[Parameters, ...]
    status: str
    error: float | None
    difference: float | None
    evaluations: int
    reason: str

    def __bool__(self) -> bool:
        return self.theta is not None

    def _repr_html_(self) -> str:
        return html_of(verbs.summarize(self))


@verbs.identify.method
def identify_lightning(
    oracle: Callable, arch: Lightning, *, field: Field | None = None, seed: int = 0, error: float = 1e-9, tolerance: float | None = None
) -> Identification:
    asked = oracle_of(oracle, field)
    check_question(arch, asked.field)
    tolerance = tolerance_of(asked.field) if tolerance is None else tolerance
    for name, value in (("error", error), ("tolerance", tolerance)):
        check_fraction(name, value)
    seed = check_seed(seed)
    try:
        found = (members_of_one_layer if arch.layers == 1 else members_of_two_layers)(asked, arch, seed, tolerance)
        return verified(asked, arch, found, seed, error, tolerance)
    except NotIdentified as refusal:
        status = "undecided" if refusal.undecided else "proven" if isinstance(asked.field, PrimeField) else "numerical"
        return Identification(None, (), status, None, refusal.difference, asked.evaluations, str(refusal))


def check_question(arch: Lightning, field: Field) -> None:
    """Raise `InvalidArgument` unless networks of an architecture can be recovered over a field."""
    if arch.layers > 2:
        raise InvalidArgument("arch", f"of {arch.layers} layers", "of one or two layers")
    if arch.tokens == 1:
        raise InvalidArgument("arch", "with one token", "with at least two tokens")
    degree = 3**arch.layers
    if isinstance(field, PrimeField) and field.p <= degree:
        raise InvalidArgument("field", str(field), f"a PrimeField with p > {degree}, the degree of the function, or Reals()")


def check_fraction(name: str, value: object) -> None:
    """Raise `InvalidArgument` unless an option is a number between 0 and 1."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1:
        raise InvalidArgument(name, repr(value), "a number between 0 and 1")


def factored(forms: QuadraticForms, tolerance: float, A: str, V: str) -> list[tuple[Elements, Elements]]:
    """Return the factors of forms; raise `NotIdentified` if there are none."""
    pairs = factors_of_forms(forms, tolerance)
    if not pairs:
        raise NotIdentified(f"the quadratic forms of Proposition A.5 are no products (a_k . x)(v_m . x) with the columns of {A} and the rows of {V}")
    return pairs


def members_of_one_layer(oracle: Oracle, arch: Lightning, seed: int, tolerance: float) -> list[Parameters]:
    """Return all parameters of one layer, up to scale, that have the values of the oracle at the inputs of `forms_from_values`."""
    forms = forms_from_values(oracle, arch)
    if not forms.elements.raw.any():
        return [zero(arch, AttentionMatrix, oracle.field)]
    found = [polished(oracle, arch, AttentionMatrix(pair), seed) for pair in factored(forms, tolerance, "A", "V")]
    rank = numerical_rank(found[0].elements[0], tolerance)  # the swap has the same
    if rank > arch.ranks[0]:
        raise NotIdentified(f"the only attention matrix that fits has rank {rank}, more than a_1 = {arch.ranks[0]}")
    return found


def members_of_two_layers(oracle: Oracle, arch: Lightning, seed: int, tolerance: float) -> list[Parameters]:
    """Return all virtual weights of two layers, up to the torus, that have the values of the oracle at the inputs that were tried."""
    M1 = attention_of_first_layer(oracle, arch, seed, tolerance)
    if M1 is None:
        return [zero(arch, VirtualWeights, oracle.field)]
    forms = forms_of_second_layer(oracle, arch, M1, seed, tolerance)
    if not forms.elements.raw.any():
        raise NotIdentified("the values vanish at random inputs, but not at all inputs")
    pairs = factored(forms, tolerance, "M_2", "L")
    found = [polished(oracle, arch, VirtualWeights((M1, *pair)), seed) for pair in pairs]
    check_ranks(arch, found[0].elements, tolerance)
    return found


def polished(oracle: Oracle, arch: Lightning, theta: Parameters, seed: int) -> Parameters:
    """Return parameters over the reals after Newton steps of least squares at random inputs, while they come nearer; over GF(p) the same."""
    if not isinstance(oracle.field, Reals):
        return theta
    shapes = verbs.shapes(arch, type(theta))
    count = 2 * sum(rows * columns for rows, columns in shapes) // (arch.dims[-1] * arch.tokens) + 2
    X = Elements(oracle.field, verbs.draw_array(oracle.field, shape=(count, arch.dims[0], arch.tokens), seed=seed, label="identify/polish"))
    values = oracle.values(arch, X).raw.reshape(count, -1)
    size = np.maximum(np.linalg.norm(values, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    best = theta, math.inf
    for _ in range(NEWTON_STEPS):
        residual = (values - verbs.evaluate(arch, theta, X).raw.reshape(count, -1)) / size
        error = float(np.linalg.norm(residual))
        if not error < best[1]:
            break
        best = theta, error
        J = verbs.jacobian(arch, theta, X.raw).reshape(count, residual.shape[1], -1) / size[:, :, None]
        step = np.linalg.lstsq(J.reshape(residual.size, -1), residual.ravel(), rcond=KERNEL)[0]
        theta = verbs.unflatten(arch, type(theta), verbs.flatten(theta) + step, field=oracle.field)
    return best[0]


def check_ranks(arch: Lightning, elements: Sequence[Elements], tolerance: float) -> None:
    """Raise `NotIdentified` unless virtual weights are those of weights of the architecture.

    M_2 = V_1^T A_2 V_1 and L = V_2 V_1 have such factors, V_1 having d_1 rows, if and only if the rows and columns of M_2 and the rows of L span at
    most d_1 dimensions; then A_2 can have the rank of M_2. The swap of M_2 and L has the same ranks.
    """
    M1, M2, L = elements
    through = Elements(M1.field, np.concatenate([unit_size(M2), unit_size(M2.T), unit_size(L)]))
    for matrix, name, most in ((M1, "M_1", arch.ranks[0]), (M2, "M_2", arch.ranks[1]), (through, "(M_2, M_2^T, L)", arch.dims[1])):
        rank = numerical_rank(matrix, tolerance)
        if rank > most:
            # Values determine some directions of the matrices much less well than others, so only a large part that is too much refutes.
            undecided = isinstance(matrix.field, Reals) and numerical_rank(matrix, CLEAR) <= most
            raise NotIdentified(f"the only virtual weights that fit have {name} of rank {rank}, more than {most}", undecided)


def unit_size(matrix: Elements) -> np.ndarray:
    """Return a matrix over the reals divided by its norm, so that it can be compared with others; over GF(p) as it is."""
    raw: np.ndarray = matrix.raw if isinstance(matrix.field, PrimeField) else matrix.raw / np.linalg.norm(matrix.raw)
    return raw


def zero(arch: Lightning, coordinates: type[Parameters], field: Field) -> Parameters:
    """Return parameters that are zero."""
    return coordinates(tuple(Elements.of(field, np.zeros(shape, dtype=np.int64)) for shape in verbs.shapes(arch, coordinates)))


def verified(oracle: Oracle, arch: Lightning, found: list[Parameters], seed: int, error: float, tolerance: float) -> Identification:
    """Compare the values of the first of some equal functions with the oracle at fresh random inputs; raise `NotIdentified` if they differ."""
    field, degree = oracle.field, 3**arch.layers
    exact = isinstance(field, PrimeField)
    missed = degree / field.p if isinstance(field, PrimeField) else 0.0  # the probability that one input does not separate two functions
    count = math.ceil(math.log(error) / math.log(missed)) if exact else FLOAT_INPUTS
    X = Elements(field, draw_inputs(arch, field, seed, 0, count))
    values = oracle.values(arch, X)
    differences = [relative_error(verbs.evaluate(arch, theta, X), values) for theta in found]
    is_zero = not any(element.raw.any() for element in found[0].elements)
    if min(differences) > (0 if exact else tolerance):
        raise difference_from(arch, is_zero, None if exact else min(differences))
    agreeing = [theta for theta, difference in zip(found, differences, strict=True) if difference <= (0 if exact else tolerance)]
    normal = agreeing if is_zero else distinct([verbs.canonical(arch, theta) for theta in agreeing], math.sqrt(tolerance))
    reason = f"the values agree at {count} fresh random inputs"
    if is_zero:
        reason += "; the zero function, whose fibre is all parameters with a factor zero"
    bound, difference = (missed**count, None) if exact else (None, min(differences))
    return Identification(normal[0], tuple(normal[1:]), "probable" if exact else "numerical", bound, difference, oracle.evaluations, reason)


def distinct(points: list[Parameters], tolerance: float) -> list[Parameters]:
    """Return one or two points without the second if it is the first: over the reals Newton steps can lead from the swap back to the same point."""
    first, *others = points
    pairs = ((theta, zip(theta.elements, first.elements, strict=True)) for theta in others)
    return [first, *(theta for theta, matrices in pairs if any(relative_error(a, b) > tolerance for a, b in matrices))]


def difference_from(arch: Lightning, is_zero: bool, difference: float | None) -> NotIdentified:
    """Return what to raise if the oracle differs from the candidate at a fresh input."""
    if is_zero and arch.layers == 2:
        reason = "the part of the values that is linear in one token vanishes, as if M_1 or M_2 were skew-symmetric, but the function is not zero"
        return NotIdentified(reason, undecided=True, difference=difference)
    kind = "the zero function" if is_zero else "the only function of the family with the values that were asked first"
    return NotIdentified(f"the oracle differs at a random input from {kind}", difference=difference)
