"""Conformance kits: what every field, every parameter point and every architecture has to satisfy, for this package's own and for yours.

Each kit runs the laws of its kind on one instance and raises an `AssertionError` that names the law and the instance. Nothing here needs a test
runner::

    from algatt import testing

    testing.check_field(MyField())
    testing.check_architecture(MyAttention(dims=(4, 3, 4), ranks=(2, 2), tokens=3))
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.dispatch import Verb
from algatt.errors import MethodError
from algatt.fields import Degree, Degrees, Dual, Elements, Field, PrimeField, Reals
from algatt.parameters import Parameters, Weights, load
from algatt.symmetry import Symmetry

__all__ = ["Instance", "check_architecture", "check_field", "check_parameters", "coordinate_systems", "examples", "market"]

ROUNDING = 1e-6
"""Floats agree if they differ by at most this part of the largest of them: gauge matrices and deep networks cost some of the sixteen digits."""


def examples(kind: Any) -> list[Any]:
    """Return the examples of all concrete classes of a kind of noun.

    Parameters
    ----------
    kind : type
        `Field`, `Parameters` or `Architecture`; its subclasses tell their own ``examples()``.
    """
    return [example for cls in kind.__subclasses__() for example in cls.examples()]


def require(holds: bool, law: str, instance: object, detail: object = "") -> None:
    """Raise an `AssertionError` that names the law and the instance unless the law holds."""
    if not holds:
        raise AssertionError(f"{law}: this fails for {instance}" + (f" ({detail})" if detail else ""))


def has_method(verb: Verb[..., Any], *kinds: type) -> bool:
    """Say whether a verb has a method for these types."""
    try:
        verb.resolve(kinds)
    except MethodError:
        return False
    return True


def agree(one: Any, two: Any) -> bool:
    """Compare public values: floats up to rounding, everything else exactly."""
    if isinstance(one, np.ndarray) and isinstance(two, np.ndarray):
        if one.dtype.kind != "f" or one.shape != two.shape:
            return bool(np.array_equal(one, two))
        scale = max(np.abs(one).max(initial=0.0), np.abs(two).max(initial=0.0))
        return bool(np.all(np.abs(one - two) <= ROUNDING * scale))
    return bool(one == two)


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Fields


def check_field(field: Field) -> None:
    """Check that a field computes as a commutative ring should, and that its elements survive being encoded and decoded.

    The laws run on arrays of several shapes, so that broadcasting is part of them. A field from which nothing can be drawn is checked on its
    constants alone.

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
    A, B, C, x = draw(field, (2, 3), "A"), draw(field, (5, 1, 3, 4), "B"), draw(field, (3, 4, 2), "C"), draw(field, (), "x")
    require_equations(field, matrix_laws(A, B, draw(field, (3, 4), "D"), C, x))
    # Long enough that sums of products have to be reduced on the way in every representation modulo p.
    u, v, w = draw(field, (1, 700), "u"), draw(field, (700, 1), "v"), draw(field, (700, 1), "w")
    require_equations(field, [("a long product is linear", u @ (v + w), u @ v + u @ w)])
    y = draw(field, (), "y")
    equal = (x * np.ones((1, 1024), dtype=np.int64)) @ (y * np.ones((1024, 1), dtype=np.int64))
    require_equations(
        field, [("a long product of equal terms is a multiple of one term", equal, doubled(x * np.ones((1, 1), dtype=np.int64) * y, 10))]
    )
    check_public(field, A, draw(field, (3, 4), "D"), u, v)
    if has_method(verbs.draw_array, type(field)):
        check_draws(field)


def check_value(noun: Any) -> None:
    """Check that a noun is a value: equal to its copies, hashable, printable."""
    twin = copy.deepcopy(noun)
    require(twin == noun, "a copy is equal to the original", noun)
    require(hash(twin) == hash(noun), "equal values have equal hashes", noun)
    require(type(noun).__name__ in repr(noun), "the repr names the class", noun)


def draw(field: Field, shape: tuple[int, ...], label: str) -> Elements:
    """Return random elements; constants where the field draws none."""
    if has_method(verbs.draw_array, type(field)):
        return Elements(field, verbs.draw_array(field, shape=shape, seed=0, label=label))
    return Elements.of(field, np.ones(shape, dtype=np.int64))


def doubled(x: Elements, times: int) -> Elements:
    """Return x added to itself until there are 2^times summands."""
    for _ in range(times):
        x = x + x
    return x


Equation = tuple[str, Elements, Elements]


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
        require(agree((left @ right).public(), left.public() @ right.public()), "public arrays have the same matrix product", field)
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


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Parameters


def check_parameters(theta: Parameters) -> None:
    """Check that a parameter point is a frozen value which can be listed, shown, copied and stored.

    Parameters
    ----------
    theta : Parameters
        The point to check.

    Raises
    ------
    AssertionError
        Naming the law that fails.
    """
    check_value(theta)
    names = theta.names()
    require(len(names) == len(theta.elements) == len(set(names)), "every array has a name of its own", theta)
    require(theta.replaced(theta.elements) == theta, "parameters of the same arrays are equal", theta)
    require(str(theta.field) in repr(theta), "the repr names the field", theta)
    table = theta._repr_html_()
    require(table.count("<tr>") == len(names) and table.startswith("<table>"), "the notebook's table has a row for each array", theta)
    listed = [entry for element in theta.elements for entry in element.public().ravel().tolist()]
    require(verbs.flatten(theta).tolist() == listed, "flatten lists the arrays in order, each row by row", theta)
    check_frozen(theta)
    for name, end in zip(names, np.cumsum([np.prod(element.shape) for element in theta.elements]), strict=True):
        require(changed(theta, listed, int(end) - 1) != theta, "parameters with another entry differ", theta, f"the last one of {name}")
    if isinstance(theta.field, PrimeField | Reals):
        check_storage(theta)


def changed(theta: Parameters, listed: list[Any], position: int) -> Parameters:
    """Return the parameters with one added to the entry at `position` of the flat vector."""
    entries = Elements.of(theta.field, listed) + Elements.of(theta.field, [int(k == position) for k in range(len(listed))])
    public = entries.public()
    arrays = []
    start = 0
    for element in theta.elements:
        size = int(np.prod(element.shape))
        arrays.append(Elements.of(theta.field, public[start : start + size].reshape(element.shape)))
        start += size
    return theta.replaced(arrays)


def check_frozen(theta: Parameters) -> None:
    """Check that writing into a public array is refused or changes a copy."""
    before = hash(theta)
    for element in theta.elements:
        public = element.public()
        if public.size and public.flags.writeable:
            old = public[0, 0].copy()
            public[0, 0] = old + old.__class__(1)
            frozen = hash(theta) == before
            public[0, 0] = old
            require(frozen, "writing into a public array does not change the parameters", theta)


def check_storage(theta: Parameters) -> None:
    """Check that parameters are read back from a file as they were, whatever was in the file before."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "theta.npz"
        path.write_bytes(b"something else")
        theta.save(path)
        stored = load(path)
    require(stored == theta and stored.field == theta.field, "load undoes save", theta)


# ---------------------------------------------------------------------------------------------------------------------------------------------
# Architectures


@dataclass(frozen=True)
class Instance:
    """An architecture with a point and inputs over one field: everything that a verb about networks asks for.

    Parameters
    ----------
    arch : Architecture
        The network.
    coordinates : type
        The coordinate system of the point.
    field : Field
        Where its entries lie.
    seed : int
        Names the point and the inputs.
    """

    arch: Architecture
    coordinates: type[Parameters]
    field: Field
    seed: int = 0

    @property
    def theta(self) -> Any:
        """The point."""
        return verbs.sample(self.arch, self.coordinates, field=self.field, seed=self.seed)

    @property
    def inputs(self) -> Any:
        """Two inputs, as a public array of shape (2, d_0, t)."""
        return verbs.sample_inputs(self.arch, field=self.field, seed=self.seed, count=2)

    def value(self, theta: Any = None) -> Any:
        """The network's values at the inputs, for the point or for other parameters."""
        return verbs.evaluate(self.arch, self.theta if theta is None else theta, self.inputs)

    def __str__(self) -> str:
        return f"{self.arch} in {self.coordinates.__name__} over {self.field}"


def coordinate_systems(arch: Architecture) -> list[type[Parameters]]:
    """Return the coordinate systems in which an architecture can be evaluated."""
    return [cls for cls in Parameters.__subclasses__() if has_method(verbs.evaluate, type(arch), cls, Elements)]


def market() -> dict[str, Instance]:
    """Return the named instances that every verb is run over.

    They are the examples of all architectures, in every coordinate system that each of them knows, over the smallest field, a small one, the
    default one, one whose residues need Python integers, and the reals.

    Returns
    -------
    dict
        From the instance's description to the `Instance`.
    """
    fields = (PrimeField(2), PrimeField(31), PrimeField(), PrimeField(2305843009213693951), Reals())
    instances = (
        Instance(arch, coordinates, field) for arch in examples(Architecture) for coordinates in coordinate_systems(arch) for field in fields
    )
    return {str(instance): instance for instance in instances}


def check_architecture(arch: Architecture, seed: int = 0) -> None:
    """Check an architecture against its own derivative, degrees, coordinates, symmetries and bounds, over GF(p) and over the reals.

    An architecture needs nothing but a method of `algatt.evaluate` for `Weights`: coordinate systems without a method are left out, and symmetry
    families count if `algatt.members` names them.

    Parameters
    ----------
    arch : Architecture
        The network to check; its values have to be polynomials in weights and inputs.
    seed : int, optional
        Names the point and the inputs.

    Raises
    ------
    AssertionError
        Naming the law that fails and the instance.
    """
    check_value(arch)
    systems = coordinate_systems(arch)
    require(Weights in systems, "an architecture can be evaluated in Weights", arch)
    for field in (PrimeField(), Reals()):
        for coordinates in systems:
            instance = Instance(arch, coordinates, field, seed)
            check_sampling(instance)
            check_flatten(instance)
            check_values(instance)
            if isinstance(field, PrimeField):
                check_polynomial(instance, field.p)
            else:
                check_slope(instance)
            check_gradients(instance)
            for family in verbs.symmetries(arch):
                check_action(instance, family)
        for family in verbs.symmetries(arch):
            check_tangents(Instance(arch, Weights, field, seed), family)
    check_bounds(arch, seed)


def check_sampling(instance: Instance) -> None:
    """Check that points and inputs depend on the seed and on nothing else."""
    arch, coordinates, field, seed = instance.arch, instance.coordinates, instance.field, instance.seed

    def point(number: int) -> Any:
        return verbs.sample(arch, coordinates, field=field, seed=number)

    require(point(seed) == point(seed), "a seed names the point", instance)
    require(point(seed) != point(seed + 1), "another seed draws another point", instance)
    inputs = verbs.sample_inputs(arch, field=field, seed=seed, count=3)
    require(inputs.shape == (3, arch.dims[0], arch.tokens), "inputs have shape (count, d_0, t)", instance, inputs.shape)
    later = verbs.sample_inputs(arch, field=field, seed=seed, count=2, start=1)
    require(np.array_equal(inputs[1:], later), "inputs are numbered", instance)
    other = verbs.sample_inputs(arch, field=field, seed=seed + 1, count=3)
    require(not np.array_equal(inputs, other), "another seed draws other inputs", instance)


def check_flatten(instance: Instance) -> None:
    """Check that flatten and unflatten are inverse, with as many numbers as the shapes say."""
    theta = instance.theta
    vector = verbs.flatten(theta)
    count = sum(rows * columns for rows, columns in verbs.shapes(instance.arch, instance.coordinates))
    require(vector.shape == (count,), "flatten has one entry for each parameter", instance, vector.shape)
    again = verbs.unflatten(instance.arch, instance.coordinates, vector)
    require(again == theta, "unflatten undoes flatten", instance)
    require(np.array_equal(verbs.flatten(again), vector), "flatten undoes unflatten", instance)


def check_values(instance: Instance) -> None:
    """Check the shape of the values, batches against single inputs, the function object, and one coordinate system against the first."""
    arch, theta, inputs = instance.arch, instance.theta, instance.inputs
    value = instance.value()
    require(value.shape == (2, arch.dims[-1], arch.tokens), "values have shape (batch, d_l, t)", instance, value.shape)
    for one, expected in zip(inputs, value, strict=True):
        require(agree(verbs.evaluate(arch, theta, one), expected), "a batch is evaluated as its inputs are one by one", instance)
    function = verbs.parametrization(arch, instance.coordinates)(theta)
    require(agree(function(inputs), value), "the parametrization's function has the network's values", instance)
    weights = verbs.sample(arch, Weights, field=instance.field, seed=instance.seed)
    require(agree(value, instance.value(weights)), "all coordinates define the same function", instance)


def degree_in(arch: Architecture, coordinates: type[Parameters]) -> Degree:
    """Return the bounds of the degrees in the parameters of one coordinate system and in the inputs."""
    if coordinates is Weights:
        weights: Degree = verbs.degree(arch)
        return weights
    degrees = Degrees()
    theta = coordinates(tuple(Elements(degrees, Degree(1, 0, shape)) for shape in verbs.shapes(arch, coordinates)))
    value: Degree = verbs.evaluate(arch, theta, Elements(degrees, Degree(0, 1, (arch.dims[0], arch.tokens)))).raw
    return value


def integers(array: Any) -> np.ndarray:
    """Return residues as plain Python integers, whose arithmetic is nobody's code under test."""
    return np.array(array.tolist(), dtype=object)


def differences(function: Callable[[int], np.ndarray], count: int, p: int) -> list[np.ndarray]:
    """Return the forward differences of order 0, ..., count - 1 of a function at 0, modulo p."""
    row = [function(s) for s in range(count)]
    leading = []
    while row:
        leading.append(row[0])
        row = [(after - before) % p for before, after in pairwise(row)]
    return leading


def check_polynomial(instance: Instance, p: int) -> None:
    """Check degrees and Jacobian exactly over GF(p), by finite differences along lines.

    A polynomial f of degree D has vanishing differences of order D + 1, and f'(0) = sum over n = 1..D of (-1)^(n+1) / n times its n-th one.
    """
    arch, inputs = instance.arch, instance.inputs
    degree = degree_in(arch, instance.coordinates)
    point = integers(verbs.flatten(instance.theta))
    direction = integers(verbs.draw_array(PrimeField(p), shape=point.shape, seed=instance.seed, label="direction")).astype(np.int64)

    def along_parameters(s: int) -> np.ndarray:
        return integers(instance.value(verbs.unflatten(arch, instance.coordinates, (point + s * direction) % p, field=instance.field)))

    def along_inputs(s: int) -> np.ndarray:
        moved = (integers(inputs[0]) + s * integers(inputs[1])) % p
        return integers(verbs.evaluate(arch, instance.theta, moved))

    leading = differences(along_parameters, degree.weights + 2, p)
    require(not leading[-1].any(), "the degree in the parameters is at most the bound", instance, degree)
    require(not differences(along_inputs, degree.inputs + 2, p)[-1].any(), "the degree in the inputs is at most the bound", instance, degree)
    jacobian = integers(verbs.jacobian(arch, instance.theta, inputs))
    require(jacobian.shape == (leading[0].size, point.size), "the Jacobian has a row for each value, a column for each parameter", instance)
    slope = sum((-1) ** (n + 1) * pow(n, -1, p) * leading[n] for n in range(1, degree.weights + 1)) % p
    require(np.array_equal(jacobian @ direction % p, slope.ravel()), "the Jacobian is the derivative of the values", instance)


def check_slope(instance: Instance) -> None:
    """Check the Jacobian over the reals against a central difference."""
    point = verbs.flatten(instance.theta)
    direction = verbs.draw_array(instance.field, shape=point.shape, seed=instance.seed, label="direction")
    step = 1e-6
    ends = [instance.value(verbs.unflatten(instance.arch, instance.coordinates, point + s * direction)) for s in (step, -step)]
    slope = verbs.jacobian(instance.arch, instance.theta, instance.inputs) @ direction
    scale = max(np.abs(slope).max(), np.abs(ends[0]).max())
    close = np.abs((ends[0] - ends[1]).ravel() / (2 * step) - slope) <= 1e-4 * scale
    require(bool(close.all()), "the Jacobian is the derivative of the values", instance)


def check_gradients(instance: Instance) -> None:
    """Check the derivatives that are carried backwards against those that are carried forwards."""
    arch, inputs = instance.arch, Elements.of(instance.field, instance.inputs)
    last = arch.dims[-1] * arch.tokens - 1
    rows = verbs.gradients(arch, instance.theta, inputs, outputs=np.array([0, last])).public()
    jacobian = verbs.jacobian(arch, instance.theta, inputs).public()
    require(agree(rows, jacobian[[0, 2 * last + 1]]), "gradients are rows of the Jacobian", instance)


def check_action(instance: Instance, family: Symmetry) -> None:
    """Check that a symmetry family leaves the function unchanged, moves the weights, and commutes with the quotient arrows."""
    weights = verbs.sample(instance.arch, Weights, field=instance.field, seed=instance.seed)
    element = family.element(weights, instance.seed)
    if not has_method(verbs.act, type(element), instance.coordinates):
        return
    theta = instance.theta
    moved = verbs.act(element, theta)
    described = f"the family {family.name}"
    require(agree(instance.value(moved), instance.value(theta)), f"{described} leaves the function unchanged", instance)
    along = verbs.convert(verbs.act(element, weights), instance.coordinates)
    require(agree(verbs.flatten(moved), verbs.flatten(along)), f"{described} acts before an arrow as after it", instance)
    if instance.coordinates is Weights and family.dimension:
        require(moved != theta, f"{described} moves the weights", instance)


def check_tangents(instance: Instance, family: Symmetry) -> None:
    """Check that the function is constant along the tangents of a family, and over GF(p) that they have the family's dimension."""
    law = f"the family {family.name} has tangents along which the function is constant"
    tangents = family.tangents(instance.theta)
    jacobian = verbs.jacobian(instance.arch, instance.theta, instance.inputs)
    along = jacobian @ tangents.T
    if isinstance(instance.field, PrimeField):
        require(not np.any(along), law, instance)
        rank = verbs.rank(tangents)
        same = f"the family {family.name} has tangents of rank equal to its dimension"
        require(rank == family.dimension, same, instance, f"{rank} and {family.dimension}")
    else:
        scale = np.abs(jacobian) @ np.abs(tangents.T)
        require(bool(np.all(np.abs(along) <= ROUNDING * scale.max(initial=0.0))), law, instance)


def check_bounds(arch: Architecture, seed: int) -> None:
    """Check that the bounds of the dimension are in order and that no theorem contradicts them."""
    report = verbs.dimension(arch, seed=seed)
    found = f"{report.lower} and {report.upper}"
    require(report.lower <= report.value <= report.upper <= arch.parameters, "the lower bound is at most the upper bound", arch, found)
    expected = verbs.expected_dimension(arch)
    require(expected is None or expected == report.value, "the dimension is the theorem's", arch, f"{report.value} and {expected}")
