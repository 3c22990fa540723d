"""The quadratic forms of one lightning layer (HMK Proposition A.5), from parameters or from values alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Lightning
from algatt.architectures.base import check_fits, check_inputs, checked_field
from algatt.errors import InvalidArgument
from algatt.fields import Elements, Field, Reals
from algatt.fields.arrays import public_array
from algatt.maps.parametrization import NetworkFunction
from algatt.parameters import Parameters, VirtualWeights
from algatt.verbs.views import Tabled


class Oracle:
    """A function that is known by its values alone, over a field.

    Parameters
    ----------
    function : callable
        Takes inputs of shape (batch, d_0, t) as a public array over `field` and returns values of shape (batch, d_l, t)
        over it.
    field : Field, optional
        ``PrimeField()`` unless given.

    Raises
    ------
    InvalidArgument
        If `function` is not callable, or `field` is neither a prime field nor the reals.

    Examples
    --------
    >>> import algatt
    >>> oracle = algatt.geometry.Oracle(lambda X: X, algatt.PrimeField(31))
    >>> oracle, oracle.evaluations
    (Oracle(GF(31), evaluations=0), 0)
    """

    def __init__(self, function: Callable[[Any], Any], field: Field | None = None) -> None:
        if not callable(function):
            raise InvalidArgument("function", repr(function), "callable")
        self.function = function
        self.field = checked_field(field)
        self._evaluations = 0

    @property
    def evaluations(self) -> int:
        """The number of inputs at which the function was evaluated so far."""
        return self._evaluations

    def __call__(self, inputs: Any) -> Any:
        """Return the values at a batch of inputs, and count them."""
        self._evaluations += len(inputs)
        return self.function(inputs)

    def values(self, arch: Lightning, inputs: Elements) -> Elements:
        """Return the values at inputs of an architecture.

        Raises
        ------
        InvalidArgument
            Naming the argument ``oracle``, if the values do not have the shape of the architecture's, or are not over
            the field.
        """
        asked = verbs.decode(self.field, inputs.raw.copy())  # a copy: the function may write to its argument
        answer = self(asked)
        expected = (inputs.shape[0], arch.dims[-1], arch.tokens)
        should = f"a function whose values at inputs of shape {inputs.shape} are an array of shape {expected}"
        read, known = public_array(answer, "oracle")
        if not read.ndim:
            raise InvalidArgument("oracle", f"a function whose values are of type {type(answer).__name__}", should)
        if read.shape != expected:
            raise InvalidArgument("oracle", f"a function whose values are of shape {read.shape}", should)
        if isinstance(self.field, Reals) and known < self.field.precision:
            should = f"one of {self.field.precision} bits, or asked over field=algatt.Reals(precision={known})"
            raise InvalidArgument("oracle", f"a function whose values have {known} bits", should)
        return Elements.of(self.field, answer, "oracle")

    def __repr__(self) -> str:
        return f"Oracle({self.field}, evaluations={self.evaluations})"


def oracle_of(source: Callable[[Any], Any], field: Field | None = None) -> Oracle:
    """Return a function as an oracle that counts from now on; its field is the one given, else its own if it has one,
    else the default.
    """
    own = source.field if isinstance(source, NetworkFunction | Oracle | QuadraticForms) else None
    return Oracle(source, own if field is None else field)


@dataclass(frozen=True, eq=False, repr=False)
class QuadraticForms(Tabled):
    r"""The quadratic forms :math:`q_{k,m}` of a function of one layer,
    :math:`\varphi(X)_{m,i} = \sum_k x_{k,i} \sum_j q_{k,m}(x_j)` (HMK Prop A.5).

    Those of parameters (A, V) are :math:`q_{k,m}(x) = (a_k \cdot x)(v_m \cdot x)` with the columns a_k of A and the
    rows v_m of V; any other forms define a function of the linear span of the neuromanifold. Build them with
    `algatt.geometry.quadratic_forms`.

    Parameters
    ----------
    arch : Lightning
        One layer with at least two tokens.
    elements : Elements
        Shape (d_0, d_1, d_0, d_0): entry (k, m, i, j) is the coefficient of :math:`x_i x_j` in :math:`q_{k,m}` for i <=
        j, and zero for i > j.

    Raises
    ------
    InvalidArgument
        If the architecture has several layers or one token, or the array is not such an array.
    """

    arch: Lightning
    elements: Elements

    def __post_init__(self) -> None:
        check_one_layer(self.arch)
        d, e = self.arch.dims
        if self.elements.shape != (d, e, d, d):
            raise InvalidArgument("elements", f"of shape {self.elements.shape}", f"of shape {(d, e, d, d)}")
        if np.tril(self.elements.raw, -1).any():
            raise InvalidArgument("elements", "with coefficients below a diagonal", "upper triangular matrices")

    @property
    def field(self) -> Field:
        """The field of the coefficients."""
        return self.elements.field

    @property
    def coefficients(self) -> Any:
        """The coefficients as a public array of shape (d_0, d_1, d_0, d_0)."""
        return self.elements.public()

    def discriminants(self) -> Any:
        r"""Return :math:`c_{ij}^2 - 4 c_{ii} c_{jj}` of each form, for i < j.

        Over the reals, a layer with complex weights and these forms is a layer with real ones if and only if none is
        negative (derived on the page of Theorem 3.4): inequalities that cut out the real neuromanifold. They are
        squares for every layer over the field itself.

        Returns
        -------
        array
            A public array of shape (d_0, d_1, d_0 (d_0 - 1) / 2).
        """
        i, j = np.triu_indices(self.arch.dims[0], 1)
        mixed, one, two = (Elements(self.field, self.elements.raw[..., a, b]) for a, b in ((i, j), (i, i), (j, j)))
        return (mixed * mixed - one * two * 4).public()

    def __call__(self, inputs: Any) -> Any:
        """Return the value of the function at inputs of shape (d_0, t) or (batch, d_0, t)."""
        X = Elements.of(self.field, inputs, "inputs")
        check_inputs(self.arch, X.shape)
        d, e = self.arch.dims
        gram = X @ X.T
        sums = Elements(self.field, self.elements.raw.reshape(d * e, d * d)) @ Elements(
            self.field, gram.raw.reshape(*gram.shape[:-2], d * d, 1)
        )
        return (Elements(self.field, sums.raw.reshape(*gram.shape[:-2], d, e)).T @ X).public()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, QuadraticForms):
            return NotImplemented
        return (
            self.arch == other.arch
            and self.field == other.field
            and np.array_equal(self.elements.raw, other.elements.raw)
        )

    def __hash__(self) -> int:
        return hash((self.arch, self.field))

    def __repr__(self) -> str:
        return f"QuadraticForms({self.arch}, field={self.field})"


def check_one_layer(arch: Lightning) -> None:
    """Raise `InvalidArgument` unless the forms of Proposition A.5 exist and determine the function."""
    if arch.layers != 1:
        raise InvalidArgument("arch", f"of {arch.layers} layers", "of one layer")
    if arch.tokens == 1:
        raise InvalidArgument(
            "arch", "with one token", "with at least two tokens: with one, the function does not determine the forms"
        )


def products_of_linear_forms(columns: Elements, rows: Elements) -> Elements:
    r"""Return the coefficients of :math:`(a_k \cdot x)(v_m \cdot x)` for columns a_k and rows v_m, as upper triangular
    matrices.
    """
    field = columns.field
    outer = Elements(field, columns.T.raw[:, None, :, None]) @ Elements(field, rows.raw[None, :, None, :])
    return Elements(
        field, np.triu((outer + outer.T).raw, 1) + np.tril(np.triu(outer.raw))
    )  # the two have no entry in common


def values_for_forms(oracle: Oracle, arch: Lightning) -> tuple[Elements, Elements]:
    """Return the inputs x, y, 0, ... with y = e_k and x = 0, e_i, e_i + e_j, i < j, and the values of an oracle there.

    They are d_0 (d_0 (d_0 + 1) / 2 + 1).
    """
    check_one_layer(arch)
    d = arch.dims[0]
    upper, lower = np.triu_indices(d, 1)
    unit = np.eye(d, dtype=np.int64)
    tokens = np.concatenate([np.zeros((1, d), dtype=np.int64), unit, unit[upper] + unit[lower]])
    X = np.zeros((d, len(tokens), d, arch.tokens), dtype=np.int64)
    X[..., 0] = tokens
    X[..., 1] = unit[:, None]
    inputs = Elements.of(oracle.field, X.reshape(-1, d, arch.tokens))
    return inputs, oracle.values(arch, inputs)


def forms_of_values(arch: Lightning, values: Elements) -> QuadraticForms:
    """Return the forms of the only function of the span with given values, in the column of y, at `values_for_forms`.

    The column of y in the value at tokens x, y, 0, ... is sum_k y_k (q_k(x) + q_k(y)). So y = e_k and
    x = 0, e_i, e_i + e_j give all coefficients, over every field.
    """
    d, e = arch.dims
    field = values.field
    upper, lower = np.triu_indices(d, 1)
    columns = Elements(field, values.raw[:, :, 1].reshape(d, -1, e).swapaxes(1, 2))
    at_tokens = Elements(field, columns.raw[..., 1:]) - Elements(field, columns.raw[..., :1])
    squares, sums = at_tokens.raw[..., :d], at_tokens.raw[..., d:]
    mixed = Elements(field, sums) - Elements(field, squares[..., upper]) - Elements(field, squares[..., lower])
    coefficients = np.zeros((d, e, d, d), dtype=values.raw.dtype)
    coefficients[..., range(d), range(d)] = squares
    coefficients[..., upper, lower] = mixed.raw
    return QuadraticForms(arch, Elements(field, coefficients))


@verbs.quadratic_forms.method
def quadratic_forms_of_parameters(arch: Lightning, source: Parameters) -> QuadraticForms:
    check_one_layer(arch)
    check_fits(arch, source)
    A, V = verbs.convert(source, VirtualWeights).elements
    return QuadraticForms(arch, products_of_linear_forms(A, V))


@verbs.quadratic_forms.method
def quadratic_forms_of_function(arch: Lightning, source: Callable) -> QuadraticForms:
    return forms_of_values(arch, values_for_forms(oracle_of(source), arch)[1])
