"""What users give as arrays: of other packages, or of a small class that has nothing but what numpy asks for."""

from __future__ import annotations

import array
import math
import sys
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import algatt
from algatt import Lightning, PrimeField, Reals, Weights
from algatt.errors import InvalidArgument
from algatt.fields import Elements
from algatt.fields.arrays import public_array

ROWS = [[1.0, 0.5], [-2.0, 0.25]]  # of few bits, so that float16 and bfloat16 have them too

ARCH = Lightning((2, 2), (2,), 2)


class Tensor:
    """What numpy asks of an array of another package; with a repr of many lines, as theirs have."""

    def __init__(self, rows: Any, dtype: str = "float32") -> None:
        self.rows, self.dtype = rows, dtype

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.array(self.rows, dtype=dtype or self.dtype)

    def __repr__(self) -> str:
        return "Tensor(\n" + "    (0): row\n" * 1000 + ")"


class Closed(Tensor):
    """An array that cannot be had."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        raise RuntimeError("it is on another machine\nin another country")


class Module:
    """Something that is no array, with a repr of many lines."""

    def __repr__(self) -> str:
        return "Sequential(\n" + "    (0): Linear(2, 2)\n" * 1000 + ")"


class Stack(Module):
    """The same, and numpy would read it as a list of objects."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, number: int) -> Module:
        return [Module(), Module()][number]


FORMS = [
    ROWS,
    tuple(map(tuple, ROWS)),
    list(map(np.array, ROWS)),
    Tensor(ROWS),
    Tensor(ROWS, "float16"),
    memoryview(np.array(ROWS)),
    np.asmatrix(ROWS),
    np.ma.masked_array(ROWS, mask=False),
]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: type(form).__name__)
def test_whatever_numpy_reads_is_entered(form: Any) -> None:
    expected = np.array(ROWS)
    theta = Weights.of([(form, form, form)])
    assert all(np.array_equal(matrix, expected) for matrix in theta.layers[0])
    assert algatt.AttentionMatrix.of([(form, form)]) == algatt.AttentionMatrix.of([(expected, expected)])
    assert algatt.VirtualWeights.of([form], form) == algatt.VirtualWeights.of([expected], expected)
    assert np.array_equal(algatt.evaluate(ARCH, theta, form), algatt.evaluate(ARCH, theta, expected))
    assert np.array_equal(algatt.jacobian(ARCH, theta, form), algatt.jacobian(ARCH, theta, expected))
    assert algatt.symmetry.KeyQuery(ARCH).of([form]) == algatt.symmetry.KeyQuery(ARCH).of([expected])
    assert algatt.symmetry.exponential(algatt.symmetry.KeyQuery(ARCH), [form]) == algatt.symmetry.exponential(
        algatt.symmetry.KeyQuery(ARCH), [expected]
    )
    assert algatt.rank(form).rank == 2
    assert np.allclose(np.array(ROWS) @ algatt.linalg.inverse(form), np.eye(2))
    assert algatt.kernel(form).shape == (2, 0)
    assert algatt.linalg.is_invertible(form)
    assert np.allclose(algatt.spectra.squared_singular_values(form), np.linalg.svd(expected, compute_uv=False) ** 2)


def test_flat_vectors_and_stacks_are_entered() -> None:
    theta = Weights.of([(ROWS, ROWS, ROWS)])
    flat = algatt.flatten(theta).tolist()
    for form in (flat, tuple(flat), Tensor(flat), array.array("d", flat), memoryview(array.array("d", flat))):
        assert algatt.unflatten(ARCH, Weights, form) == theta
    assert Weights.of(np.array([[ROWS] * 3])) == theta
    assert algatt.VirtualWeights.of(np.array([ROWS]), ROWS) == algatt.VirtualWeights.of([ROWS], ROWS)
    rescaling = algatt.symmetry.Rescaling(ARCH)
    assert algatt.symmetry.exponential(rescaling, np.array([0.5])) == algatt.symmetry.exponential(rescaling, [0.5])


def test_integers_of_other_packages_are_entered_modulo_a_prime() -> None:
    form = Tensor([[1, 2], [3, 4]], "int64")
    theta = Weights.of([(form, form, form)], field=PrimeField(31))
    assert algatt.flatten(theta).tolist() == [1, 2, 3, 4] * 3
    assert (Elements.of(PrimeField(7), [[1, 2]]) * Tensor([[1, -1]], "int64")).public().tolist() == [[1, 5]]
    assert algatt.linalg.solve(algatt.PrimeField(7).galois([[1, 1], [1, 2]]), Tensor([3, 4], "int64")).tolist() == [
        2,
        1,
    ]
    with pytest.raises(
        InvalidArgument,
        match=r"Q_1 was an array of float32; it should be a galois array over GF\(31\), or integers 0\.\.30",
    ):
        Weights.of([(Tensor(ROWS),) * 3], field=PrimeField(31))


def test_later_changes_of_what_was_given_do_not_reach_the_parameters() -> None:
    mine = np.array(ROWS)
    theta = Weights.of([(memoryview(mine),) * 3])
    vector = np.arange(12.0)
    flat = algatt.unflatten(ARCH, Weights, vector)
    mine[0, 0], vector[0] = 7.0, 7.0
    assert theta.layers[0].Q[0, 0] == 1.0
    assert flat.layers[0].Q[0, 0] == 0.0


NONE = [
    (Module(), "of type Module"),
    (Stack(), "of type Stack"),
    (math, "of type module"),
    (Tensor, "the class Tensor"),
    ("weights.npz", "'weights.npz'"),
    (None, "None"),
    ({"Q": 1}, "{'Q': 1}"),
    ((row for row in ROWS), "of type generator"),
    (Closed(ROWS), "of type Closed, of which numpy makes no array (it is on another machine)"),
    (np.ma.masked_less(ROWS, 0), "with masked entries"),
    ([[1.0], [1.0, 2.0]], "a list of rows of different lengths"),
    (Tensor(ROWS, "complex64"), "an array of complex64"),
    ([[Module(), Module()]], "an array of object"),
    (scipy.sparse.csr_matrix(ROWS), "of type csr_matrix"),
    ([algatt.PrimeField(7).galois([1, 2]), algatt.PrimeField(7).galois([3, 4])], "a list of galois arrays"),
    ([[1, 2], algatt.PrimeField(7).galois([3, 4])], "a list of galois arrays"),
]

ENTRIES = {
    "Q_1": lambda thing: Weights.of([(thing, ROWS, ROWS)]),
    "V_1": lambda thing: algatt.AttentionMatrix.of([(ROWS, thing)]),
    "L": lambda thing: algatt.VirtualWeights.of([ROWS], thing),
    "vector": lambda thing: algatt.unflatten(ARCH, Weights, thing),
    "inputs": lambda thing: algatt.evaluate(ARCH, Weights.of([(ROWS, ROWS, ROWS)]), thing),
    "inputs of the derivative": lambda thing: algatt.jacobian(ARCH, Weights.of([(ROWS, ROWS, ROWS)]), thing),
    "matrix": lambda thing: algatt.rank(thing),
    "matrix of the kernel": lambda thing: algatt.kernel(thing),
    "matrix of an element": lambda thing: algatt.symmetry.KeyQuery(ARCH).of([thing]),
    "tangent[0]": lambda thing: algatt.symmetry.exponential(algatt.symmetry.KeyQuery(ARCH), [thing]),
    "points": lambda thing: algatt.spectra.density(algatt.spectra.AttentionLaw(1), thing),
    "source": lambda thing: algatt.spectra.squared_singular_values(thing),
    "one": lambda thing: algatt.spectra.wasserstein_distance(thing, algatt.spectra.AttentionLaw(1)),
    "tokens": lambda thing: algatt.dynamics.velocity(
        algatt.dynamics.SphereFlow((algatt.dynamics.ScalarHead(1.0),)), thing
    ),
    "M": lambda thing: algatt.dynamics.MatrixHead(thing),
}


@pytest.mark.parametrize("name", ENTRIES)
@pytest.mark.parametrize(("thing", "was"), NONE, ids=[was for _, was in NONE])
def test_what_is_no_array_is_told_in_one_line(thing: Any, was: str, name: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        ENTRIES[name](thing)
    message = str(caught.value)
    assert message.startswith(f"{name.split()[0]} was ")
    assert "\n" not in message
    assert len(message) < 400
    if name not in ("points", "one") or not isinstance(thing, list):  # these show lists as they were written
        assert was in message


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: Weights.of(Module()), "layers was of type Module; it should be at least one triple (Q, K, V)"),
        (lambda: Weights.of([]), "layers was empty; it should be at least one triple (Q, K, V)"),
        (lambda: Weights.of([Module()]), "layer 1 was of type Module; it should be a triple (Q, K, V)"),
        (lambda: Weights.of([(ROWS, ROWS)]), "layer 1 was 2 arrays; it should be a triple (Q, K, V)"),
        (lambda: algatt.AttentionMatrix.of([Module()]), "layer 1 was of type Module; it should be a pair (A, V)"),
        (lambda: algatt.VirtualWeights.of(Module(), ROWS), "M was of type Module; it should be at least one matrix"),
        (
            lambda: algatt.symmetry.KeyQuery(ARCH).of(Module()),
            "matrices was of type Module; it should be a list of matrices",
        ),
        (
            lambda: algatt.symmetry.exponential(algatt.symmetry.Rescaling(ARCH), Module()),
            "tangent was of type Module; it should be a list of matrices",
        ),
        (
            lambda: Weights.of([(Weights.of([(ROWS,) * 3]), ROWS, ROWS)]),
            "Q_1 was of type Weights; it should be algatt.flatten(theta), one vector",
        ),
    ],
)
def test_what_is_no_list_of_arrays_is_told_in_one_line(build: Any, message: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        build()
    assert str(caught.value).startswith(message)


def test_any_argument_is_told_in_one_line() -> None:
    message = str(InvalidArgument("dims", repr(Module()), "a sequence of integers"))
    assert "\n" not in message
    assert len(message) < 300
    assert str(InvalidArgument("path", "'a  b'", "a file")) == "path was 'a  b'; it should be a file"


@pytest.mark.parametrize(
    ("dtype", "precision"),
    [("float64", 53), ("float32", 24), ("float16", 11), ("longdouble", 53), ("int8", 53), ("uint64", 53)],
)
def test_the_precision_of_numpy_is_read_off_its_type(dtype: str, precision: int) -> None:
    for form in (np.ones((2, 2), dtype), Tensor([[1, 1]], dtype), [np.ones(2, dtype)], np.ones((), dtype)[()]):
        assert public_array(form)[1] == precision


def test_python_numbers_are_of_full_precision() -> None:
    assert public_array([[0.1, 1]])[1] == public_array(0.1)[1] == 53


def test_floats_that_numpy_does_not_know_are_read() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes", reason="ml_dtypes, which has bfloat16 for numpy, is not installed")
    for dtype, precision in ((ml_dtypes.bfloat16, 8), (ml_dtypes.float8_e4m3fn, 4)):
        values, known = public_array(np.array(ROWS, dtype=dtype))
        assert (values.dtype, values.tolist(), known) == (np.float64, ROWS, precision)


def test_tensors_of_torch_are_read() -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    known = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8, "int32": 53}
    for name, precision in known.items():
        rows = ROWS if "float" in name else [[1, 0], [-2, 3]]
        tensor = torch.tensor(rows, dtype=getattr(torch, name))
        values, found = public_array(tensor)
        assert (values.tolist(), found) == (rows, precision)
    weight = torch.nn.Linear(2, 2).weight  # part of a computation of gradients
    assert Weights.of([(weight, weight, weight)]).layers[0].Q.tolist() == weight.detach().double().tolist()
    for tensor in (
        torch.tensor(ROWS).to_sparse(),
        torch.tensor(ROWS, device="meta"),
        torch.nn.Sequential(torch.nn.Linear(2, 2)),
    ):
        with pytest.raises(InvalidArgument) as caught:
            Weights.of([(tensor, tensor, tensor)])
        assert len(str(caught.value).splitlines()) == 1


def test_tables_of_pandas_and_arrays_of_jax_are_read() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert public_array(pandas.DataFrame(ROWS))[0].tolist() == ROWS
    numpy = pytest.importorskip("jax.numpy", reason="jax is not installed")
    for dtype, precision in ((numpy.float32, 24), (numpy.bfloat16, 8)):
        values, known = public_array(numpy.array(ROWS, dtype=dtype))
        assert (values.tolist(), known) == (ROWS, precision)


def test_a_module_that_is_named_torch_and_is_another_disturbs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", math)
    assert Weights.of([(ROWS, ROWS, ROWS)]).field == Reals()


def test_elements_of_an_unknown_network_are_no_array() -> None:
    """An architecture without a method for `Elements` is told so; its inputs are not taken for an unreadable array."""

    class Unknown(algatt.architectures.AttentionNetwork):
        pass

    arch = Unknown((2, 2), (1,), 2)
    with pytest.raises(algatt.errors.MethodError, match=r"no method fits expression\(Unknown\)"):
        algatt.evaluate(arch, algatt.sample(arch, Weights), [[1, 2], [3, 4]])
