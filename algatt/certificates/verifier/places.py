"""Places: residues in the place of weights, inputs, exponentials, roots and gates, and what a program makes of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from .claims import Network
from .elementary import Refuted, Salted, numbers_of
from .elementary_claims import read_elementary
from .gates import RealPoints
from .inputs import constant_entries
from .interpreter import Interpreter, NoValue
from .limits import Refused
from .modular import Matrix, Residues
from .program import Instruction, sizes
from .stream import residues

__all__ = ["Place", "Places"]

MOST_DRAWN = 10**7
"""So many residues are drawn at once, where columns have salts of their own."""


class Place:
    """What a program computes at one place.

    Parameters
    ----------
    results : dict of int to Matrix
        The results of all instructions, or of those before some root.
    drawn : dict of int to list of int
        The residues of exponentials, by what they are known.
    densities : dict of int to Matrix
        The derivatives of error functions.
    total : int
        The sum of the residues that are known by what is drawn anew.
    known : set of int
        By which instructions residues were drawn.
    """

    def __init__(self) -> None:
        self.results: dict[int, Matrix] = {}
        self.drawn: dict[int, list[int]] = {}
        self.densities: dict[int, Matrix] = {}
        self.total = 0
        self.known: set[int] = set()


class Places:
    """The places of a certificate.

    Parameters
    ----------
    network : Network
        The network. Where it reads tokens the inputs are sequences of unit vectors, and have their own gates.
    field : Residues
        The prime field.
    seed : int
        Names weights, inputs and all other residues.
    claims : dict
        What is claimed of exponentials, roots and gates.
    tensors : mapping of str to Matrix
        All tensors of the network in order.

    Raises
    ------
    Refused
        If the claims are not of the form that they should have.
    Refuted
        If they are not so by the program.
    """

    def __init__(
        self, network: Network, field: Residues, seed: int, claims: Any, tensors: Mapping[str, Matrix]
    ) -> None:
        self.network, self.program, self.field, self.p, self.seed = network, network.program, field, field.p, seed
        self.elementary = read_elementary(network, claims)
        self.interpreters = {0: Interpreter(self.program, field, tensors)}
        self.gates = numbers_of(self.program, "positive", "largest")
        self.points = RealPoints(network, seed)
        self.totals: dict[int, int] = {}  # for each input in the minor that was asked for
        if numbers_of(self.program, "sqrt") and self.p % 4 != 3:
            raise Refuted(f"roots are powers modulo primes that are 3 modulo 4, and {self.p} is not")

    def at(self, number: int) -> tuple[dict[int, Matrix], dict[int, Matrix]]:
        """Return the results of all instructions at an input in the minor, and the derivatives of functions, by number.

        Raises
        ------
        NoValue
            If a root does not exist there, or if something is divided by zero.
        """
        place = self.place(Salted(0, number, self.elementary.salts.get(number, ())), self.gates_of(number))
        self.totals[number] = place.total
        return place.results, self.slopes(place)

    def reasons(self) -> list[str]:
        """Say what is wrong with what is claimed of the inputs in the minor, all of which were asked for."""
        salted = self.elementary.salts.keys()
        if not salted <= self.totals.keys():
            return ["residues are drawn anew for inputs that no row of the minor belongs to"]
        return self.wrong_total("the minor", sum(self.totals[number] for number in salted), self.elementary.total)

    def wrong_total(self, where: str, total: int, claimed: int) -> list[str]:
        """Compare the sum of residues with the claimed one: so no salt is free that changes nothing else."""
        if total % self.p == claimed:
            return []
        return [f"the residues that are drawn for {where} have the sum {total % self.p}, not {claimed}"]

    def gates_of(self, number: int) -> int:
        """Return the gates of an input, as bits: vectors may have any pattern, tokens have their own."""
        patterns = self.elementary.patterns
        if patterns:
            return patterns[number % len(patterns)]
        return self.points.pattern(number) if self.gates else 0

    def place(self, salted: Salted, gates: int, stop: int | None = None) -> Place:
        """Return what the program computes at a place, before an instruction or in all."""
        interpreter = self.interpreter(salted.weights)
        place = Place()
        salts = self.salts_of(salted)
        bits = self.bits_of(gates)
        end = len(self.program) if stop is None else stop
        for number, one in enumerate(self.program[:end]):
            if number in interpreter.still:
                place.results[number] = interpreter.still[number]
                continue
            value = bits.get(number)
            if value is None:
                value = self.result(number, one, salted, salts, place, interpreter)
            place.results[number] = value
            if number not in interpreter.varying:
                interpreter.still[number] = value
        if any(any(some) for key, some in salts.items() if key not in place.known):
            raise Refuted(f"input {salted.number} has salts of what is not drawn before instruction {end}")
        return place

    def interpreter(self, weights: int) -> Interpreter:
        """Return what evaluates the program with some weights: those of the certificate, or further ones."""
        if weights not in self.interpreters:
            tensors = {}
            for one in self.program:
                if one.operation == "tensor":
                    height, width = sizes(one.shape)
                    drawn = residues(self.seed, f"condition/{weights}/{one.argument}", height * width, self.p)
                    tensors[one.argument] = self.field.matrix(height, width, drawn)
            for known in self.interpreters.keys() - {0}:  # of many weights all together would take too much memory
                del self.interpreters[known]
            self.interpreters[weights] = Interpreter(self.program, self.field, tensors)
        return self.interpreters[weights]

    def salts_of(self, salted: Salted) -> dict[int, tuple[int, ...]]:
        """Return the salts of the columns of each draw."""
        found, first = {}, 0
        for key, width in self.elementary.draws.items():
            found[key] = salted.salts[first : first + width] or (0,) * width
            first += width
        return found

    def bits_of(self, gates: int) -> dict[int, Matrix]:
        """Return the results of gates."""
        found = {}
        left = sum(math.prod(self.program[number].shape) for number in self.gates)
        for number in self.gates:
            height, width = sizes(self.program[number].shape)
            left -= height * width
            part = gates >> left
            bits = [part >> place & 1 for place in range(height * width - 1, -1, -1)]
            found[number] = self.field.matrix(height, width, bits)
        return found

    def result(
        self,
        number: int,
        one: Instruction,
        salted: Salted,
        salts: Mapping[int, tuple[int, ...]],
        place: Place,
        interpreter: Interpreter,
    ) -> Matrix:
        """Return the result of one instruction."""
        height, width = sizes(one.shape)
        operation = one.operation

        def drawn(kind: str, key: int, count: int) -> list[int]:
            found = self.drawn(kind, key, salted.number, count, salts.get(key, (0,)))
            if key in salts:
                place.known.add(key)
                place.total += sum(found)
            return found

        if operation == "input":
            if self.network.tokens:
                return self.field.matrix(height, width, constant_entries(self.network, self.seed, salted.number))
            return self.field.matrix(height, width, drawn("input", number, height * width))
        if operation in ("exp", "sigmoid"):
            z = self.exponentials(number, drawn, place)
            return self.field.matrix(height, width, z if operation == "exp" else [self.share(one) for one in z])
        if operation in ("erf", "log"):
            if operation == "erf":
                density = self.drawn("density", number, salted.number, height * width, (0,))
                place.densities[number] = self.field.matrix(height, width, density)
            elif any(int(entry) == 0 for entry in place.results[one.operands[0]].entries()):
                raise NoValue(f"instruction {number} takes the logarithm of zero")
            return self.field.matrix(height, width, drawn("function", number, height * width))
        if operation == "sqrt":
            arguments = [int(entry) for entry in place.results[one.operands[0]].entries()]
            return self.field.matrix(height, width, [self.root(number, entry) for entry in arguments])
        return interpreter.result(one, place.results, None)

    def drawn(self, kind: str, key: int, number: int, count: int, salts: tuple[int, ...]) -> list[int]:
        """Return the residues that are known by an instruction, each column with its own salt: those of inputs are any,
        others are not zero.
        """
        label, many, least = (
            (f"input/{number}", self.p, 0) if kind == "input" else (f"{kind}/{key}/{number}", self.p - 1, 1)
        )
        if len(set(salts)) * count > MOST_DRAWN:
            raise Refused("elementary.places", f"of {len(set(salts))} salts for {count} residues", "of fewer")
        found = {
            salt: residues(self.seed, f"{label}/{salt}" if salt else label, count, many) for salt in sorted(set(salts))
        }
        return [found[salts[entry % len(salts)]][entry] + least for entry in range(count)]

    def exponentials(self, number: int, drawn: Any, place: Place) -> list[int]:
        """Return the values of an exponential: powers of what is drawn, or of products of powers of it."""
        one, claims = self.elementary.exponentials[number], self.elementary
        key = claims.key_of_ties if claims.tied else one.base
        if key not in place.drawn:
            count = claims.count_of_free if claims.tied else math.prod(self.program[key].shape)
            place.drawn[key] = drawn("exp", key, count)
        z = place.drawn[key]
        if claims.tied:
            z = [self.product_of_powers(z, powers) for powers in claims.powers[one.base]]
        return [self.power(entry, one.power) for entry in z]

    def product_of_powers(self, y: Sequence[int], powers: Mapping[int, int]) -> int:
        """Return a product of powers."""
        value = 1
        for j, power in powers.items():
            value = value * self.power(y[j], power) % self.p
        return value

    def power(self, value: int, exponent: int) -> int:
        """Return a power of a residue that is not zero."""
        return pow(value, exponent % (self.p - 1), self.p)

    def share(self, exponential: int) -> int:
        """Return what a logistic function makes of an exponential."""
        below = (exponential + 1) % self.p
        if below == 0:
            raise NoValue("something is divided by zero")
        return exponential * pow(below, -1, self.p) % self.p

    def root(self, number: int, value: int) -> int:
        """Return the smaller one of the two roots of a residue."""
        root = pow(value, (self.p + 1) // 4, self.p)
        if value == 0 or root * root % self.p != value:
            raise NoValue(f"a root of instruction {number} does not exist")
        return min(root, self.p - root)

    def slopes(self, place: Place) -> dict[int, Matrix]:
        """Return the derivatives of all functions at their arguments; those of gates vanish, and are left out."""
        found = {}
        for number, one in enumerate(self.program):
            if one.operation == "erf":
                found[number] = place.densities[number]
            elif one.operation in SLOPES:
                rule, p = SLOPES[one.operation], self.p
                pairs = zip(place.results[one.operands[0]].entries(), place.results[number].entries(), strict=True)
                found[number] = self.field.matrix(*sizes(one.shape), [rule(int(x), int(y), p) for x, y in pairs])
        return found


SLOPES: dict[str, Any] = {
    "exp": lambda argument, value, p: value,
    "sigmoid": lambda argument, value, p: value * (1 - value) % p,
    "sqrt": lambda argument, value, p: pow(2 * value, -1, p),
    "log": lambda argument, value, p: pow(argument, -1, p),
}
"""The derivatives of functions by their arguments and values."""
