"""Certificates of symmetries alone: that a network does not change along the directions of a family."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.certificates.certificate import Certificate, certificate_of
from algatt.certificates.make.families import claims_of_symmetry
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.verifier.claims import network_of
from algatt.certificates.verifier.symmetry import hash_of_families
from algatt.errors import MethodError
from algatt.symmetry import Symmetry

__all__: list[str] = []


@verbs.certify.method
def certify_symmetry(family: Symmetry) -> Certificate:
    claims: dict[str, Any] = {"kind": "symmetry", **claims_of_network(family.arch)}
    families = list(claims_of_symmetry(family, verbs.program(family.arch), network_of(claims)))
    for one in families:
        if one["by"] == "theorem":
            raise MethodError(
                f"there is no certificate of the family {one['name']} alone: that the function stays the same is a "
                f"theorem ({one['theorem']}), which the verifier cannot check; a certificate of the dimension says so"
            )
    claims |= {"families": families, "families_sha256": hash_of_families(claims["tensors"], families)}
    return certificate_of("family", family.arch, claims)
