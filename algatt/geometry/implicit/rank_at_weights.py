"""The rank of the Jacobian at given weights, from below: modulo a prime, or over the reals by balls."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from algatt import verbs
from algatt.architectures import Architecture
from algatt.architectures.base import constant_inputs, draw_inputs, encoded_integers
from algatt.architectures.network import program, turns_by_circles
from algatt.errors import MethodError, NoValue
from algatt.fields import DEFAULT_PRIME, Balls, Elements, Field, PrimeField, Rationals
from algatt.fields.prime import residue
from algatt.geometry.dimensions.real_point import GATES, widened
from algatt.geometry.implicit.lifting import primes
from algatt.linalg import RowSpace
from algatt.linalg.rank import pivots_from_below
from algatt.maps.existence import over
from algatt.maps.gradient import gradients
from algatt.parameters import Weights

MOST_SEQUENCES = 2**10
"""Maximum number of sequences of tokens all of which are looked at; of more a random one after the other."""

IDLE = 16
"""Number of inputs in a row that add nothing after which the search ends."""

BITS = (128, 512, 2048)
"""Precisions of balls that are tried."""


def rank_at_weights(arch: Architecture, theta: Weights, most: int) -> int:
    """Return a proven lower bound of the rank of the Jacobian at weights, over all real inputs.

    A minor that does not vanish modulo a prime, or whose enclosure by balls excludes zero, does not vanish. Where the
    network has gates, each input is one at which they are open or closed in a neighbourhood of it and the weights.

    Parameters
    ----------
    arch : Architecture
        The network.
    theta : Weights
        Weights over the reals or the rationals, which are taken for exactly what they are.
    most : int
        An upper bound of the rank, at which the search ends.
    """
    if arch.algebraic and not turns_by_circles(arch):
        return rank_modulo_prime(arch, theta, most)
    rank = 0
    for bits in BITS:
        rank = max(rank, rank_by_balls(arch, theta, most, Balls(bits)))
        if rank >= most:
            break
    return rank


def inputs_in_turn(arch: Architecture, field: Field) -> Iterator[Elements]:
    """Iterate over inputs, as batches of one: random ones without end, or all sequences of tokens if these are few."""
    if arch.sequences is not None and arch.sequences <= MOST_SEQUENCES:
        for tokens in itertools.product(range(arch.vocabulary or 1), repeat=arch.input_shape[1]):
            yield Elements(field, encoded_integers(field, constant_inputs(arch, np.array([tokens], dtype=np.int64))))
        return
    for number in itertools.count():
        yield Elements(field, draw_inputs(arch, field, 0, number, 1))


def rank_modulo_prime(arch: Architecture, theta: Weights, most: int) -> int:
    """Return the rank of the Jacobian at weights modulo the first prime that divides none of their denominators."""
    exact = over(Rationals(), theta)
    denominators = math.lcm(*(int(one.q) for element in exact.elements for one in element.raw.flat))
    p = next(p for p in itertools.chain((DEFAULT_PRIME,), primes()) if denominators % p)
    field, reduced = PrimeField(p), reduced_modulo(p, exact)
    space, idle = RowSpace(field, arch.parameters), 0
    for X in inputs_in_turn(arch, field):
        try:
            idle = 0 if space.add(verbs.jacobian(arch, reduced, X)) else idle + 1
        except NoValue:
            idle += 1
        if space.rank >= most or (idle >= IDLE and arch.sequences is None):
            break
    return space.rank


def reduced_modulo(p: int, exact: Weights) -> Weights:
    """Return rational weights modulo a prime."""
    field, reduced = PrimeField(p), []
    for element in exact.elements:
        residues = [residue(Fraction(int(one.p), int(one.q)), p) for one in element.raw.flat]
        reduced.append(Elements(field, np.array(residues, dtype=field.dtype).reshape(element.shape)))
    return exact.replace(reduced)


def rank_by_balls(arch: Architecture, theta: Weights, most: int, field: Balls) -> int:
    """Return the number of pivots of an elimination of rows of the Jacobian over balls.

    Twice as many inputs are looked at for as long as they add something.
    """
    point = over(field, theta)
    gated = not GATES.isdisjoint(one.operation for one in program(arch).instructions)
    around = point.replace([widened(field, element) for element in point.elements])
    outputs = np.arange(arch.outputs)
    rows = [verbs.encode(field, np.zeros((0, arch.parameters), dtype=np.int64))]
    rank, until = 0, most // arch.outputs + 4
    for looked, X in enumerate(inputs_in_turn(arch, field), start=1):
        try:
            if gated:
                verbs.evaluate(arch, around, X if arch.vocabulary is not None else widened(field, X))
            repeated = Elements(field, np.repeat(X.raw, arch.outputs, axis=0))
            rows.append(gradients(arch, point, repeated, outputs=outputs).raw)
        except (NoValue, MethodError):
            pass
        if looked == until:
            before, rank = rank, len(pivots_from_below(field, np.concatenate(rows)))
            if rank >= most or (rank == before and looked > IDLE):
                return rank
            until *= 2
    return len(pivots_from_below(field, np.concatenate(rows)))
