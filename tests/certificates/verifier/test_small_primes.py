"""Primes that are too small for what is tested modulo them."""

from __future__ import annotations

from typing import Any

from algatt.certificates.verifier.degree import degree_of, prime_of_hash
from algatt.certificates.verifier.dimension import verify_dimension
from algatt.certificates.verifier.program import hash_of, parse
from algatt.certificates.verifier.stream import residues


def small_prime_claims(by: Any) -> Any:
    """Modulo 2 x and x^2 are equal, so that two weights seem to count together."""
    program = [
        "tensor W  : 1 x 2",
        "input  : 1 x 1",
        "multiply %1 %1  : 1 x 1",
        "concatenate %1 %2 0  : 2 x 1",
        "product %0 %3  : 1 x 1",
    ]
    moving = [0] * (by["by"] == "theorem")
    return {
        "kind": "dimension",
        "program": program,
        "sha256": hash_of(program),
        "tensors": [["W", 1, 2]],
        "reads": "vectors",
        "dimension": 1,
        "status": "proven",
        "parameters": 2,
        "prime": 2,
        "seed": next(seed for seed in range(100) if residues(seed, "input/0", 1, 2) == [1]),
        "lower_bound": {"value": 1, "rows": [0], "columns": [0], "determinant": 1},
        "upper_bound": {
            "value": 1,
            "rows": moving,
            "columns": moving,
            "determinant": 1,
            "families": [{"name": "both", "removes": 1, **by}],
        },
    }


def test_theorems_are_not_tested_modulo_small_primes():
    claims = small_prime_claims({"by": "theorem", "theorem": "shifts", "tangents": [[0, 1, 1, 1]]})
    told = "families that are claimed by theorems are tested modulo primes of at least 1048576, not 2"
    assert verify_dimension(claims).reasons == (told,)


def test_ambient_spaces_are_tested_modulo_a_prime_that_nobody_chose():
    (reason,) = verify_dimension(small_prime_claims({"by": "ambient"})).reasons
    assert reason == "values at random weights span 2 dimensions, more than the ambient space of 1"


def test_theorems_are_not_tested_modulo_primes_below_the_degree():
    """x^8388593 and x have equal values modulo 8388593."""
    lines = ["tensor W  : 1 x 2", "input  : 1 x 1"]
    result, power = "%1", 1
    for bit in f"{8388593:b}"[1:]:
        lines.append(f"multiply {result} {result}  : 1 x 1")
        result, power = f"%{len(lines) - 1}", 2 * power
        if bit == "1":
            lines.append(f"multiply {result} %1  : 1 x 1")
            result, power = f"%{len(lines) - 1}", power + 1
    assert power == 8388593
    lines += [f"concatenate %1 {result} 0  : 2 x 1", f"product %0 %{len(lines)}  : 1 x 1"]
    claims = small_prime_claims({"by": "theorem", "theorem": "shifts", "tangents": [[0, 1, 1, 8388592]]})
    claims |= {"program": lines, "sha256": hash_of(lines), "prime": 8388593, "seed": 0}
    assert degree_of(parse(lines)) == 8388593 + 1
    (reason,) = verify_dimension(claims).reasons
    assert "modulo primes of at least 33554376" in reason


def test_degrees_by_hand():
    """x / (x + y z) has the degrees 2 and 2; a sum of three such with other denominators 6 and 6."""
    lines = ["input  : 3 x 1", "tensor A  : 3 x 1", "multiply %0 %1  : 3 x 1", "add %0 %2  : 3 x 1"]
    lines += ["reciprocal %3  : 3 x 1", "multiply %0 %4  : 3 x 1"]
    assert degree_of(parse(lines)) == 2
    lines += ["constant [1 1 1]  : 1 x 3", "product %6 %5  : 1 x 1"]
    assert degree_of(parse(lines)) == 6
    lines += ["exp %7  : 1 x 1", "multiply %8 %8  : 1 x 1"]
    assert degree_of(parse(lines)) == 6


def test_the_prime_of_a_hash_is_the_first_one_from_there_on():
    assert prime_of_hash("0" * 64) == 2**61 + 15
