"""Conserved quantities: those known by hand, all of degree two by linear algebra, and along integrated flows."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.architectures.base import draw_inputs
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField, Reals
from algatt.geometry.training.law import flat
from algatt.layers import Causal, Feedforward, Heads, Linear, Parallel, ReLU, Residual, Rotary
from algatt.maps import pull_back
from algatt.testing import networks
from training_networks import NETWORKS
from written_checkpoints import LLAMA

F = PrimeField()


@pytest.mark.parametrize(("n", "r", "m"), [(4, 3, 2), (2, 4, 2), (3, 1, 3), (2, 5, 1), (1, 2, 3)])
def test_two_linear_layers(n: int, r: int, m: int) -> None:
    """Marcotte et al., arXiv:2307.00144, Section 4: U^T U - V^T V and nothing else; of U and V with n and
    m rows and r columns, r (r + 1) / 2 are independent if r <= n + m, else (n + m) r - (n + m) (n + m - 1) / 2.
    """
    laws = algatt.conservation_laws(algatt.Network(Linear(r) >> Linear(m), tokens=1, width=n))
    rows = n + m
    expected = r * (r + 1) // 2 if r <= rows else rows * r - rows * (rows - 1) // 2
    assert len(laws) == r * (r + 1) // 2
    assert (laws.independent, laws.missing, laws.status) == (expected, 0, "proven")


@pytest.mark.parametrize("residual", [False, True])
@pytest.mark.parametrize("biases", [False, True])
def test_one_law_for_each_relu_neuron(biases: bool, residual: bool) -> None:
    """arXiv:2307.00144, Section 2; a skip connection keeps it (arXiv:2506.06194)."""
    layer = Feedforward(3, ReLU(), bias=biases)
    laws = algatt.conservation_laws(algatt.Network(Residual(layer) if residual else layer, tokens=1, width=4))
    assert (len(laws), laws.missing) == (3, 0)
    theta = algatt.sample(laws.architecture, algatt.Weights, field=F, seed=1)
    up, down = (theta.tensors[f"feedforward.{name}"].public() for name in ("up", "down"))
    expected = (up @ up.T - down.T @ down).diagonal()
    if biases:
        bias = theta.tensors["feedforward.b_up"].public()
        expected = expected + (bias @ bias.T).diagonal()
    assert set(map(int, laws.values(theta))) == set(map(int, expected))


def test_one_attention_layer() -> None:
    """arXiv:2506.06194: Q Q^T - K K^T and V V^T - O^T O of each head, and nothing else."""
    laws = algatt.conservation_laws(algatt.Network(Heads(2, width=2), tokens=3, width=4))
    assert laws.quantities == {
        f"heads.{one} heads.{one}^T - {other}": 3
        for number in (1, 2)
        for one, other in (
            (f"Q_{number}", f"heads.K_{number} heads.K_{number}^T"),
            (f"V_{number}", f"heads.O_{number}^T heads.O_{number}"),
        )
    }
    assert (laws.missing, laws.status) == (0, "proven")


@pytest.mark.parametrize("mask", [None, Causal()])
def test_a_skip_connection_keeps_the_laws_of_attention(mask: Causal | None) -> None:
    """arXiv:2506.06194: a residual block has the laws of the same block without a skip connection."""
    plain, residual = (
        algatt.conservation_laws(algatt.Network(layer, tokens=3, width=3))
        for heads in [Heads(1, width=2, mask=mask)]
        for layer in (heads, Residual(heads))
    )
    assert (
        plain.quantities
        == residual.quantities
        == {
            "heads.Q_1 heads.Q_1^T - heads.K_1 heads.K_1^T": 3,
            "heads.V_1 heads.V_1^T - heads.O_1^T heads.O_1": 3,
        }
    )
    assert (plain.missing, residual.missing) == (0, 0)


def test_weights_that_nothing_sees_are_kept() -> None:
    """A softmax over one token is 1, so that queries and keys are free: each of their entries stays as it is."""
    laws = algatt.conservation_laws(algatt.Softmax((3, 2), (2,), 1))
    assert (laws.parameters, laws.independent, laws.missing) == (18, 12, 0)
    assert (laws.quantities["Q_1"], laws.quantities["K_1"]) == (6, 6)


def test_laws_in_notebooks() -> None:
    laws = algatt.conservation_laws(NETWORKS["lightning"], complete=False).laws
    assert laws[0]._repr_latex_() == (
        r"$\left( Q_{\mathrm{1}} Q_{\mathrm{1}}^\top - K_{\mathrm{1}} K_{\mathrm{1}}^\top \right)_{0, 0}$"
    )
    assert laws[-1]._repr_latex_() == r"$\lVert K_{\mathrm{1}} \rVert^2 - \lVert V_{\mathrm{1}} \rVert^2$"


@pytest.mark.parametrize("name", NETWORKS)
def test_all_are_found_and_proven_complete(name: str) -> None:
    laws = algatt.conservation_laws(NETWORKS[name])
    assert (laws.missing, laws.status, laws.independent) == (0, "proven", len(laws))


def quadratic_laws(arch) -> int:
    """The number of all (A, c) with J (A theta + c) = 0 at random weights and inputs, by the rank of that system."""
    n = arch.parameters
    pairs = np.stack(np.triu_indices(n), axis=1)
    rows: list[np.ndarray] = []
    while sum(map(len, rows)) < len(pairs) + n + 10:
        seed = len(rows)
        theta = algatt.sample(arch, algatt.Weights, field=F, seed=seed)
        X = Elements(F, draw_inputs(arch, F, seed, 0, 1))
        J = algatt.verbs.jacobian(arch, theta, X).raw.astype(np.int64)
        x = np.concatenate([one.raw.ravel() for one in theta.elements]).astype(np.int64)
        i, j = pairs.T
        rows.append(np.hstack([(J[:, i] * x[j] + J[:, j] * x[i]) % F.p, J]))
    system = Elements.of(F, np.concatenate(rows))
    return len(pairs) + n - int(algatt.verbs.rank(system))


@pytest.mark.parametrize("name", ["lightning", "linear", "squares"])
def test_no_law_of_degree_two_is_missed(name: str) -> None:
    """A second way, with no symmetry in it: symmetric matrices and vectors that the Jacobian takes to zero."""
    assert quadratic_laws(NETWORKS[name]) == len(algatt.conservation_laws(NETWORKS[name], complete=False))


def test_values_are_the_forms_of_their_matrices() -> None:
    laws = algatt.conservation_laws(NETWORKS["biases"], complete=False)
    theta = algatt.sample(laws.architecture, algatt.Weights, field=Reals(), seed=0)
    x = algatt.flatten(theta)
    for law in laws.laws:
        assert law(theta) == pytest.approx(x @ law.matrix @ x / 2 + law.vector @ x, rel=1e-12)
    assert "heads.b_K_1" in laws.quantities  # softmax does not see it


def test_bad_input() -> None:
    with pytest.raises(InvalidArgument, match="arch was 3"):
        algatt.conservation_laws(3)
    with pytest.raises(InvalidArgument, match="seed was -1"):
        algatt.conservation_laws(NETWORKS["linear"], seed=-1)
    with pytest.raises(InvalidArgument, match="complete was 'no'"):
        algatt.conservation_laws(NETWORKS["linear"], complete="no")
    laws = algatt.conservation_laws(NETWORKS["linear"], complete=False)
    other = algatt.sample(NETWORKS["relu"], algatt.Weights, field=F, seed=0)
    with pytest.raises(InvalidArgument, match=r"without linear_1\.W"):
        laws.values(other)
    with pytest.raises(InvalidArgument, match="theta was 'weights'"):
        laws.laws[0]("weights")


def value_of_text(quantity: str, entry: tuple[int, ...] | None, tensors: dict[str, np.ndarray]) -> float:
    """Compute a quantity as its text says."""
    traces = quantity.startswith("partial traces of ")
    words = quantity.removeprefix("partial traces of ").replace(" - ", " + -1 ").split(" + ")
    total: np.ndarray | float = 0.0
    for word in words:
        *factors, last = word.split(" ")
        number = 1.0
        while factors and factors[0].lstrip("-").isdigit():
            number *= float(factors.pop(0))
        parts = [*factors, last]
        if last.startswith("|"):
            total = total + number * np.sum(tensors[last.removeprefix("|").removesuffix("|^2")] ** 2)
            continue
        product = np.ones((1, 1))
        for position, part in enumerate(parts):
            W = tensors[part.removesuffix("^T")] if part not in ("1", "1^T") else None
            if W is None:
                other = tensors[parts[1 - position]]
                W = np.ones((other.shape[1], 1)) if part == "1" else np.ones((1, other.shape[0]))
            else:
                W = W.T if part.endswith("^T") else W
            product = W if position == 0 else product @ W
        total = total + number * product
    if entry is None:
        return float(np.squeeze(total))
    if traces:
        return float(np.asarray(total)[list(entry), list(entry)].sum())
    return float(np.asarray(total)[entry] if len(entry) == 2 else np.asarray(total).ravel()[entry[0]])


@pytest.mark.parametrize("name", [*NETWORKS, "rotary", "sums", "llama"])
def test_names_say_what_is_computed(name: str) -> None:
    more = {
        "rotary": algatt.Network(Heads(1, width=4, position=Rotary()), tokens=2, width=3),
        "sums": algatt.Network(Parallel(Linear(3), Linear(3)), tokens=2, width=4),
        "llama": algatt.published.read(LLAMA),
    }
    arch = NETWORKS.get(name) or more[name]
    laws = algatt.conservation_laws(arch, complete=False)
    theta = algatt.sample(arch, algatt.Weights, field=Reals(), seed=7)
    tensors = {name: one.public() for name, one in theta.tensors.items()}
    for law in laws.laws:
        assert law(theta) == pytest.approx(value_of_text(law.quantity, law.entry, tensors), rel=1e-12, abs=1e-12)


@pytest.mark.sample(20)
@pytest.mark.parametrize("arch", networks(), ids=str)
def test_laws_of_the_zoo_are_orthogonal_to_gradients(arch) -> None:
    """All examples of architectures and layers: the derivative of each law along the gradient of a random loss."""
    laws, field = algatt.conservation_laws(arch, complete=False), Reals()
    theta = algatt.sample(arch, algatt.Weights, field=field, seed=2)
    x = flat(arch, theta)
    X = Elements(field, draw_inputs(arch, field, 0, 0, 6))
    cotangents = Elements(field, np.random.default_rng(0).normal(size=(6, *arch.output_shape)))
    gradients = pull_back(arch, theta, X, cotangents).raw
    for law in laws.laws:
        direction = law.gradient(x).raw
        assert np.abs(gradients @ direction).max() <= 1e-9 * np.abs(gradients).max() * np.abs(direction).max()
