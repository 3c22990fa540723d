"""Certificates of symmetries alone: that a network does not change along the directions of a family."""

from __future__ import annotations

from typing import Any

from algatt import verbs
from algatt.certificates.certificate import Certificate
from algatt.certificates.make.directions import independent
from algatt.certificates.make.families import velocities
from algatt.certificates.make.network import certificate_of, claims_of_network, verified
from algatt.errors import InvalidArgument, MethodError
from algatt.fields import PrimeField
from algatt.linalg import RowSpace
from algatt.parameters import Weights
from algatt.symmetry import ArrangedSymmetry, Symmetry


@verbs.certify.method
def certify_symmetry(family: Symmetry) -> Certificate:
    listed = velocities(family)
    names = [family.name] if len(listed) == 1 else [f"{family.name} {k + 1}" for k in range(len(listed))]
    theta = verbs.sample(family.arch, Weights, field=PrimeField(), seed=0)
    space = RowSpace(PrimeField(), family.arch.parameters)
    families = independent(list(zip(names, listed, strict=True)), theta, space)
    if not families:
        raise no_words(family)
    directions = [int(column) for column in space.pivot_columns]
    claims: dict[str, Any] = {"kind": "symmetry", **claims_of_network(family.arch)}
    claims |= {"families": families, "directions": directions}
    try:
        return verified("family", certificate_of("family", family.arch, claims))
    except InvalidArgument:
        raise no_words(family) from None


def no_words(family: Symmetry) -> MethodError:
    """Return the error of a family that there is no certificate of."""
    return MethodError(
        f"there is no certificate of the family {family.name!r}: the verifier of certificates has no words by which "
        "the function stays the same for all weights and inputs"
    )


@verbs.certify.method
def certify_arranged(family: ArrangedSymmetry) -> Certificate:
    """A family of the normal form of a network is certified of the program in normal form."""
    certificate: Certificate = verbs.certify(family.family)
    return certificate
