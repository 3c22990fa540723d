"""Whether two points of a network of layers are one function, by values alone."""

from __future__ import annotations

import numpy as np
import pytest

import algatt
from algatt.errors import EquivalenceUndecided, InvalidArgument
from algatt.layers import (
    GELU,
    Affine,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Power,
    Residual,
    RMSNorm,
    Unembedding,
    Unnormalized,
)

LINEAR = algatt.Network(2 * Residual(Heads(2, score=Unnormalized(), mask=Causal())), tokens=2, width=4)
DIVIDING = algatt.Network(Residual(Heads(2, score=Affine(1, 1))), tokens=2, width=4)
BLOCK = algatt.Network(
    Residual(RMSNorm() >> Heads(2)) >> Residual(Feedforward(4, GELU(), bias=True)), tokens=2, width=4
)
TOKENS = algatt.Network(Embedding(3, 2) >> Heads(1, score=Unnormalized()) >> Unembedding(3), tokens=2)


def exchanged(theta: algatt.Weights, path: str) -> algatt.Weights:
    """Return weights with the two heads of a layer in the other order, which changes no function."""
    names = list(theta.names())
    other = {f"{path}{M}_{i}": f"{path}{M}_{3 - i}" for M in "QKVO" for i in (1, 2)}
    return theta.replace([theta.elements[names.index(other.get(name, name))] for name in names])


@pytest.mark.parametrize(("net", "path"), [(LINEAR, "2.heads."), (DIVIDING, "heads.")], ids=["linear", "dividing"])
def test_heads_in_another_order_over_a_prime_field(net: algatt.Network, path: str) -> None:
    theta = algatt.sample(net, algatt.Weights, seed=3)
    answer = algatt.same_function(net, theta, exchanged(theta, path))
    assert (answer.equal, answer.status) == (True, "probable")
    assert answer.error is not None
    assert 0 < answer.error <= 1e-9
    small = algatt.sample(net, algatt.Weights, field=algatt.PrimeField(2), seed=3)
    with pytest.raises(EquivalenceUndecided, match=r"^no input that was tried separates the functions; over GF\(2\)"):
        algatt.same_function(net, small, exchanged(small, path))


@pytest.mark.parametrize("net", [LINEAR, DIVIDING, BLOCK], ids=["linear", "dividing", "block"])
def test_other_weights_are_another_function(net: algatt.Network) -> None:
    field = algatt.PrimeField() if net.algebraic else algatt.Reals()
    one, two = (algatt.sample(net, algatt.Weights, field=field, seed=seed) for seed in (0, 1))
    answer = algatt.same_function(net, one, two)
    assert (answer.equal, answer.status) == (False, "proven")
    X = answer.separating_input
    assert (algatt.evaluate(net, one, X) != algatt.evaluate(net, two, X)).any()


def test_the_same_weights_are_the_same_function() -> None:
    theta = algatt.sample(BLOCK, algatt.Weights, field=algatt.Reals())
    answer = algatt.same_function(BLOCK, theta, theta)
    assert (answer.equal, answer.status, answer.reason) == (True, "proven", "the parameters are the same")


def test_values_over_the_reals_prove_no_equality() -> None:
    theta = algatt.sample(BLOCK, algatt.Weights, field=algatt.Reals())
    with pytest.raises(EquivalenceUndecided, match=r"no symmetry is looked for in Network"):
        algatt.same_function(BLOCK, theta, exchanged(theta, "heads."))


def test_all_sequences_of_tokens() -> None:
    """The function is cubic in E, and linear in U: twice E is undone by U / 8."""
    theta = algatt.sample(TOKENS, algatt.Weights)
    names = list(theta.names())
    assert (names[0], names[-1]) == ("embedding.E", "unembedding.U")
    E, *between, U = theta.elements
    eighth = pow(8, -1, algatt.PrimeField().p)
    answer = algatt.same_function(TOKENS, theta, theta.replace([E * 2, *between, U * eighth]))
    assert (answer.equal, answer.status) == (True, "proven")
    assert answer.reason == "the functions agree at all sequences of tokens"
    other = theta.replace([E * 2, *between, U])
    answer = algatt.same_function(TOKENS, theta, other)
    assert (answer.equal, answer.status) == (False, "proven")
    tokens = answer.separating_input
    assert tokens.shape == (2,)
    assert (algatt.evaluate(TOKENS, theta, tokens) != algatt.evaluate(TOKENS, other, tokens)).any()


def test_tokens_over_the_reals() -> None:
    net = algatt.Network(Embedding(3, 2) >> Residual(Heads(1)) >> Unembedding(3), tokens=2)
    one, two = (algatt.sample(net, algatt.Weights, field=algatt.Reals(), seed=seed) for seed in (0, 1))
    answer = algatt.same_function(net, one, two)
    assert (answer.equal, answer.status) == (False, "proven")
    assert answer.separating_input.dtype.kind == "i"
    tokens = answer.separating_input
    assert not np.allclose(algatt.evaluate(net, one, tokens), algatt.evaluate(net, two, tokens))


def test_bad_input() -> None:
    theta = algatt.sample(LINEAR, algatt.Weights)
    with pytest.raises(InvalidArgument, match=r"^theta2 was over RR"):
        algatt.same_function(LINEAR, theta, algatt.sample(LINEAR, algatt.Weights, field=algatt.Reals()))
    with pytest.raises(InvalidArgument, match=r"^theta was .*it should be parameters of Network"):
        algatt.same_function(LINEAR, theta, algatt.sample(TOKENS, algatt.Weights))
    with pytest.raises(InvalidArgument, match=r"^error was 2; it should be a number between 0 and 1$"):
        algatt.same_function(LINEAR, theta, theta, error=2)
    point = algatt.sample(BLOCK, algatt.Weights)
    with pytest.raises(InvalidArgument, match=r"^theta1 was over GF\(8388593\), where Network\(.*\) has no values"):
        algatt.same_function(BLOCK, point, point)


def test_a_network_that_reads_more_sequences_than_are_tried() -> None:
    net = algatt.Network(Embedding(40, 2) >> Feedforward(2, Power(2)) >> Unembedding(3), tokens=2)
    theta = algatt.sample(net, algatt.Weights)
    E, *between, U = theta.elements
    fourth = pow(4, -1, algatt.PrimeField().p)
    with pytest.raises(EquivalenceUndecided, match="miss a difference with a probability of up to 1"):
        algatt.same_function(net, theta, theta.replace([E * 2, *between, U * fourth]))
