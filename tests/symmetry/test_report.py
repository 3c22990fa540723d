"""All symmetries of a network at a glance."""

from __future__ import annotations

import itertools
import re

import numpy as np
import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.fields import Elements, PrimeField
from algatt.layers import (
    Causal,
    Embedding,
    Feedforward,
    Heads,
    LayerNorm,
    LearnedPosition,
    Power,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    Unembedding,
)
from algatt.symmetry import FamilyOrbit, MatrixGroup, Symmetry, SymmetryReport
from algatt.symmetry.base import FamilyTangents, SparseTangents, families_below
from algatt.symmetry.groups import (
    Commutant,
    GeneralLinear,
    LinearGroup,
    Orthogonal,
    PositiveTorus,
    Stabilizer,
    Torus,
    Trivial,
)
from algatt.symmetry.legend import BASES, explain
from algatt.symmetry.relations import ranks_of

NETWORK = algatt.Network(
    Residual(Heads(2, width=1, mask=Causal())) >> Residual(Feedforward(3, Power(2))), tokens=3, width=4
)


def test_each_space_has_its_group_its_dimension_and_its_tensors() -> None:
    report = SymmetryReport.of(NETWORK)
    rows = {family.name: (family.group, family.dimension, family.tensors, family.basis) for family in report.families}
    for head in "12":  # K^T Q and O V, of rank one, count
        assert rows[f"heads.score_{head}"] == ("GL(1)", 1, (f"heads.Q_{head}", f"heads.K_{head}"), "equivariant")
        assert rows[f"heads.value_{head}"] == ("GL(1)", 1, (f"heads.V_{head}", f"heads.O_{head}"), "equivariant")
    assert rows["feedforward.hidden"] == ("T(3)", 3, ("feedforward.up", "feedforward.down"), "equivariant")
    assert len(rows) == 5
    assert (report.parameters, report.dimension) == (2 * 4 * 4 + 2 * 3 * 4, 7)


def test_families_that_do_not_say_their_group_have_none() -> None:
    """HMK Theorem 3.2 for one token: what is seen of A is its symmetric part."""
    report = SymmetryReport.of(algatt.Lightning((3, 2), (2,), 1))
    (parallel,) = (family for family in report.families if family.name == "quadratic form of K_1 and Q_1")
    assert (parallel.group, parallel.tensors, parallel.basis) == (None, ("Q_1", "K_1"), "quotient")


def test_the_dimension_of_all_is_at_most_the_sum() -> None:
    for arch in algatt.Lightning.examples():
        report = SymmetryReport.of(arch)
        assert report.dimension <= sum(family.dimension for family in report.families)
        assert report.dimension == algatt.symmetry.orbit_dimension(arch, algatt.sample(arch, algatt.Weights, seed=0))


def test_in_a_notebook_it_is_a_table() -> None:
    shown = SymmetryReport.of(NETWORK)._repr_html_()
    assert "GL(1), dimension 1: heads.Q_1, heads.K_1" in shown
    (family,) = (one for one in algatt.symmetries(NETWORK) if one.name == "feedforward.hidden")
    assert "feedforward.up, feedforward.down" in family._repr_html_()
    arch = algatt.Lightning((2, 2), (2,), 1)
    assert "equivariant" in algatt.symmetry.KeyQuery(arch)._repr_html_()
    assert "quotient" in algatt.symmetry.QuadraticForm(arch, "K_1", "Q_1")._repr_html_()


@pytest.mark.parametrize("arch", [Heads(2), None, algatt.Network])
def test_what_is_no_network_is_refused(arch: object) -> None:
    with pytest.raises(InvalidArgument, match=r"arch was .*; it should be a network"):
        SymmetryReport.of(arch)  # type: ignore[arg-type]


def test_a_seed_is_a_natural_number() -> None:
    with pytest.raises(InvalidArgument, match="seed"):
        SymmetryReport.of(NETWORK, seed=-1)


@pytest.mark.parametrize("seed", range(16))
def test_ranks_of_families_are_those_of_elimination(seed: int) -> None:
    """Of sparse matrices in which blocks of rows depend on each other."""
    rng = np.random.default_rng(seed)
    field = PrimeField()
    blocks = []
    width = int(rng.integers(4, 40))
    common = rng.integers(field.p, size=(int(rng.integers(1, 6)), width)) * (rng.random(width) < 0.3)
    for _ in range(int(rng.integers(1, 6))):
        count = int(rng.integers(0, 9))
        own = rng.integers(1, field.p, size=(count, width)) * (rng.random((count, width)) < rng.choice([0.1, 0.3]))
        mixed = rng.integers(3, size=(count, len(common))) @ common
        blocks.append(np.where(rng.random((count, 1)) < 0.5, own, mixed) % field.p)
    cuts = [0, *sorted(rng.integers(1, width, size=2).tolist()), width]
    tensors = {f"W_{k}": slice(*pair) for k, pair in enumerate(itertools.pairwise(cuts))}
    tangents = [
        FamilyTangents.of_parts(
            [{name: Elements.of(field, one[:, some]) for name, some in tensors.items() if one[:, some].any()}]
        )
        if one.any()
        else FamilyTangents(len(one), (), lambda name: SparseTangents.joined(0, ()))
        for one in blocks
    ]
    found = ranks_of(field, tangents, {name: range(some.stop - some.start) for name, some in tensors.items()})

    def rank(some: list[np.ndarray]) -> int:
        rows = np.concatenate([*some, np.zeros((1, width), dtype=np.int64)])
        return algatt.rank(Elements.of(field, rows).public())

    assert found.together == rank(blocks)
    assert list(found.each) == [rank([one]) for one in blocks]
    assert list(found.alone) == [rank(blocks) - rank([*blocks[:k], *blocks[k + 1 :]]) for k in range(len(blocks))]


def test_relations_of_many_tangents_are_exact() -> None:
    """Sums of 300 products of residues are above 2^53, where floats are rounded."""
    rng, field = np.random.default_rng(0), PrimeField()
    rows = rng.integers(field.p, size=(300, 320))
    factors = rng.integers(field.p, size=(4, 300))
    blocks = [rows, (factors.astype(object) @ rows % field.p).astype(np.int64)]
    parts = [{"V": Elements.of(field, one[:, :310]), "W": Elements.of(field, one[:, 310:])} for one in blocks]
    found = ranks_of(field, [FamilyTangents.of_parts([part]) for part in parts], {"V": range(310), "W": range(10)})
    assert (found.together, found.each, found.alone) == (300, (300, 4), (296, 0))


@pytest.mark.parametrize(
    "name", ["lightning", "normalised", "biases", "wide", "table", "arranged", "rotated", "narrow"]
)
def test_sparse_tangents_are_the_tangents(name: str) -> None:
    norm = Residual(LayerNorm() >> Heads(2, biases="QKVO"))
    rotated = Residual(RMSNorm() >> Heads(2, position=Rotary()))
    arch = {
        "lightning": algatt.Lightning((3, 4, 2), (2, 1), 2),
        "normalised": algatt.Network(norm >> Residual(RMSNorm() >> Feedforward(3, ReLU())), tokens=3, width=4),
        "biases": algatt.Network(Embedding(5, 4) >> norm >> Unembedding(5), tokens=2),
        "wide": algatt.Network(
            Embedding(7, 4) >> norm >> Residual(LayerNorm() >> Feedforward(6, ReLU(), bias=True)) >> Unembedding(7),
            tokens=2,
        ),
        "table": algatt.Network(Embedding(5, 2) >> LearnedPosition() >> Unembedding(5), tokens=2),
        "rotated": algatt.Network(Embedding(5, 4) >> 2 * rotated >> Unembedding(5), tokens=3),
        "narrow": algatt.Network(
            Embedding(2, 4) >> Residual(RMSNorm() >> Heads(1, width=6)) >> Unembedding(2), tokens=2
        ),
        "arranged": algatt.Network(Embedding(5, 4) >> 2 * norm >> Unembedding(5), tokens=2),
    }[name]
    theta = algatt.sample(arch, algatt.Weights, seed=1)
    report = SymmetryReport.of(arch, seed=1)
    tangents = []
    for family, orbit in zip(algatt.symmetries(arch), report.families, strict=True):
        sparse, dense = family.tangents_on(theta), family.tangent_elements(theta).raw
        filled = {name: np.zeros((len(dense), one.raw.size), dtype=np.int64) for name, one in theta.tensors.items()}
        for one in sparse.tensors:
            entries = sparse.on(one)
            np.add.at(filled[one], (entries.rows, entries.columns), entries.values.astype(np.int64))
        assert np.array_equal(np.concatenate(list(filled.values()), axis=1) % PrimeField().p, dense)
        moved = {name for part in family.tangent_parts(theta) for name, one in part.items() if one.raw.any()}
        assert set(orbit.tensors) == moved
        assert orbit.dimension == algatt.rank(family.tangents(theta))
        for one in (name for name in family.tensors if family.beside(name, frozenset()) is None):
            (part,) = family.tangent_parts(theta)
            there = Elements(PrimeField(), part[one].raw.reshape(len(dense), -1))
            assert algatt.rank(there.public()) == len(dense) == orbit.dimension
        tangents.append(dense)

    def rank(some: list[np.ndarray]) -> int:
        rows = np.concatenate([*some, np.zeros((1, arch.parameters), dtype=np.int64)])
        return algatt.rank(Elements(PrimeField(), rows).public())

    assert report.dimension == rank(tangents)
    without = [rank([*tangents[:k], *tangents[k + 1 :]]) for k in range(len(tangents))]
    assert [one.alone for one in report.families] == [report.dimension - one for one in without]
    assert report.shared == report.dimension - sum(one.alone for one in report.families)


def test_families_that_share_directions_say_so() -> None:
    one, two = (FamilyOrbit("a", None, 3, 1, ("W",), "quotient"), FamilyOrbit("b", "O(2)", 4, 2, ("W",), "equivariant"))
    report = SymmetryReport(NETWORK, 56, 5, (one, two), 0)
    assert report.shared == 2
    shown = report._repr_html_()
    assert "5, all together, of which 2 are shared" in shown
    assert "dimension 3, 1 alone" in shown
    assert [name for name, _ in report.legend] == ["O(n)", "equivariant", "quotient"]


def test_families_are_a_tuple_that_is_shown_as_a_table() -> None:
    block = Residual(Heads(2, mask=Causal())) >> Residual(Feedforward(3, ReLU()))
    found = algatt.symmetries(algatt.Network(Embedding(5, 4) >> 4 * block >> Unembedding(5), tokens=3))
    assert isinstance(found, tuple)
    lines = repr(found).splitlines()
    assert len(lines) == 10
    assert lines[0].split() == ["name", "group", "dimension", "tensors", "basis"]
    assert lines[1].split()[:3] == ["stream", "GL(4)", "16"]
    assert lines[5] == f"... {len(found) - 5} more"
    assert lines[6].split()[:3] == ["4.feedforward.hidden", "T+(3)", "3"]
    assert [line.partition(":")[0] for line in lines[7:]] == ["GL(n)", "T+(n)", "equivariant"]
    shown = found._repr_html_()
    assert all(f"<th>{family.name}</th>" in shown for family in found)
    assert re.search(r"<th>T\+\(n\)</th><td[^>]*>diagonal", shown)
    assert "O(n)" not in shown
    assert repr(algatt.symmetries(algatt.Network(Feedforward(3, Power(2)), tokens=1, width=4))).count("\n") == 3
    assert "stream" in repr(list(found[:1]))


UNIT = ((1, 0), (0, 1))
GROUPS = [
    *(GeneralLinear(2), Orthogonal(2), Torus(2), PositiveTorus(2), Trivial(2)),
    *(Commutant(2, UNIT), Stabilizer(2, UNIT), LinearGroup(2, 1)),
]


@pytest.mark.parametrize("group", GROUPS)
def test_each_group_is_explained(group: MatrixGroup) -> None:
    assert {type(one) for one in GROUPS} >= set(MatrixGroup.__subclasses__())
    name = str(group)
    ((letter, meaning),) = explain([name], [])
    assert letter.partition("(")[0] == name.partition("(")[0]
    assert meaning


def test_each_basis_is_explained() -> None:
    kinds = families_below(Symmetry)
    assert {kind.rests_on for kind in kinds if kind.__module__.startswith("algatt.")} <= set(BASES)
    assert explain([], ["of another package"]) == []
