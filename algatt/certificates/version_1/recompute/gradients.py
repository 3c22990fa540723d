"""Minors of the Jacobian, the chain rule written out by hand; the same formulas for residues and for balls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from algatt.certificates.version_1.recompute.points import Layer, Matrix, ModularPoint, Point, RealPoint
from algatt.certificates.version_1.recompute.scores import Exponential, Score

__all__ = [
    "determinant",
    "enclosed_determinant",
    "gradient",
    "jacobian_minor",
    "rank_of_exponents",
    "traces",
    "value",
]


@dataclass(frozen=True)
class Comparison:
    """How the tokens of a normalised layer compare.

    Parameters
    ----------
    weights, slopes : matrix
        W_ji = S(s_ji) / T_i and S'(s_ji) / T_i, where T_i is the sum of the S(s_ki) over k.
    """

    weights: Matrix
    slopes: Matrix


@dataclass(frozen=True)
class Trace:
    """What the chain rule needs to know of a layer's way from input to output.

    Parameters
    ----------
    X : matrix
        The tokens that it got.
    comparison : Comparison or None
        Their normalised scores; None for lightning.
    """

    X: Matrix
    comparison: Comparison | None


def trace_of(where: Point, layer: Layer, X: Matrix, residues: list[Any] | None = None) -> Trace:
    """Compare the tokens of a layer's input; `ZeroDivisionError` if a denominator vanishes modulo p."""
    score = where.network.score
    return Trace(X, None if score is None else weights_of(where, score, layer, X, residues))


def scores(layer: Layer, X: Matrix) -> list[Any]:
    """Return what the tokens of a layer's input are compared by, key by key."""
    Q, K, _ = layer
    entries: list[Any] = ((K * X).transpose() * (Q * X)).entries()
    return entries


def weights_of(where: Point, score: Score, layer: Layer, X: Matrix, residues: list[Any] | None) -> Comparison:
    """Compute the normalised weights, from residues that stand for exponentials if these are given."""
    t = where.network.tokens
    if residues is not None and isinstance(score, Exponential):
        pairs = [score.with_value(value) for value in residues]
    else:
        pairs = [score.at(s) for s in scores(layer, X)]
    totals = [sum(value for value, _ in pairs[i::t]) for i in range(t)]
    weights = [value / totals[n % t] for n, (value, _) in enumerate(pairs)]
    slopes = [derivative / totals[n % t] for n, (_, derivative) in enumerate(pairs)]
    return Comparison(where.matrix(t, t, weights), where.matrix(t, t, slopes))


def output_of(layer: Layer, trace: Trace) -> Matrix:
    """Return what a layer makes of its tokens: V X W, or V X X^T A X for lightning."""
    Q, K, V = layer
    X = trace.X
    return (
        V * (X * X.transpose()) * (K.transpose() * Q) * X
        if trace.comparison is None
        else V * X * trace.comparison.weights
    )


def traces(where: Point, number: int) -> list[Trace]:
    """Follow an input through the layers."""
    X = where.input(number)
    found = []
    for number_of_layer, layer in enumerate(where.layers):
        found.append(trace_of(where, layer, X, where.residues(number_of_layer, number)))
        X = output_of(layer, found[-1])
    return found


def value(where: Point, number: int) -> Matrix:
    """Return the network's value at an input."""
    return output_of(where.layers[-1], traces(where, number)[-1])


def rank_of_exponents(where: ModularPoint, inputs: int) -> int:
    """Return the rank of the differences between the exponents of some inputs and those of the first one, all of which
    have no vanishing denominator.
    """
    rows = []
    for number in range(inputs):
        try:
            passed = traces(where, number)
        except ZeroDivisionError:
            continue
        pairs = zip(where.layers, passed, strict=True)
        rows.append([int(s) for layer, trace in pairs for s in scores(layer, trace.X)])
    differences = [entry - first for row in rows[1:] for entry, first in zip(row, rows[0], strict=True)]
    return int(where.matrix(len(rows) - 1, len(rows[0]), differences).rank()) if len(rows) > 1 else 0


def through_lightning(layer: Layer, X: Matrix, G: Matrix) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return the derivatives by Q, K, V and the tokens X, if G is that by the layer's output.

    With Y = V S A X, S = X X^T and A = K^T Q, the derivative by V is G (S A X)^T, by A it is (V S)^T G X^T, and by X it
    is (V S A)^T G + (H + H^T) X with H = V^T G (A X)^T.
    """
    Q, K, V = layer
    S, A = X * X.transpose(), K.transpose() * Q
    AX, VS = A * X, V * S
    by_A = VS.transpose() * G * X.transpose()
    H = V.transpose() * G * AX.transpose()
    by_X = (VS * A).transpose() * G + (H + H.transpose()) * X
    return K * by_A, Q * by_A.transpose(), G * (S * AX).transpose(), by_X


def through_normalised(
    where: Point, layer: Layer, X: Matrix, comparison: Comparison, G: Matrix
) -> tuple[Matrix, Matrix, Matrix, Matrix]:
    """Return the derivatives by Q, K, V and the tokens X, if G is that by the layer's output.

    With Y = V X W the derivative by V is G (X W)^T, by W it is B = (V X)^T G, and by X, with W as it is, V^T G W^T. A
    score s_ji changes column i of W, by S'(s_ji) / T_i in entry j and by -W_ki S'(s_ji) / T_i in every entry k: so the
    derivative by it is C_ji = (B_ji - sum_k W_ki B_ki) S'(s_ji) / T_i. With s = (K X)^T Q X the rest follows.
    """
    (Q, K, V), W = layer, comparison.weights
    t = where.network.tokens
    B = ((V * X).transpose() * G).entries()
    weights = W.entries()
    means = [sum(weights[n] * B[n] for n in range(i, t * t, t)) for i in range(t)]
    C = where.matrix(t, t, [(B[n] - means[n % t]) * slope for n, slope in enumerate(comparison.slopes.entries())])
    keys, queries = (K * X) * C, (Q * X) * C.transpose()
    by_X = V.transpose() * G * W.transpose() + Q.transpose() * keys + K.transpose() * queries
    return keys * X.transpose(), queries * X.transpose(), G * (X * W).transpose(), by_X


def gradient(where: Point, passed: list[Trace], output: int) -> list[Any]:
    """Return the derivative of one entry of the network's value by all parameters."""
    height, width = where.network.dims[-1], where.network.tokens
    G = where.matrix(height, width, [int(entry == output) for entry in range(height * width)])
    pieces: list[list[Any]] = []
    for layer, trace in zip(reversed(where.layers), reversed(passed), strict=True):
        if trace.comparison is None:
            by_Q, by_K, by_V, G = through_lightning(layer, trace.X, G)
        else:
            by_Q, by_K, by_V, G = through_normalised(where, layer, trace.X, trace.comparison, G)
        pieces += [by_V.entries(), by_K.entries(), by_Q.entries()]
    return [entry for piece in reversed(pieces) for entry in piece]


def jacobian_minor(
    where: Point, rows: list[int], columns: list[int], progress: Callable[[int, int], object] | None = None
) -> Matrix:
    """Return the submatrix of the Jacobian; rows are ordered (input, output row, token)."""
    passed: dict[int, list[Trace]] = {}
    entries: list[Any] = []
    for done, row in enumerate(rows):
        number, output = divmod(row, where.network.outputs)
        if number not in passed:
            passed[number] = where.compute(traces, where, number)
        derivative = where.compute(gradient, where, passed[number], output)
        entries += [derivative[column] for column in columns]
        if progress is not None:
            progress(done + 1, len(rows))
    return where.matrix(len(rows), len(columns), entries)


def determinant(square: Matrix) -> int:
    """Return the determinant of a matrix modulo p; that of an empty matrix is 1."""
    return int(square.det()) if square.nrows() else 1


def enclosed_determinant(where: RealPoint, square: Matrix) -> Any:
    """Return a ball around the determinant; that of an empty matrix is 1."""
    import flint

    return where.compute(square.det) if square.nrows() else flint.arb(1)
