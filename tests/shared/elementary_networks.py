"""Networks with exponentials, roots and gates, and what certificates claim of them, as the verifier has it."""

from __future__ import annotations

import functools
import json
from typing import Any

import algatt
from algatt import Elementary, Network
from algatt.certificates.make.elementary import elementary_claims
from algatt.certificates.verifier.claims import Network as Claimed
from algatt.certificates.verifier.conditions import check_conditions
from algatt.certificates.verifier.elementary import Refuted
from algatt.certificates.verifier.gradients import gradient_of
from algatt.certificates.verifier.interpreter import Interpreter, NoValue
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.modular import Residues
from algatt.certificates.verifier.places import Places
from algatt.certificates.verifier.program import parse
from algatt.fields import Erf, Log, Positive
from algatt.layers import (
    GELU,
    ALiBi,
    Causal,
    Embedding,
    Experts,
    Feedforward,
    Heads,
    LayerNorm,
    RelativeBias,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    SoftmaxRouter,
    Tanh,
    Tie,
    Unembedding,
)
from algatt.maps import program as program_of
from algatt.programs.trace import line
from algatt.verbs import coordinates
from written_networks import written

__all__ = [
    "NETWORKS",
    "P",
    "claimed_network",
    "claims_of",
    "condition_of",
    "places_of",
    "places_of_lines",
    "refutations",
    "report_of",
    "settled",
    "true_claims",
]

P = 8388587


def all_functions(w: Any, X: Any) -> Any:
    """Each function once, and an exponential after a logarithm."""
    u = w.A @ X
    root = (1 + u.exp() + (-u).exp()).sqrt()
    logarithm = (w.B @ X).entrywise(Log())
    after = (u * logarithm).exp() + (root + logarithm).sqrt()
    return w.C * (u.entrywise(Erf()) + after) + (root + u).entrywise(Log())


def two_weights(w: Any, X: Any) -> Any:
    """Four exponents that are multiples of two numbers by weights: two of them are seen at each of two weights."""
    first, second = w.A @ X, w.B @ X
    return w.C * (first.exp() + (w.C * first).exp() + second.exp() + (w.C * second).exp())


def square_behind_a_gate(w: Any, X: Any) -> Any:
    """Where the gate is closed, the root is that of a square: such patterns are left out."""
    u = w.A @ X
    return w.C * ((w.B @ X) * (w.B @ X) + u * u.entrywise(Positive())).sqrt()


NETWORKS = {
    "softmax": algatt.Softmax((3, 2), (2,), 2),
    "RMSNorm and SwiGLU": Network(
        Residual(RMSNorm() >> Heads(2, mask=Causal(), width=1))
        >> Residual(RMSNorm() >> Feedforward(2, SiLU(), gated=True)),
        tokens=2,
        width=2,
    ),
    "QK-norm and LayerNorm": Network(
        Residual(Heads(1, norm=RMSNorm(0), position=ALiBi())) >> LayerNorm(), tokens=2, width=2
    ),
    "GELU": Network(Residual(LayerNorm(bias=True) >> Feedforward(2, GELU(), bias=True)), tokens=2, width=2),
    "GELU before a norm": Network(
        Residual(Feedforward(1, GELU(), bias=True)) >> RMSNorm(gain=False), tokens=2, width=2
    ),
    "ReLU": Network(Residual(Heads(1, width=1)) >> Residual(Feedforward(3, ReLU(), bias=True)), tokens=2, width=2),
    "gates before exponents": Network(
        Residual(Feedforward(2, ReLU(), bias=True)) >> Residual(Heads(1, width=1)), tokens=2, width=2
    ),
    "router": Network(Residual(Experts(3, Feedforward(1, Tanh()), SoftmaxRouter(2))), tokens=2, width=2),
    "softcap": Network(
        Residual(Heads(2, key_heads=1, score=SoftCap(3), position=RelativeBias(4, 4), width=1)) >> RMSNorm(gain=False),
        tokens=2,
        width=2,
    ),
    "rotary": Network(Residual(Heads(1, position=Rotary())), tokens=2, width=2),
    "tied": Network(Residual(RMSNorm() >> Tie(Heads(1, width=2), {"heads.K_1": "heads.Q_1"})), tokens=2, width=2),
    "tied before a norm": Network(
        Residual(Tie(Heads(2, width=1), {"heads.K_2": "heads.Q_1", "heads.Q_2": "heads.K_1"})) >> RMSNorm(gain=False),
        tokens=2,
        width=2,
    ),
    "all functions": written({"A": (1, 2), "B": (1, 2), "C": (1, 1)}, all_functions, width=2, tokens=2),
    "patterns left out": written({"A": (1, 2), "B": (1, 2), "C": (1, 1)}, square_behind_a_gate, width=2, tokens=1),
    "tokens with gates": Network(
        Embedding(3, 2) >> Residual(Feedforward(3, ReLU(), bias=True)) >> Unembedding(3), tokens=2
    ),
    "two weights": written({"A": (1, 2), "B": (1, 2), "C": (1, 1)}, two_weights, width=2, tokens=1),
}
"""One for each kind of function and of evidence."""


@functools.cache
def report_of(name: str) -> Any:
    """Return the dimension of a network modulo p."""
    return algatt.dimension(NETWORKS[name], field=Elementary())


@functools.cache
def text_of_claims(name: str) -> str:
    """Return what a certificate of a network claims of its functions, as text."""
    return json.dumps(elementary_claims(report_of(name)))


def true_claims(name: str) -> dict[str, Any]:
    """Return what a certificate of a network claims of its functions."""
    claims: dict[str, Any] = json.loads(text_of_claims(name))
    return claims


def claimed_network(arch: Any) -> Claimed:
    """Return a network as the verifier has it."""
    program = parse([line(one) for one in program_of(arch).instructions])
    shapes = {name: ((1, 1) + shape)[-2:] for name, shape in coordinates(arch).items()}
    return Claimed(program, "", shapes, arch.vocabulary is not None)


def places_of(arch: Any, claims: dict[str, Any], seed: int = 0, p: int = P) -> Places:
    """Return the places of claims, at the weights of a seed."""
    network, field = claimed_network(arch), Residues(p)
    tensors = dict(zip(network.tensors, field.weights(seed, list(network.tensors.values())), strict=True))
    return Places(network, field, seed, claims, tensors)


def refutations(name: str, claims: dict[str, Any]) -> list[str]:
    """Return what is wrong with claims of a network, by the conditions and by the minor of the lower bound."""
    evidence = report_of(name).evidence
    minor = evidence.lower.minor
    try:
        places = places_of(NETWORKS[name], claims, evidence.seed, evidence.prime.p)
        found: list[str] = check_conditions(places)
        network, field = places.network, places.field
        interpreter = Interpreter(network.program, field, places.interpreter(0).tensors)
        entries: list[Any] = []
        for row in minor.rows:
            number, output = divmod(row, network.outputs)
            results, slopes = places.at(number)
            gradient = gradient_of(interpreter, network, field, results, slopes, output)
            entries += [gradient[column] for column in minor.columns]
    except (Refused, Refuted, NoValue) as error:
        return [f"{type(error).__name__}: {error}"]
    if int(field.matrix(len(minor.rows), len(minor.rows), entries).det()) != minor.determinant:
        found.append("another minor")
    return found + places.reasons()


def network_of_lines(*lines: str, tokens: bool = False) -> Claimed:
    """Return the network of a program."""
    program = parse(list(lines))
    tensors = {one.argument: one.shape for one in program if one.operation == "tensor"}
    return Claimed(program, "", tensors, tokens)


def places_of_lines(
    lines: tuple[str, ...], claims: dict[str, Any], seed: int = 0, p: int = P, *, tokens: bool = False
) -> Places:
    """Return the places of claims about a program."""
    network, field = network_of_lines(*lines, tokens=tokens), Residues(p)
    tensors = dict(zip(network.tensors, field.weights(seed, list(network.tensors.values())), strict=True))
    return Places(network, field, seed, claims, tensors)


def claims_of(exponents: list[Any], conditions: list[Any], **others: Any) -> dict[str, Any]:
    """Return claims that say nothing but what is given."""
    return {
        "kind": "inputs",
        "exponents": exponents,
        "ties": {"free": [], "tied": []},
        "places": {"salts": [], "sum": 0},
        "gates": {"dropped": [], "open": []},
        "conditions": conditions,
        "rests_on": [],
        **others,
    }


def condition_of(exponents: list[list[int]] | None = None, **roots: list[list[int]]) -> dict[str, Any]:
    """Return a condition with places for exponents, and for each root by the number of its instruction."""
    return {
        "exponents": None if exponents is None else {"determinant": 0, "places": exponents, "sum": 0},
        "roots": [{"instruction": int(name[1:]), "places": rows, "sum": 0} for name, rows in roots.items()],
    }


def settled(places: Any) -> list[str]:
    """Return what is wrong with claims, the determinants and sums being taken for those that are found."""
    return [text for text in check_conditions(places) if ", not " not in text]
