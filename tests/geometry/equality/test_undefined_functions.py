"""Points without a function: no equality, no fibre, no normal form; and degenerate points against brute force."""

from __future__ import annotations

import contextlib
import itertools
from dataclasses import dataclass
from functools import cache, reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import algatt
from algatt import verbs
from algatt.cli.main import main
from algatt.fields import Elements, Rationals
from algatt.layers import LayerNorm, Linear, ReLU, RMSNorm, Tanh

F = algatt.PrimeField()

COORDINATES = (algatt.Weights, algatt.AttentionMatrix, algatt.VirtualWeights)

FIELDS = pytest.mark.parametrize("field", [F, algatt.Reals()], ids=str)

SKEW, FULL, THIN, ZERO, ONE = [[0, 1], [-1, 0]], [[1, 2], [3, 4]], [[1, 2], [2, 4]], [[0, 0], [0, 0]], [[1, 0], [0, 1]]


def point(field, *layers):
    """Attention matrices and values, negative integers taken modulo p."""
    arrays = [[np.array(matrix) for matrix in layer] for layer in layers]
    if isinstance(field, algatt.PrimeField):
        arrays = [[matrix % field.p for matrix in layer] for layer in arrays]
    return algatt.AttentionMatrix.of(arrays, field=field)


def pairs(field):
    """The architecture, a point without a function, and another one; the last pairs are two without."""
    one = algatt.Normalized((2, 2), (2,), 1, algatt.layers.Power(2))
    two = algatt.Normalized((2, 2), (2,), 2, algatt.layers.Power(2))
    yield one, point(field, (SKEW, ONE)), point(field, (FULL, ONE))
    yield one, point(field, (SKEW, ONE)), point(field, ([[0, 2], [-2, 0]], ONE))
    yield two, point(field, (ZERO, ZERO)), point(field, (FULL, ZERO))
    yield two, point(field, (ZERO, ZERO)), point(field, (ZERO, ZERO))
    for score in (algatt.layers.Power(2), algatt.layers.Affine(1, 0)):
        deep = algatt.Normalized((2, 2, 2), (2, 2), 2, score)
        for last in (ZERO, SKEW):
            yield deep, point(field, (THIN, ONE), (last, ONE)), point(field, (THIN, ONE), (FULL, ONE))
            yield deep, point(field, (THIN, ONE), (last, ONE)), point(field, (THIN, ONE), (last, ONE))
    if isinstance(field, algatt.PrimeField):
        five = algatt.PrimeField(5)
        many = algatt.Normalized((2, 2), (2,), 5, algatt.layers.Affine(1, 1))
        yield many, point(five, (ZERO, ZERO)), point(five, (FULL, ZERO))
        yield many, point(five, (ZERO, ZERO)), point(five, (ZERO, ZERO))


@pytest.mark.sample(1)
@FIELDS
def test_points_without_a_function_are_equal_to_nothing(field):
    for arch, theta, other in pairs(field):
        for coordinates in COORDINATES[1:]:
            none, second = (algatt.convert(where, coordinates) for where in (theta, other))
            with pytest.raises(algatt.errors.UndefinedFunction, match="theta1 was a point with no function: "):
                algatt.same_function(arch, none, second)
            with pytest.raises(algatt.errors.UndefinedFunction, match=r"theta[12] was a point with no function: "):
                algatt.same_function(arch, second, none)
            for question in (algatt.fiber, algatt.canonical, algatt.geometry.normal_form_map):
                with pytest.raises(algatt.errors.UndefinedFunction, match="theta was a point with no function: "):
                    question(arch, none)
        if algatt.maps.has_function(arch, other):
            with pytest.raises(algatt.errors.UndefinedFunction, match="theta2 was"):
                algatt.fiber(arch, other).contains(theta)


@FIELDS
def test_weights_without_a_function(field):
    """K^T Q is skew-symmetric; with one token all other weights with the same values are one function."""
    arch = algatt.Normalized((2, 2), (2,), 1, algatt.layers.Power(2))
    ((J, V),) = point(field, (SKEW, ONE)).layers
    none, some = (algatt.Weights.of([(Q, V, V)]) for Q in (J, V))
    for question in (algatt.fiber, algatt.canonical, algatt.unexplained_kernel):
        with pytest.raises(algatt.errors.UndefinedFunction):
            question(arch, none)
    moved = algatt.act(algatt.symmetry.KeyQuery(arch).element(none, seed=1), none)
    if field == F:  # over the reals the product of the moved matrices is rounded, and not skew-symmetric any more
        with pytest.raises(algatt.errors.UndefinedFunction, match="theta1"):
            algatt.same_function(arch, none, moved)
    with pytest.raises(algatt.errors.UndefinedFunction, match="theta2"):
        algatt.same_function(arch, some, none)
    assert algatt.same_function(arch, some, algatt.Weights.of([(V + V, V, V)])).equal


def test_a_score_that_is_zero_modulo_p_gives_no_function():
    arch = algatt.Normalized((3, 2), (2,), 2, algatt.layers.Affine(31, 0))
    theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(31))
    for question in (algatt.fiber, algatt.canonical, algatt.unexplained_kernel):
        with pytest.raises(algatt.errors.UndefinedFunction):
            question(arch, theta)
    constant = algatt.Normalized((3, 2), (2,), 31, algatt.layers.Affine(31, 1))  # all weights are 1 / 31
    with pytest.raises(algatt.errors.UndefinedFunction):
        algatt.same_function(constant, theta, theta)


@dataclass(frozen=True)
class Zero(algatt.layers.Score):
    """S(x) = e^x e^{-x} - 1, which no rule of virtual forms takes for zero."""

    algebraic = False


@verbs.activate.method
def values_of_zero(score: Zero, products: Elements) -> Elements:
    return products.exp() * (-products).exp() - 1


def test_where_no_value_is_found_and_none_excluded_nothing_is_said():
    arch = algatt.Normalized((2, 2), (2,), 1, Zero())
    theta = point(algatt.Reals(), (FULL, ONE))
    with pytest.raises(algatt.errors.EquivalenceUndecided, match="no"):
        algatt.same_function(arch, theta, theta)
    fiber = algatt.fiber(arch, theta)
    assert fiber.status == "unknown"
    assert fiber.failing_hypotheses == ("a point with a value at some input, but none was found",)


def test_softmax_always_has_a_function():
    arch = algatt.Softmax((2, 2), (2,), 2)
    zero = point(algatt.Reals(), (ZERO, ONE))
    assert algatt.same_function(arch, zero, zero).equal
    assert algatt.canonical(arch, zero) == zero
    residues = point(F, (ZERO, ONE))  # gauges are about weights, also where there are no values
    assert algatt.canonical(arch, residues) == residues


REALS = pytest.mark.parametrize("field", [algatt.Reals(), Rationals()], ids=str)

COLLAPSED = {"linear_1.W": ONE, "linear_2.W": [[1, -1], [2, -2]], "norm.g": [[1], [2]], "linear_3.W": ONE}
"""Behind a matrix whose rows are equal nothing is left of a token."""


@REALS
@pytest.mark.parametrize(
    ("layers", "tensors"),
    [
        (Linear(2) >> RMSNorm(0) >> Linear(2), {"linear_1.W": ZERO, "norm.g": [[1], [2]], "linear_2.W": ONE}),
        (
            Linear(2) >> ReLU() >> RMSNorm(0) >> Linear(2),
            {"linear_1.W": ZERO, "norm.g": [[1], [2]], "linear_2.W": ONE},
        ),
        (
            Linear(2) >> Linear(2) >> RMSNorm(0) >> Linear(2),
            COLLAPSED | {"linear_1.W": [[1, 2], [1, 2]]},
        ),
        (
            Linear(2) >> LayerNorm(0) >> Linear(2),
            {"linear_1.W": [[1, 2], [1, 2]], "norm.g": [[1], [2]], "norm.b": [[1], [2]], "linear_2.W": ONE},
        ),
    ],
)
def test_roots_of_what_is_zero_at_every_input(field, layers, tensors):
    net = algatt.Network(layers, tokens=1, width=2)
    none = algatt.Weights.of(tensors, field=field)
    found = algatt.maps.has_function(net, none)
    assert (found.exists, found.status, found.error) == (False, "proven", None)
    some = algatt.Weights.of(tensors | {"linear_1.W": FULL}, field=field)
    assert algatt.maps.has_function(net, some).status == "proven"
    for one, two in ((none, none), (none, some), (some, none)):
        with pytest.raises(algatt.errors.UndefinedFunction, match=r"theta[12] was a point with no function"):
            algatt.same_function(net, one, two)
    for question in (algatt.canonical, algatt.geometry.normal_form_map):
        with pytest.raises(algatt.errors.UndefinedFunction, match="theta was a point with no function"):
            question(net, none)


def test_fibers_of_roots_of_zero_and_values_there():
    net = algatt.Network(Linear(2) >> RMSNorm(0) >> Linear(2), tokens=1, width=2)
    none = algatt.Weights.of({"linear_1.W": ZERO, "norm.g": [[1], [2]], "linear_2.W": ONE}, field=algatt.Reals())
    for question in (algatt.fiber, lambda net, theta: algatt.evaluate(net, theta, [[1.0], [2.0]])):
        with pytest.raises(algatt.errors.UndefinedFunction, match="theta was a point with no function"):
            question(net, none)


@REALS
def test_a_gate_at_zero_is_no_missing_value(field):
    net = algatt.Network(Linear(2) >> ReLU() >> RMSNorm(1) >> Linear(2), tokens=1, width=2)
    dead = algatt.Weights.of({"linear_1.W": ZERO, "norm.g": [[1], [2]], "linear_2.W": ONE}, field=field)
    assert algatt.maps.has_function(net, dead).status == "proven"
    assert algatt.same_function(net, dead, dead).status == "proven"


def test_behind_a_function_of_a_constant_nothing_is_left():
    """The token is constant behind tanh, and its entries are equal, whatever tanh is."""
    net = algatt.Network(Linear(2) >> Tanh() >> LayerNorm(0) >> Linear(2), tokens=1, width=2)
    tensors = {"linear_1.W": FULL[:1] * 2, "norm.g": [[1], [2]], "norm.b": [[1], [2]], "linear_2.W": ONE}
    theta = algatt.Weights.of(tensors, field=algatt.Reals())
    assert algatt.maps.has_function(net, theta).status == "proven"
    with pytest.raises(algatt.errors.UndefinedFunction, match="a row that is divided by is zero"):
        algatt.same_function(net, theta, theta)


def test_the_command_line_refuses_them(tmp_path, capsys):
    point(F, (SKEW, ONE)).save(tmp_path / "none.npz")
    point(F, (FULL, ONE)).save(tmp_path / "some.npz")
    names = [str(tmp_path / name) for name in ("none.npz", "some.npz")]
    options = ["--tokens", "1", "--score", "power:2"]
    assert main(["compare", *names, *options]) == 2
    assert main(["fiber", names[0], *options]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("a point with no function: a denominator is zero at every input") == 2
    assert main(["compare", names[1], names[1], *options]) == 0


class FiniteField:
    """GF(p^k) by logarithms: zero is 0, and a power of the generator its exponent plus one."""

    def __init__(self, p, k):
        self.p, self.q = p, p**k
        # The generator is a root of x^k + sum of tail[i] x^i; this is irreducible, so that tail[0] is not zero.
        for tail in itertools.product(range(1, p), *[range(p)] * (k - 1)):
            powers = [(1, *(0,) * (k - 1))]
            while len(powers) < self.q and (len(powers) == 1 or powers[-1] != powers[0]):
                *rest, top = powers[-1]
                powers.append(tuple((a - top * b) % p for a, b in zip((0, *rest), tail, strict=True)))
            if len(powers) == self.q and powers[-1] == powers[0]:
                break
        self.codes = {vector: number for number, vector in enumerate([(0,) * k, *powers[:-1]])}
        self.next = np.array([self.codes[((first + 1) % p, *rest)] for first, *rest in self.codes])  # adds one
        self.integers = np.array([self.codes[(c, *(0,) * (k - 1))] for c in range(p)])

    def product(self, a, b):
        return np.where((a == 0) | (b == 0), 0, (a + b - 2) % (self.q - 1) + 1)

    def inverse(self, a):
        return (1 - a) % (self.q - 1) + 1

    def sum(self, a, b):
        ratio = self.product(b, self.inverse(np.maximum(a, 1)))
        return np.where(a == 0, b, self.product(a, self.next[ratio]))

    def matrix_product(self, A, B):
        terms = (self.product(A[:, k : k + 1], B[k : k + 1]) for k in range(A.shape[1]))
        return reduce(self.sum, terms)

    def polynomial(self, coefficients, x):
        value = x * 0
        for c in reversed(coefficients):
            value = self.sum(self.product(value, x), self.integers[c % self.p])
        return value

    def value(self, numerator, denominator, layers, X):
        """HMK Eq 15 for the score numerator / denominator; None where a denominator vanishes."""
        for A, V in layers:
            products = self.matrix_product(X.T, self.matrix_product(A, X))
            below = self.polynomial(denominator, products)
            scores = self.product(self.polynomial(numerator, products), self.inverse(np.maximum(below, 1)))
            sums = reduce(self.sum, scores)
            if not (below.all() and sums.all()):
                return None
            X = self.matrix_product(V, self.matrix_product(X, self.product(scores, self.inverse(sums))))
        return X


DEGREES = {3: 7, 5: 5, 7: 4}

extension = cache(FiniteField)

SCORES = {
    algatt.layers.Affine(1, 1): ((1, 1), (1,)),
    algatt.layers.Affine(1, 0): ((0, 1), (1,)),
    algatt.layers.Affine(5, 1): ((1, 5), (1,)),
    algatt.layers.Power(2): ((0, 0, 1), (1,)),
    algatt.layers.Rational((1,), (0, 1)): ((1,), (0, 1)),
    algatt.layers.Rational((1, 1), (0, 1)): ((1, 1), (0, 1)),
    algatt.layers.Rational((1, 0, 1)): ((1, 0, 1), (1,)),
    algatt.layers.Rational((0, -1, 0, 1)): ((0, -1, 0, 1), (1,)),
}

INPUTS = 10
"""That there is no function, or that two differ, is seen at so many inputs over fields of 2000 elements or more."""


def brute_force(arch, theta, seed):
    """The values at random inputs over an extension of the field of the point, without the package."""
    field = extension(theta.field.p, DEGREES[theta.field.p])
    arrays = [np.array(element.raw, dtype=np.int64) for element in theta.elements]
    if isinstance(theta, algatt.Weights):
        layers = [(K.T @ Q % field.p, V) for Q, K, V in zip(*(arrays[k::3] for k in range(3)), strict=True)]
    elif isinstance(theta, algatt.AttentionMatrix):
        layers = list(zip(arrays[::2], arrays[1::2], strict=True))
    else:
        *M, L = arrays
        layers = [(matrix, np.eye(arch.dims[0], dtype=int)) for matrix in M[:-1]] + [(M[-1], L)]
    layers = [(field.integers[A], field.integers[V]) for A, V in layers]
    rng = np.random.default_rng(seed)
    inputs = rng.integers(0, field.q, (INPUTS, arch.dims[0], arch.tokens))
    return [field.value(*SCORES[arch.score], layers, X) for X in inputs]


def agree(one, two):
    """Whether there are common inputs with values, and these are equal."""
    common = [(a, b) for a, b in zip(one, two, strict=True) if a is not None and b is not None]
    return bool(common) and all(np.array_equal(a, b) for a, b in common)


@st.composite
def degenerate_pairs(draw):
    """Two points of a small network over a small field; matrices are often zero, of rank one, or skew-symmetric."""
    p = draw(st.sampled_from(list(DEGREES)))
    dims = draw(st.sampled_from([(1, 1), (2, 1), (2, 2), (1, 1, 1), (2, 1, 2), (2, 2, 1), (1, 2, 1)]))
    arch = algatt.Normalized(dims, dims[:-1], draw(st.sampled_from([1, 2, 3, 5])), draw(st.sampled_from(list(SCORES))))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    kinds = st.sampled_from(["zero", "thin", "skew", "any", "same"])

    def matrix(shape, kind):
        if kind == "zero":
            return np.zeros(shape, dtype=int)
        if kind == "thin":
            return rng.integers(0, p, (shape[0], 1)) @ rng.integers(0, p, (1, shape[1])) % p
        full = rng.integers(0, p, shape)
        return (full - full.T) % p if kind == "skew" and shape[0] == shape[1] else full

    shapes = [shape for d, e in itertools.pairwise(dims) for shape in ((d, d), (e, d))]
    first = [matrix(shape, draw(kinds)) for shape in shapes]
    chosen = [(before, shape, draw(kinds)) for before, shape in zip(first, shapes, strict=True)]
    second = [before if kind == "same" else matrix(shape, kind) for before, shape, kind in chosen]
    coordinates = draw(st.sampled_from(COORDINATES[1:]))
    layers = [list(zip(arrays[::2], arrays[1::2], strict=True)) for arrays in (first, second)]
    points = [algatt.AttentionMatrix.of(of_one, field=algatt.PrimeField(p)) for of_one in layers]
    return arch, [algatt.convert(theta, coordinates) for theta in points], int(rng.integers(2**32))


@given(degenerate_pairs())
def test_verdicts_over_small_fields_against_brute_force(case):
    """Existence and equality of rational functions, seen over larger fields; what is undecided is no claim."""
    arch, points, seed = case
    values = [brute_force(arch, theta, seed) for theta in points]
    exist = [any(value is not None for value in some) for some in values]
    assert [algatt.maps.has_function(arch, theta).exists for theta in points] == exist
    try:
        answer = algatt.same_function(arch, *points)
        assert all(exist)
        assert answer.equal == agree(*values)
    except algatt.errors.UndefinedFunction:
        assert not all(exist)
    except algatt.errors.EquivalenceUndecided:
        assert all(exist)
    for theta, some, exists in zip(points, values, exist, strict=True):
        if not exists:
            for question in (algatt.fiber, algatt.canonical):
                with pytest.raises(algatt.errors.UndefinedFunction):
                    question(arch, theta)
            continue
        with contextlib.suppress(algatt.errors.NoNormalForm):  # where too much is zero
            assert agree(some, brute_force(arch, algatt.canonical(arch, theta), seed))
        fiber = algatt.fiber(arch, theta)
        assert agree(some, brute_force(arch, fiber.sample(seed), seed))
        if fiber.theorem is not None and all(exist):
            with contextlib.suppress(algatt.errors.EquivalenceUndecided):
                assert fiber.contains(points[0]) == agree(values[0], some)


def test_samples_of_a_fibre_have_the_function():
    """Scores that nobody sees may be drawn such that they have no weights: A = 0 or skew-symmetric, with S(0) = 0."""
    three = algatt.PrimeField(3)
    arch = algatt.Normalized((1, 1), (1,), 2, algatt.layers.Power(2))
    zero_values = algatt.fiber(arch, algatt.AttentionMatrix.of([([[1]], [[0]])], field=three))
    assert zero_values.case == "V = 0: the attention matrix is not seen"
    deep = algatt.Normalized((2, 1, 2), (2, 1), 5, algatt.layers.Affine(1, 0))
    seven = algatt.PrimeField(7)
    layers = [([[1, 0], [0, 1]], [[5, 4], [1, 5]], [[6, 2]]), ([[6]], [[2]], [[2], [6]])]
    unknown = algatt.fiber(deep, algatt.Weights.of(layers, field=seven))
    assert unknown.case == "outside of the theorems' hypotheses"
    for seed in range(40):
        assert algatt.maps.has_function(arch, zero_values.sample(seed))
        assert algatt.maps.has_function(deep, unknown.sample(seed))
