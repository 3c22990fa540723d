"""The laws of a field."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from algatt import verbs
from algatt.dispatch import Verb
from algatt.errors import DivisionByZero, InvalidArgument, MethodError
from algatt.fields import Dual, Elements, Erf, Exp, Field, Function, Log, Positive, Sigmoid, Sqrt, concatenate
from algatt.testing.laws import agree, check_value, draw, has_method, require

Equation = tuple[str, Elements, Elements]


def check_field(field: Field) -> None:
    """Check that a field computes as a commutative ring should, and that its elements survive being encoded and
    decoded.

    The laws run on arrays of several shapes, so that broadcasting is part of them. A field from which nothing can be
    drawn is checked on its constants alone.

    Parameters
    ----------
    field : Field
        The field to check.

    Raises
    ------
    AssertionError
        Naming the law that fails.
    """
    check_value(field)
    a, b, c = draw(field, (2, 3), "a"), draw(field, (3,), "b"), draw(field, (4, 1, 3), "c")
    require_equations(field, ring_laws(a, b, c))
    A, B, C, x = (
        draw(field, (2, 3), "A"),
        draw(field, (5, 1, 3, 4), "B"),
        draw(field, (3, 4, 2), "C"),
        draw(field, (), "x"),
    )
    require_equations(field, matrix_laws(A, B, draw(field, (3, 4), "D"), C, x))
    # Long enough that sums of products have to be reduced on the way in every representation modulo p.
    u, v, w = draw(field, (1, 700), "u"), draw(field, (700, 1), "v"), draw(field, (700, 1), "w")
    require_equations(field, [("a long product is linear", u @ (v + w), u @ v + u @ w)])
    y = draw(field, (), "y")
    equal = (x * np.ones((1, 1024), dtype=np.int64)) @ (y * np.ones((1024, 1), dtype=np.int64))
    require_equations(
        field,
        [
            (
                "a long product of equal terms is a multiple of one term",
                equal,
                multiple(x * np.ones((1, 1), dtype=np.int64) * y, 10),
            )
        ],
    )
    require_equations(field, submatrix_laws(draw(field, (3, 4), "E"), draw(field, (2, 3, 4), "F")))
    if has_circle(field):
        require_equations(field, rotation_laws(draw(field, (4, 3), "G"), draw(field, (4, 3), "H")))
    check_division(field, a, c)
    check_functions(field, draw(field, (2, 3), "x"), draw(field, (2, 3), "y"))
    check_public(field, A, draw(field, (3, 4), "D"), u, v)
    if has_method(verbs.draw_array, type(field)):
        check_draws(field)


def has_circle(field: Field) -> bool:
    """Return whether rotations can be computed over a field: the circle over GF(2) and GF(3) has too few points."""
    try:
        verbs.circle_points(field, angles=(1.0,), positions=(1,))
    except (InvalidArgument, MethodError):
        return False
    return True


def check_division(field: Field, a: Elements, c: Elements) -> None:
    """Check quotients, if the field has methods for them; where a random entry has no reciprocal, one is divided by."""
    if has_base_method(verbs.reciprocal, field):
        try:
            a.reciprocal()
        except DivisionByZero:
            a = a * 0 + 1
        equations = [
            ("a quotient times the divisor is the dividend", (c / a) * a, c + a * 0),
            ("one divided is the reciprocal", 1 / a, a.reciprocal()),
        ]
        require_equations(field, equations)


FUNCTION_LAWS: tuple[tuple[Function, str, Callable[[Elements, Elements], tuple[Elements, Elements]]], ...] = (
    (
        Exp(),
        "the exponential of a sum is a product",
        lambda x, y: ((x + y).entrywise(Exp()), x.entrywise(Exp()) * y.entrywise(Exp())),
    ),
    (Exp(), "the exponential of zero is one", lambda x, y: ((x * 0).entrywise(Exp()), x * 0 + 1)),
    (Sqrt(), "the square of a root is its argument", lambda x, y: ((x * x + 1).entrywise(Sqrt()) ** 2, x * x + 1)),
    (Log(), "the logarithm is the inverse of the exponential", lambda x, y: (x.entrywise(Exp()).entrywise(Log()), x)),
    (
        Sigmoid(),
        "the logistic function is a quotient of exponentials",
        lambda x, y: (x.entrywise(Sigmoid()) * (1 + x.entrywise(Exp())), x.entrywise(Exp())),
    ),
    (Erf(), "the error function is odd", lambda x, y: ((-x).entrywise(Erf()), -x.entrywise(Erf()))),
    (
        Positive(),
        "one of x and -x is positive",
        lambda x, y: (x.entrywise(Positive()) + (-x).entrywise(Positive()), x * 0 + 1),
    ),
)
"""Laws of the functions of one variable, for two arrays of one shape."""


def check_functions(field: Field, x: Elements, y: Elements) -> None:
    """Check the functions of one variable that have values over the field, and over the one below it."""
    base = field
    while hasattr(base, "base"):
        base = base.base
    for function, law, sides in FUNCTION_LAWS:
        if has_method(verbs.entrywise, type(base), type(function), np.ndarray):
            require_equations(field, [(law, *sides(x, y))])


def submatrix_laws(A: Elements, B: Elements) -> Iterator[Equation]:
    """Iterate over the laws of submatrices, for a matrix A of three rows and four columns and a batch B of such."""
    yield "rows below each other are taken apart again", concatenate((A, B))[3:], B + A * 0
    yield "columns side by side are taken apart again", concatenate((A, B), axis=1)[:, :4], A + B * 0
    yield "rows are taken by their numbers", A[[2, 0]], np.array([[0, 0, 1], [1, 0, 0]]) @ A
    yield "columns are taken by their numbers", B[:, (3, 1)], B @ np.array([[0, 0], [0, 1], [0, 0], [1, 0]])
    yield "the sum of the rows is a product with ones", A.sum(axis=0), A[0:1] + A[1:2] + A[2:3]
    yield "the sum of the columns is that of the rows of the transpose", B.sum(axis=1), B.T.sum(axis=0).T
    yield "products of columns are on the diagonal of the product", A.column_products(B)[:, 1:2], (A.T @ B)[1:2, 1:2]
    yield "a power is a product", A**5, A * A * A * A * A


def rotation_laws(A: Elements, B: Elements) -> Iterator[Equation]:
    """Iterate over the laws of rotations, for matrices of four rows and three columns."""
    angles, turned = (1.0, 0.3), A.rotate((1.0, 0.3), (0, 2, 5))
    yield "turning by nothing changes nothing", turned[:, :1], A[:, :1]
    yield "turns add up", turned.rotate(angles, (3, 4, -2)), A.rotate(angles, (3, 6, 3))
    yield "turning keeps products of columns", turned.column_products(B.rotate(angles, (0, 2, 5))), A.column_products(B)
    yield "turns are linear", (A + B).rotate(angles, (0, 2, 5)), turned + B.rotate(angles, (0, 2, 5))
    yield (
        "an angle that is twice another turns twice as far",
        A[:2].rotate((0.6,), (1, 2, 3)),
        A[:2].rotate((0.3,), (2, 4, 6)),
    )


def has_base_method(verb: Verb[Any], field: Field) -> bool:
    """Return whether a verb of one array has a method for a field, and for the field below it in dual numbers and
    adjoints.
    """
    base = getattr(field, "base", None)
    if not has_method(verb, type(field), type(verbs.encode(field, 1))):
        return False
    return base is None or has_base_method(verb, base)


def multiple(x: Elements, times: int) -> Elements:
    """Return x added to itself until there are 2^times summands."""
    for _ in range(times):
        x = x + x
    return x


def require_equations(field: Field, equations: Any) -> None:
    """Require both sides of every equation to be the same elements."""
    for law, left, right in equations:
        require(left.shape == right.shape, law, field, f"shapes {left.shape} and {right.shape}")
        require(same_raw(field, left.raw, right.raw), law, field)


def same_raw(field: Field, one: Any, two: Any) -> bool:
    """Compare raw arrays; dual numbers by value and tangent, where no tangent stands for zero."""
    if not isinstance(field, Dual):
        return agree(verbs.decode(field, one), verbs.decode(field, two))
    zero = verbs.encode(field.base, 0)
    tangents = [raw.tangent for raw in (one, two) if raw.tangent is not None]
    if len(tangents) == 1:
        tangents.append(verbs.multiply(field.base, zero, tangents[0]))
    return same_raw(field.base, one.value, two.value) and (not tangents or same_raw(field.base, *tangents))


def ring_laws(a: Elements, b: Elements, c: Elements) -> Iterator[Equation]:
    """Iterate over the axioms of a commutative ring for arrays that broadcast against each other."""
    yield "addition is commutative", a + b, b + a
    yield "addition is associative", (a + b) + c, a + (b + c)
    yield "zero is neutral", a + 0, a
    yield "the negative is an inverse", (a + b) + (-b), a
    yield "subtraction adds the negative", a - c, a + (-c)
    yield "multiplication is commutative", a * b, b * a
    yield "multiplication is associative", (a * b) * c, a * (b * c)
    yield "one is neutral", a * 1, a
    yield "integers are sums of ones", a * 3, a + a + a
    yield "multiplication distributes over addition", (a + b) * c, a * c + b * c


def matrix_laws(A: Elements, B: Elements, D: Elements, C: Elements, x: Elements) -> Iterator[Equation]:
    """Iterate over the laws of matrices, for one matrix A and batches B and C of different depth."""
    yield "the matrix product is associative", (A @ B) @ C, A @ (B @ C)
    yield "the matrix product distributes from the left", A @ (B + D), A @ B + A @ D
    yield "the matrix product distributes from the right", (B + D) @ C, B @ C + D @ C
    yield "scalars pass through the matrix product", (x * A) @ B, x * (A @ B)
    yield "the transpose of a product is the product of the transposes in reverse", (A @ B).T, B.T @ A.T
    yield "the transpose is an involution", B.T.T, B
    yield "the transpose is additive", (B + D).T, B.T + D.T
    yield "the identity matrix is neutral", np.eye(2, dtype=np.int64) @ A, A


def check_public(field: Field, A: Elements, B: Elements, u: Elements, v: Elements) -> None:
    """Check the way out to public arrays and back, and products against the public arrays' own."""
    public = A.public()
    require(agree(Elements.of(field, public).public(), public), "decode undoes encode", field)
    if not isinstance(public, np.ndarray):
        return
    require(public.shape == A.shape, "public arrays have the shape of the raw ones", field)
    for left, right in ((A, B), (u, v)):
        require(
            agree((left @ right).public(), left.public() @ right.public()),
            "public arrays have the same matrix product",
            field,
        )
    require(agree((A * A).public(), public * public), "public arrays have the same entrywise product", field)
    require(agree((A + A).public(), public + public), "public arrays have the same sum", field)
    require(agree((-A).public(), -public), "public arrays have the same negative", field)


def check_draws(field: Field) -> None:
    """Check that random elements depend on the seed and the label, and on nothing else."""

    def drawn(seed: int, label: str) -> Any:
        return verbs.draw_array(field, shape=(8, 16), seed=seed, label=label)

    require(same_raw(field, drawn(1, "one"), drawn(1, "one")), "a seed and a label name the elements drawn", field)
    require(not same_raw(field, drawn(1, "one"), drawn(2, "one")), "another seed draws other elements", field)
    require(not same_raw(field, drawn(1, "one"), drawn(1, "two")), "another label draws other elements", field)
