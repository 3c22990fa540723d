"""Symmetries in certificates of lightning networks: their tangents, and families that a network has not."""

from __future__ import annotations

import copy
import json

import pytest

import algatt
from algatt.certificates.version_1 import DimensionCertificate, recompute
from lightning_networks import HIDDEN
from old_certificates import old_certificate


@pytest.mark.parametrize("arch", HIDDEN)
def test_the_tangents_are_those_of_the_package_at_every_point_modulo_every_prime(arch: algatt.Lightning) -> None:
    """Two implementations that share no code, also at points where a rank is below the generic one and a family has
    fewer rows.
    """
    network = recompute.Network(list(arch.dims), list(arch.ranks), arch.tokens)
    families = algatt.symmetries(arch)
    assert [family.name for family in families] == recompute.families_of(network)
    for p in (2, 3, 31, 8388593, 2147483647, 2305843009213693951):
        for seed in range(4):
            theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(p), seed=seed)
            where = recompute.modular_point(network, p, seed)
            for family in families:
                expected = family.tangents(theta)
                count = len(list(recompute.tangent_rows(where, [family.name])))
                assert count == len(expected)
                found = recompute.tangent_minor(where, [family.name], list(range(count)), list(range(arch.parameters)))
                assert recompute.integers(found) == [int(entry) for entry in expected.ravel()]


@pytest.mark.parametrize("arch", [algatt.Lightning((3, 3, 3), (2, 3), 2), algatt.Lightning((3, 2), (2,), 2)])
def test_parallel_tokens_are_refused_where_tokens_are_not_parallel(arch: algatt.Lightning) -> None:
    """With one token they would be: its tangents at the same weights are stacked by the forger for two tokens."""
    claims = copy.deepcopy(old_certificate(arch).claims)
    claims["upper_bound"] = old_certificate(algatt.Lightning(arch.dims, arch.ranks, 1)).claims["upper_bound"]
    assert any(
        family["name"] == "parallel tokens" and family["removes"] for family in claims["upper_bound"]["symmetries"]
    )
    claims["status"] = "probable"
    report = algatt.verify(DimensionCertificate(claims, ""))
    assert not report.ok
    assert any(
        "parallel tokens" in reason and "are not different families among those of the network" in reason
        for reason in report.reasons
    )


def test_parallel_tokens_of_an_earlier_layer_are_refused() -> None:
    """Layer 2 has parallel tokens, layer 1 has not: rows beyond those of layer 2 do not exist."""
    claims = copy.deepcopy(old_certificate(algatt.Lightning((3, 3, 3), (1, 3), 2)).claims)
    families = [family["name"] for family in claims["upper_bound"]["symmetries"]]
    where = recompute.modular_point(recompute.Network([3, 3, 3], [1, 3], 2), claims["prime"], claims["seed"])
    labels = list(recompute.tangent_rows(where, families))
    assert {label[0] for family, label in labels if family == "parallel tokens"} == {1}
    claims["upper_bound"]["rows"][-1] = len(labels)
    assert any("rows outside" in reason for reason in algatt.verify(DimensionCertificate(claims, "")).reasons)


@pytest.mark.parametrize("name", ["interlayer", "unreached", "unread", "parallel tokens"])
def test_families_that_a_network_has_not_are_refused(name: str) -> None:
    """Even with no row of theirs in the minor."""
    claims = copy.deepcopy(old_certificate(algatt.Lightning((3, 2), (2,), 2)).claims)
    claims["upper_bound"]["symmetries"].append({"name": name, "removes": 0})
    assert any(name in reason for reason in algatt.verify(DimensionCertificate(claims, "")).reasons)


def test_where_more_is_unreached_than_at_generic_weights_no_row_counts() -> None:
    """V_1 has rank below 2 at these points modulo 2: more than two directions are unreached there, but two are at
    generic weights.
    """
    arch = algatt.Lightning((2, 4, 3), (2, 2), 3)
    network = recompute.Network([2, 4, 3], [2, 2], 3)
    seeds = [seed for seed in range(200) if recompute.modular_point(network, 2, seed).layers[0][2].rank() < 2]
    assert seeds
    for seed in seeds:
        where = recompute.modular_point(network, 2, seed)
        assert list(recompute.tangent_rows(where, ["unreached"])) == []
        theta = algatt.sample(arch, algatt.Weights, field=algatt.PrimeField(2), seed=seed)
        assert len(algatt.symmetry.Unreached(arch).tangents(theta)) == 0


def test_a_family_that_is_listed_twice_is_refuted_though_no_row_of_it_is_used_twice(text: str) -> None:
    """Its tangents follow those of the others, and the minor has none of them."""
    claims = json.loads(text)["claims"]
    for family in list(claims["upper_bound"]["symmetries"]):
        changed = copy.deepcopy(claims)
        changed["upper_bound"]["symmetries"].append(family)
        (reason,) = algatt.verify(DimensionCertificate(changed, "")).reasons
        assert "are not different families among those of the network" in reason
