"""Certificates of symmetries alone: that a network does not change along the directions of a family."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.architectures.recording import program
from algatt.certificates.certificate import Certificate, certificate_of, verified
from algatt.certificates.make.families import claims_of_symmetry, independent_claims
from algatt.certificates.make.network import claims_of_network
from algatt.certificates.verifier.claims import network_of
from algatt.certificates.verifier.symmetry import hash_of_families
from algatt.errors import MethodError
from algatt.fields import PrimeField
from algatt.parameters import Weights
from algatt.symmetry import ArrangedSymmetry, Symmetry

__all__: list[str] = []


@verbs.certify.method
def certify_symmetry(family: Symmetry) -> Certificate:
    claims: dict[str, Any] = {"kind": "symmetry", **claims_of_network(family.arch)}
    network = network_of(claims)
    found = list(claims_of_symmetry(family, program(family.arch), network))
    if not found or any(one["by"] == "choice" for one in found):
        raise MethodError(
            f"there is no certificate of the family {family.name!r}: the verifier of certificates has no rule by which "
            "the function stays the same for all weights and inputs"
        )
    theta = verbs.sample(family.arch, Weights, field=PrimeField(), seed=0)
    families = independent_claims(found, network, theta)
    claims |= {"families": families, "families_sha256": hash_of_families(claims["tensors"], families)}
    return verified("family", certificate_of("family", family.arch, claims))


@verbs.certify.method
def certify_arranged(family: ArrangedSymmetry) -> Certificate:
    """A family of the normal form of a network is certified of the program in normal form."""
    certificate: Certificate = verbs.certify(family.family)
    return certificate
