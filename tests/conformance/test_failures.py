"""The kits find what they are there to find: each test breaks one thing and reads the name of the law."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

import algatt
from algatt import verbs
from algatt.fields import Adjoint, Degrees, Dual, Elements, Field, PrimeField
from algatt.geometry import Formula
from algatt.testing import check_architecture, check_field, check_parameters

P31 = PrimeField(31)


@dataclass(frozen=True)
class BrokenField(Field):
    """GF(31) with a fault in one verb."""

    fault: str


@verbs.encode.method
def encode_broken(field: BrokenField, array: object, *, argument: str = "array") -> np.ndarray:
    return verbs.encode(P31, array, argument=argument)


@verbs.decode.method
def decode_broken(field: BrokenField, raw: np.ndarray) -> Any:
    return verbs.decode(P31, (raw + 1) % 31 if field.fault == "decode" else raw)


@verbs.draw_array.method
def draw_broken(field: BrokenField, *, shape: tuple[int, ...], seed: int, label: str) -> np.ndarray:
    seed, label = (0 if field.fault == "seed" else seed), ("" if field.fault == "label" else label)
    return verbs.draw_array(P31, shape=shape, seed=seed, label=label)


@verbs.add.method
def add_broken(field: BrokenField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (left + 2 * right if field.fault == "add" else left + right) % 31


@verbs.negate.method
def negate_broken(field: BrokenField, raw: np.ndarray) -> np.ndarray:
    return raw if field.fault == "negate" else -raw % 31


@verbs.multiply.method
def multiply_broken(field: BrokenField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    return (left * right + left if field.fault == "multiply" else left * right) % 31


@verbs.transpose.method
def transpose_broken(field: BrokenField, raw: np.ndarray) -> np.ndarray:
    swapped = np.swapaxes(raw, -1, -2)
    return swapped[..., ::-1, :] if field.fault == "transpose" else swapped


@verbs.product.method
def product_broken(field: BrokenField, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    if field.fault == "overflow" and left.shape[-1] > 100:  # sums of many products lose their last digit
        return (left @ right) // 2 * 2 % 31
    return (2 * (left @ right) if field.fault == "product" else left @ right) % 31


def test_the_field_without_a_fault_passes():
    check_field(BrokenField("none"))


@pytest.mark.parametrize(
    ("fault", "law"),
    [
        ("add", "addition is commutative"),
        ("negate", "the negative is an inverse"),
        ("multiply", "multiplication is commutative"),
        ("transpose", "the transpose of a product is the product of the transposes in reverse"),
        ("product", "the identity matrix is neutral"),
        ("overflow", "a long product is linear"),
        ("decode", "decode undoes encode"),
        ("seed", "another seed draws other elements"),
        ("label", "another label draws other elements"),
    ],
)
def test_a_fault_of_a_field_is_named(fault, law):
    with pytest.raises(AssertionError, match=f"{law}: this fails for BrokenField"):
        check_field(BrokenField(fault))


@dataclass(frozen=True, eq=False, repr=False)
class Nameless(algatt.Weights):
    """Weights whose arrays have all the same name."""

    def names(self):
        return ("W",) * len(self.elements)


class AllEqual(algatt.Weights):
    """Weights that are equal whatever their entries."""

    def __eq__(self, other):
        return isinstance(other, AllEqual)

    def __hash__(self):
        return 0


class Writable(algatt.Weights):
    """Weights whose public arrays are a way in."""

    def __post_init__(self):
        object.__setattr__(self, "elements", tuple(Elements(one.field, one.raw.copy()) for one in self.elements))


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (Nameless, "every array has a name of its own"),
        (AllEqual, "parameters with another entry differ"),
        (Writable, "writing into a public array does not change the parameters"),
    ],
)
def test_a_fault_of_parameters_is_named(kind, law):
    theta, *_ = kind.examples()
    with pytest.raises(AssertionError, match=f"{law}: this fails for {kind.__name__}"):
        check_parameters(theta)


@dataclass(frozen=True)
class BrokenAttention(algatt.architectures.AttentionNetwork):
    """Lightning attention with a fault."""

    fault: str = "none"


@verbs.evaluate.method
def evaluate_broken(arch: BrokenAttention, theta: algatt.Weights, inputs: Elements) -> Elements:
    X = inputs
    for Q, K, V in theta.layer_elements:
        X = V @ (X @ ((Q if arch.fault == "symmetry" else K) @ X).T) @ (Q @ X)
    field = inputs.field
    faulty = {
        "shape": X.T @ X,
        "batch": X + X if len(inputs.shape) == 3 else X,
        "derivative": X + X if isinstance(field, Dual) else X,
        "gradient": X + X if isinstance(field, Adjoint) else X,
        "one gradient": X * (1 + middle_of(arch)) if isinstance(field, Adjoint) else X,
        "degree": X if isinstance(field, Degrees) else X * X,
    }
    return faulty.get(arch.fault, X)


def middle_of(arch: algatt.architectures.Architecture) -> np.ndarray:
    """One at an entry of the value that is neither the first nor the last."""
    middle = np.zeros((arch.dims[-1], arch.tokens), dtype=np.int64)
    middle[0, -1] = 1
    return middle


class Miscounted(algatt.symmetry.KeyQuery):
    """The key-query gauge with a wrong dimension."""

    @property
    def dimension(self):
        return super().dimension + 1


class Frozen(algatt.symmetry.KeyQuery):
    """The key-query gauge, of which only the identity is ever drawn."""

    def element(self, theta, seed=0):
        eye = tuple(Elements.of(theta.field, np.eye(a, dtype=np.int64)) for a in self.arch.ranks)
        return self.of(eye)


class Invented(algatt.symmetry.KeyQuery):
    """The key-query gauge with tangents that forget the queries."""

    def tangent_parts(self, theta):
        return [
            {name: part for name, part in parts.items() if name.startswith("K")}
            for parts in super().tangent_parts(theta)
        ]


class Crooked(algatt.symmetry.SpacesElement):
    """An element of the key-query gauge whose products, or inverses, are other elements of it."""


@verbs.compose.method
def compose_in_the_wrong_order(left: Crooked, right: Crooked) -> Crooked:
    matrices = tuple(two @ one for one, two in zip(left.matrices, right.matrices, strict=True))
    return Crooked(matrices, tuple(verbs.inverse(matrix) for matrix in matrices), left.family)


class WrongProduct(algatt.symmetry.KeyQuery):
    """The key-query gauge with products in the wrong order."""

    def element(self, theta, seed=0):
        drawn = super().element(theta, seed)
        return Crooked(drawn.matrices, drawn.inverses, self)


class Involutive(algatt.symmetry.SpacesElement):
    """An element of the key-query gauge that is taken for its own inverse."""


@verbs.inverse.method
def inverse_of_involutive(matrix: Involutive) -> Involutive:
    return matrix


class WrongInverse(algatt.symmetry.KeyQuery):
    """The key-query gauge with elements that are taken for their own inverses."""

    def element(self, theta, seed=0):
        drawn = super().element(theta, seed)
        return Involutive(drawn.matrices, drawn.inverses, self)


class WrongIdentity(algatt.symmetry.KeyQuery):
    """The key-query gauge whose identity is minus the identity."""


@verbs.identity.method
def identity_of_wrong(family: WrongIdentity, field: Field) -> algatt.symmetry.SpacesElement:
    return family.of([-Elements.of(field, np.eye(a, dtype=np.int64)) for a in family.sizes])


@verbs.symmetries.method
def symmetries_of_broken(arch: BrokenAttention) -> tuple[algatt.symmetry.Symmetry, ...]:
    faulty = {
        "dimension": Miscounted,
        "identity": Frozen,
        "tangents": Invented,
        "product": WrongProduct,
        "inverse": WrongInverse,
        "neutral": WrongIdentity,
    }
    return (faulty.get(arch.fault, algatt.symmetry.KeyQuery)(arch), algatt.symmetry.Rescaling(arch))


@verbs.formulas.method
def formulas_of_broken(arch: BrokenAttention) -> tuple[Formula, ...]:
    return (Formula(3, "nowhere", theorem=True),) if arch.fault == "theorem" else ()


SOUND = BrokenAttention((3, 2), (2,), 3)


def test_the_architecture_without_a_fault_passes():
    check_architecture(SOUND)


@pytest.mark.sample(6)
@pytest.mark.parametrize(
    ("fault", "law"),
    [
        ("shape", "values have shape"),
        ("batch", "a batch is evaluated as its inputs are one by one"),
        ("derivative", "the Jacobian is the derivative of the values"),
        ("gradient", "gradients are rows of the Jacobian"),
        ("one gradient", "what is pulled back is a combination of rows of the Jacobian"),
        ("degree", "the degree in the parameters is at most the bound"),
        ("symmetry", "the family key-query leaves the function unchanged"),
        ("identity", "the family key-query moves the weights"),
        ("product", "the family key-query acts by a product as by its factors in turn"),
        ("inverse", "the family key-query acts by an inverse as the way back"),
        ("neutral", "the family key-query does nothing by its identity"),
        ("tangents", "the family key-query has tangents along which the function is constant"),
        ("dimension", "the family key-query has tangents of rank equal to its dimension"),
        ("theorem", "the dimension is the theorem's"),
    ],
)
def test_a_fault_of_an_architecture_is_named(fault, law):
    with pytest.raises(AssertionError, match=rf"{law}.*: this fails for BrokenAttention\(dims=\(3, 2\)"):
        check_architecture(replace(SOUND, fault=fault))


def test_an_architecture_that_cannot_be_evaluated_is_named():
    @dataclass(frozen=True)
    class Silent(algatt.architectures.AttentionNetwork):
        pass

    with pytest.raises(AssertionError, match=r"an architecture can be evaluated in Weights: this fails for .*Silent"):
        check_architecture(Silent((3, 2), (2,), 3))


@dataclass(frozen=True)
class Faint(algatt.architectures.AttentionNetwork):
    """Lightning attention over the reals alone, in which one entry of the value is small, and has squared scores."""

    algebraic = False


@verbs.evaluate.method
def evaluate_faint(arch: Faint, theta: algatt.Weights, inputs: Elements) -> Elements:
    (Q, K, V), X = theta.layer_elements[0], inputs
    S = (K @ X).T @ (Q @ X)
    return (1 - middle_of(arch)) * 2**40 * (V @ X @ S) + middle_of(arch) * (V @ X @ (S * S))


class Opaque(algatt.symmetry.GroupElement):
    """A group element that acts on nothing."""

    field = None


class Translated(algatt.symmetry.Symmetry):
    """The rescaling, of which nothing is known but its tangents."""

    name = "translated"
    dimension = 1

    def element(self, theta, seed=0):
        return Opaque()

    def tangent_parts(self, theta):
        return algatt.symmetry.Rescaling(self.arch).tangent_parts(theta)


@verbs.symmetries.method
def symmetries_of_faint(arch: Faint) -> tuple[algatt.symmetry.Symmetry, ...]:
    return (algatt.symmetry.KeyQuery(arch), Translated(arch))


def test_a_false_symmetry_is_named_though_it_shows_in_a_small_entry_alone():
    with pytest.raises(
        AssertionError,
        match="the family translated has tangents along which the function is constant: this fails for Faint",
    ):
        check_architecture(Faint((3, 2), (2,), 3))
