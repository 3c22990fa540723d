"""Claims of the dimension of a neuromanifold, read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .claims import Network, check_count_of_families, fields_of, network_of, prime_of, whole_numbers
from .directions import Directions, directions_of
from .limits import MOST_ORDER, MOST_REAL_ORDER, MOST_REAL_STEPS, MOST_STEPS, Refused, in_a_line, whole_number
from .modular import Matrix, Residues
from .program import FUNCTIONS, cost_of

__all__ = ["DimensionClaim", "read_claim", "tensors_of"]

STRUCTURE = {
    "kind": str,
    "program": list,
    "sha256": str,
    "tensors": list,
    "reads": str,
    "dimension": int,
    "status": str,
    "parameters": int,
    "prime": int,
    "seed": int,
    "lower_bound": dict,
    "upper_bound": dict,
}


@dataclass(frozen=True)
class DimensionClaim:
    """The claims of a certificate, with values that make sense."""

    network: Network
    families: list[Directions]
    field: Residues
    claims: Any

    @property
    def real(self) -> bool:
        """Whether the lower bound is a real minor."""
        return isinstance(self.claims["lower_bound"]["determinant"], str)

    @property
    def seed(self) -> int:
        """The seed of the point."""
        return int(self.claims["seed"])

    @property
    def in_words(self) -> str:
        """What is claimed."""
        lower, upper = self.claims["lower_bound"]["value"], self.claims["upper_bound"]["value"]
        known = (
            f"of dimension {lower}" if lower == upper else f"whose dimension is at least {lower} and at most {upper}"
        )
        told = f"{self.network.in_words} has a neuromanifold {known}"
        if any(one.operation in ("positive", "largest") for one in self.network.program):
            told += " around almost all weights of an open set"
        return told[0].upper() + told[1:]


def read_claim(claims: Any) -> DimensionClaim:
    """Return claims of a dimension, if they make sense."""
    fields_of("claims", claims, STRUCTURE, {"elementary": dict, "scales": list})
    network = network_of(claims)
    p = prime_of(claims)
    whole_number("claims.seed", claims["seed"])
    lower = claims["lower_bound"]
    determinant = str if isinstance(lower.get("determinant"), str) else int
    minor = {"value": int, "rows": list, "columns": list}
    fields_of("claims.lower_bound", lower, {**minor, "determinant": determinant})
    fields_of("claims.upper_bound", claims["upper_bound"], {**minor, "determinant": int, "families": list})
    for bound in ("lower", "upper"):
        claim = claims[f"{bound}_bound"]
        for axis in ("rows", "columns"):
            whole_numbers(f"claims.{bound}_bound.{axis}", claim[axis], 0, 2**53)
            if len(claim[axis]) > MOST_ORDER:
                raise Refused(f"claims.{bound}_bound.{axis}", f"of length {len(claim[axis])}", f"at most {MOST_ORDER}")
    real, functions = determinant is str, any(one.operation in (*FUNCTIONS, "largest") for one in network.program)
    if real != ("scales" in claims) or (functions and not real) != ("elementary" in claims):
        should = "'scales' with a real minor, and 'elementary' with functions and a minor modulo a prime"
        raise Refused("claims", in_a_line(sorted(claims)), f"an object with {should}")
    if real:
        if len(lower["rows"]) > MOST_REAL_ORDER:
            was = f"those of a real minor of order {len(lower['rows'])}"
            raise Refused("claims.lower_bound.rows", was, f"of order {MOST_REAL_ORDER} at most")
        whole_numbers("claims.scales", claims["scales"], -1000, 1000)
        if len(claims["scales"]) != len(network.tensors):
            raise Refused("claims.scales", f"of length {len(claims['scales'])}", "an exponent for each tensor")
    steps = cost_of(network.program) * max(1, len(lower["rows"]))
    most = MOST_REAL_STEPS if real else MOST_STEPS
    if steps > most:
        raise Refused("claims.lower_bound.rows", f"rows that take {steps} steps", f"at most {most} steps")
    check_count_of_families(network, len(claims["upper_bound"]["families"]))
    listed = enumerate(claims["upper_bound"]["families"])
    families = [directions_of(f"claims.upper_bound.families[{i}]", one, network) for i, one in listed]
    return DimensionClaim(network, families, Residues(p), claims)


def tensors_of(claim: DimensionClaim) -> dict[str, Matrix]:
    """Return the weights modulo the prime."""
    weights = claim.field.weights(claim.seed, list(claim.network.tensors.values()))
    return dict(zip(claim.network.tensors, weights, strict=True))
