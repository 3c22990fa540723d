"""Places modulo p: inputs and values of exponentials, drawn until all roots exist."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from algatt import verbs
from algatt.errors import ConditionFailed, DivisionByZero
from algatt.fields import Elements, Erf, Exp, Log, PrimeField, Sigmoid, Sqrt
from algatt.fields.functions import Given
from algatt.fields.prime import power, square_roots, squares
from algatt.maps.elementary.reading import DRAWN, ChoosingProgram
from algatt.programs.interpret import result
from algatt.randomness import random_residues_of_labels

MOST_DRAWS = 4000
"""So many times residues before a root are drawn anew; with k roots behind one draw, one time in 2^k all exist."""

MOST_RENEWALS = 1000
"""So many times residues are drawn anew in all, for all inputs that are looked at together; each time several."""

MOST_OF_ONE = 2**11
"""So many residues are drawn anew in the place of the same ones, before earlier ones are."""

MOST_CANDIDATES = 2**12
"""So many residues are tried at a time; at first one, then ever twice as many."""

BLOCK = 2**22
"""About so many numbers are held at a time."""


class DrawnValues:
    """Values of a network at places of the field of its functions, one for each input.

    A place gives residues to weights, inputs and exponentials, and to roots one of the two roots of the residue below
    them. Where there is none, the residues that were drawn last before it are drawn anew: of the tokens in question, if
    it has as many columns as the root.

    Parameters
    ----------
    reading : Reading
        The program.
    field : PrimeField
        Where it is evaluated.
    tensors : mapping of str to ndarray
        Raw tensors; with `many`, one for each input.
    seed : int
        Names the residues.
    numbers : ndarray
        Numbers of the inputs.
    gates : mapping of int to ndarray
        The values of gates, by the numbers of their instructions, for each input.
    many : bool, optional
        Whether there are tensors for each input.
    inputs : ndarray, optional
        The inputs, if these are not drawn; then they are not drawn anew.
    arrived : callable, optional
        Called with the number of each root and logarithm and its `characters`, before residues are drawn anew for it.

    Attributes
    ----------
    alive : ndarray
        For each input, whether it has a place: it has none where something that is divided by vanishes, or where no
        roots were found.
    characters : dict of int to ndarray
        For each root whether its arguments are squares at the places that exist before it; of shape (inputs, entries),
        1 for squares, 0 for others, and -1 where there is no place. For each logarithm those of its arguments, of the
        arguments of all logarithms before it and of the residues of all exponentials before it, at the same places.
    """

    def __init__(
        self,
        reading: ChoosingProgram,
        field: PrimeField,
        tensors: Mapping[str, np.ndarray],
        seed: int,
        numbers: np.ndarray,
        gates: Mapping[int, np.ndarray],
        *,
        many: bool = False,
        inputs: np.ndarray | None = None,
        arrived: Callable[[int, np.ndarray], None] | None = None,
    ) -> None:
        self.reading, self.field, self.seed, self.numbers, self.gates = reading, field, seed, numbers, gates
        self.alive = np.ones(len(numbers), dtype=bool)
        self.results: dict[int, np.ndarray] = {}
        self.characters: dict[int, np.ndarray] = {}
        self.drawn: dict[str, np.ndarray] = {}
        self.salts: dict[int, np.ndarray] = {}
        self.tried: dict[int, np.ndarray] = {}  # the largest salt with which residues were tried
        self.missing: dict[int, np.ndarray] = {}  # for each root in which columns it does not exist
        self.renewals = 0
        self.tensors, self.inputs = tensors, inputs
        self.varying = varying_with_tensors(reading) if many else reading.varying
        everything = np.arange(len(numbers))
        for number in range(len(reading.program)):
            function = reading.functions.get(number)
            if isinstance(function, Sqrt):
                self.characters[number] = self.characters_of(self.results[reading.source(number)])
            elif isinstance(function, Log):
                self.characters[number] = self.characters_of(self.multiplied_before(number))
            if arrived is not None and number in self.characters:
                arrived(number, self.characters[number])
            self.step(number, everything)
        if reading.roots:
            self.compute_once_more(everything)

    def compute_once_more(self, everything: np.ndarray) -> None:
        """Compute all results from what was drawn in the end, in order: nothing then depends on how it was found."""
        for number in sorted(self.varying):
            if isinstance(self.reading.functions.get(number), Sqrt):
                self.set_roots(number, everything)
                self.alive[self.missing[number].any(axis=1)] = False
            else:
                self.results[number] = np.ascontiguousarray(self.computed(number, everything))

    def functions(self) -> dict[int, Given]:
        """Return the values and derivatives of all functions and gates, by the numbers of their instructions."""
        given = {}
        for number, function in self.reading.functions.items():
            argument, value = self.results[self.reading.source(number)], self.results[number]
            if isinstance(function, Erf):
                slope: Any = self.residues(number, "density", np.arange(len(self.numbers)))
            else:
                slope = verbs.slope(self.field, function, without_zeros(argument), value)
            given[number] = Given(value, slope, function)
        given.update({number: Given(self.results[number], None) for number in self.reading.gates})
        return given

    def multiplied_before(self, number: int) -> np.ndarray:
        """Return what must have no relation as products, at a logarithm: its argument, those of the logarithms before
        it, and the residues of the exponentials before it.
        """
        earlier = [one for one in self.reading.logarithms if one <= number]
        parts = [self.results[self.reading.source(one)] for one in earlier]
        parts += [drawn for name, drawn in self.drawn.items() if name.startswith("exp/")]
        return np.concatenate([part.reshape(len(self.numbers), -1) for part in parts], axis=1)

    def characters_of(self, raw: np.ndarray) -> np.ndarray:
        """Return for each input which of the entries are squares."""
        flat = raw.reshape(len(self.numbers), -1)
        characters = squares(self.field, flat).astype(np.int8)
        characters[~self.alive | (flat == 0).any(axis=1)] = -1
        return characters

    def step(self, number: int, rows: np.ndarray) -> set[int]:
        """Compute the result of an instruction for some of the inputs, those that it takes being known; return what was
        drawn anew for it.
        """
        if isinstance(self.reading.functions.get(number), Sqrt):
            return self.take_roots(number, rows)
        if number not in self.varying:
            if number not in self.results:
                self.results[number] = self.computed(number, rows)
        else:
            value = self.computed(number, rows)
            known = self.results.get(number)
            if len(rows) == len(self.numbers):
                self.results[number] = np.ascontiguousarray(value)
            elif known is not None:
                known[rows] = value
        return set()

    def operand(self, number: int, rows: np.ndarray) -> np.ndarray:
        """Return the result of an instruction for some of the inputs."""
        known = self.results[number]
        return known[rows] if number in self.varying and len(rows) < len(self.numbers) else known

    def computed(self, number: int, rows: np.ndarray) -> np.ndarray:
        """Return the result of an instruction for some of the inputs."""
        one, field = self.reading.program.instructions[number], self.field
        if one.operation == "input":
            return self.inputs[rows] if self.inputs is not None else self.residues(number, "input", rows)
        if one.operation == "tensor":
            tensor = self.tensors[one.argument]
            return tensor[rows] if number in self.varying else tensor
        if number in self.gates:
            return self.gates[number][rows]
        operands = [self.operand(operand, rows) for operand in one.operands]
        function = self.reading.functions.get(number)
        if isinstance(function, Exp | Sigmoid):
            return self.exponential(number, rows)
        if isinstance(function, DRAWN):
            if isinstance(function, Log):
                self.kill(rows, operands[0] == 0)
            return self.residues(number, "function", rows)
        if one.operation == "reciprocal":
            if number not in self.varying and not np.all(operands[0]):
                raise DivisionByZero(f"a denominator that depends on the weights alone is zero in {field}")
            operands[0] = self.nonzero(operands[0], rows)
        raw: np.ndarray = result(one, field, [Elements(field, operand) for operand in operands]).raw
        return raw

    def exponential(self, number: int, rows: np.ndarray) -> np.ndarray:
        """Return the values of an exponential, or of a logistic function."""
        exponent = self.reading.exponents[number]
        z = self.exponential_of_base(exponent.base, rows)
        value = Elements(self.field, power(self.field, z, exponent.power % (self.field.p - 1)))
        if isinstance(self.reading.functions[number], Sigmoid):
            value = value / Elements(self.field, self.nonzero((value + 1).raw, rows))
        raw: np.ndarray = value.raw
        return raw

    def exponential_of_base(self, base: int, rows: np.ndarray) -> np.ndarray:
        """Return the values by which exponentials are known: drawn, or products of powers of what is drawn."""
        ties = self.reading.ties
        if ties is None or base not in ties.powers:
            return self.residues(base, "exp", rows)
        y = self.residues(ties.key, "exp", rows)[..., 0]
        entries = [self.product_of_powers(y, exponents) for exponents in ties.powers[base]]
        return np.stack(entries, axis=-1).reshape(len(rows), *self.reading.program.instructions[base].shape)

    def product_of_powers(self, y: np.ndarray, exponents: np.ndarray) -> np.ndarray:
        """Return a product of powers of the columns of an array."""
        value: np.ndarray = np.ones(len(y), dtype=self.field.dtype)
        for column in np.flatnonzero(exponents):
            factor = power(self.field, y[:, column], int(exponents[column]) % (self.field.p - 1))
            value = verbs.multiply(self.field, value, factor)
        return value

    def nonzero(self, raw: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return what is divided by; inputs at which it vanishes have no place."""
        zero = raw == 0
        if zero.any():
            self.kill(rows, zero)
            return without_zeros(raw)
        return raw

    def kill(self, rows: np.ndarray, where: np.ndarray) -> None:
        """Note that inputs have no place."""
        self.alive[rows[where.reshape(len(rows), -1).any(axis=1)]] = False

    def residues(self, key: int, kind: str, rows: np.ndarray) -> np.ndarray:
        """Return the random residues that belong to an instruction, and draw those that are not drawn yet."""
        name = f"{kind}/{key}"
        if name not in self.drawn:
            shape = self.reading.size_of_draw(key, kind)
            self.drawn[name] = self.fresh(kind, key, [(number, 0) for number in self.numbers.tolist()], shape)
            self.salts.setdefault(key, np.zeros((len(self.numbers), (1, 1, *shape)[-1]), dtype=np.int64))
            self.tried.setdefault(key, np.zeros(len(self.numbers), dtype=np.int64))
        drawn = self.drawn[name]
        return drawn[rows] if len(rows) < len(self.numbers) else drawn.copy()

    def fresh(self, kind: str, key: int, asked: Sequence[tuple[int, int]], shape: tuple[int, ...]) -> np.ndarray:
        """Return residues from the stream for some inputs, each with a salt: inputs as they are drawn elsewhere, others
        not zero.
        """
        count, least = int(np.prod(shape)), 0 if kind == "input" else 1
        name = kind if kind == "input" else f"{kind}/{key}"
        labels = [f"{name}/{number}/{salt}" if salt else f"{name}/{number}" for number, salt in asked]
        drawn = random_residues_of_labels(self.seed, labels, count, self.field.p - least) + np.uint64(least)
        return drawn.astype(self.field.dtype).reshape(len(asked), *shape)

    def draw_again(self, key: int, rows: np.ndarray, columns: np.ndarray) -> None:
        """Draw anew the residues in some of the columns, given as truth values for each of the rows."""
        kinds = [name.partition("/")[0] for name in self.drawn if name.partition("/")[2] == str(key)]
        for row, where in zip(rows, columns, strict=True):
            self.tried[key][row] += 1
            salt = int(self.tried[key][row])
            for kind in kinds:
                shape = self.reading.size_of_draw(key, kind)
                anew = self.fresh(kind, key, [(int(self.numbers[row]), salt)], shape)[0]
                some = where if shape[-1] == len(where) else np.ones(shape[-1], dtype=bool)  # of tied exponentials: all
                self.drawn[f"{kind}/{key}"][row][..., some] = anew[..., some]
            self.salts[key][row, where] = salt

    def take_roots(self, number: int, rows: np.ndarray) -> set[int]:
        """Compute roots for some of the inputs; draw anew what was drawn before them, until they exist. Return what was
        drawn anew.

        What was drawn last is drawn anew first. Where the root does not depend on it, as those of a token that sees
        itself alone do not depend on its scores, or where it was in vain many times, what was drawn before that is.
        """
        source = self.reading.source(number)
        keys = self.keys_before(source)
        width = self.reading.program.instructions[number].shape[-1]
        level = np.zeros(len(self.numbers), dtype=np.int64)
        tries = np.zeros(len(self.numbers), dtype=np.int64)
        left = rows[self.alive[rows]]
        left = left[~self.missing_before(number, left, width).any(axis=1)]  # others are drawn anew once more
        anew: set[int] = set()
        for _ in range(MOST_DRAWS):
            wrong = np.any(np.logical_not(squares(self.field, self.results[source][left])), axis=-2)
            wrong |= self.missing_before(number, left, width)
            some = wrong.any(axis=1)
            left, wrong = left[some], wrong[some]
            hopeless = level[left] >= len(keys)
            self.alive[left[hopeless]] = False
            left, wrong = left[~hopeless], wrong[~hopeless]
            if not len(left):
                break
            for which, tried in np.unique(np.stack([level[left], tries[left]]), axis=1).T.tolist():
                at = np.flatnonzero((level[left] == which) & (tries[left] == tried))
                here, columns = left[at], wrong[at]
                before = self.results[source][here].copy()
                count, step = self.candidates(keys[which], number, tried)
                for start in range(0, len(here) if count > 1 else 0, step):
                    some = slice(start, start + step)
                    self.draw_one_of(count, keys[which], number, here[some], columns[some])
                anew |= self.renew(keys[which], number, here, columns, drawn=count > 1)
                tries[here] += count
                same = ((self.results[source][here] == before).all(axis=-2) & columns).any(axis=-1)
                same &= ~self.missing_before(number, here, width).any(axis=1)
                stuck = same | (tries[here] >= MOST_OF_ONE)
                level[here[stuck]] += 1
                tries[here[stuck]] = 0
            left = left[self.alive[left]]
        else:
            self.alive[left] = False
        if number not in self.results:
            self.results[number] = np.ones(self.results[source].shape, dtype=self.field.dtype)
            self.missing[number] = np.zeros((len(self.numbers), width), dtype=bool)
        self.set_roots(number, rows[self.alive[rows]])
        return anew

    def missing_before(self, number: int, rows: np.ndarray, width: int) -> np.ndarray:
        """Return in which columns a root before an instruction does not exist; in all if it has columns of its own."""
        missing = np.zeros((len(rows), width), dtype=bool)
        for one, where in self.missing.items():
            if one < number:
                missing |= where[rows] if where.shape[1] == width else where[rows].any(axis=1, keepdims=True)
        return missing

    def set_roots(self, number: int, rows: np.ndarray) -> None:
        """Write the roots that exist for some of the inputs, and ones for others, which are missing."""
        argument = self.results[self.reading.source(number)][rows]
        there = squares(self.field, argument)
        self.results[number][rows] = square_roots(self.field, argument * there + ~there)
        self.missing[number][rows] = np.any(np.logical_not(there), axis=-2)

    def candidates(self, key: int, number: int, tries: int) -> tuple[int, int]:
        """Return how many residues are tried at a time in the place of some that were tried so often, and for how many
        inputs: as many as were tried, so that k roots behind one draw take about k times.

        Roots in between that have draws of their own are looked at as they are, and renewed afterwards.
        """
        changed = [one for one in self.reading.descendants[key] if one < number]
        most = BLOCK // sum(int(np.prod(self.reading.program.instructions[one].shape)) for one in changed)
        count = max(1, min(tries, MOST_CANDIDATES, most))
        return count, max(1, most // count)

    def draw_one_of(self, count: int, key: int, number: int, rows: np.ndarray, columns: np.ndarray) -> None:
        """Draw several residues anew and keep the first with which all roots exist up to an instruction; where columns
        are tokens the first for each token, unless one will do for all.
        """
        width = self.salts[key].shape[1]
        kinds = [name.partition("/")[0] for name in self.drawn if name.partition("/")[2] == str(key)]
        widths = {(1, *self.reading.size_of_draw(key, kind))[-1] for kind in kinds}  # tied exponentials have one column
        apart = columns.shape[-1] == width and widths == {width}
        where = columns if apart else np.ones((len(rows), width), dtype=bool)
        tried = {kind: self.several(kind, key, rows, count) for kind in kinds}
        wrong = self.with_residues(key, number, rows, where, tried)
        first = np.argmin(wrong, axis=1)  # for each column
        together = ~(wrong & columns[:, None]).any(axis=-1)
        one = np.argmax(together, axis=1)
        for position, row in enumerate(rows):
            chosen = np.full(width, one[position])
            if apart and not together[position].any():
                chosen = first[position]
            for kind in kinds:
                if not apart:
                    self.drawn[f"{kind}/{key}"][row] = tried[kind][position, one[position]]
                    continue
                for column in np.flatnonzero(where[position]):
                    anew = tried[kind][position, chosen[column]]
                    self.drawn[f"{kind}/{key}"][row][..., column] = anew[..., column]
            self.salts[key][row, where[position]] = self.tried[key][row] + 1 + chosen[where[position]]
            self.tried[key][row] += count

    def several(self, kind: str, key: int, rows: np.ndarray, count: int) -> np.ndarray:
        """Return several residues from the stream for each of some inputs, each with a salt of its own."""
        shape = self.reading.size_of_draw(key, kind)
        tried = self.tried[key]
        asked = [(int(self.numbers[row]), int(tried[row]) + 1 + number) for row in rows for number in range(count)]
        return self.fresh(kind, key, asked, shape).reshape(len(rows), count, *shape)

    def with_residues(
        self, key: int, number: int, rows: np.ndarray, columns: np.ndarray, tried: Mapping[str, np.ndarray]
    ) -> np.ndarray:
        """Return in which columns a root does not exist, up to an instruction, with each of several residues in the
        place of those of some columns; of shape (rows, residues, columns).
        """
        count = next(iter(tried.values())).shape[1]
        changed = sorted(one for one in self.reading.descendants[key] if one < number)
        before = {operand for one in changed for operand in self.reading.program.instructions[one].operands}
        many = np.repeat(rows, count)
        part = object.__new__(DrawnValues)
        part.reading, part.field, part.seed = self.reading, self.field, self.seed
        part.numbers, part.varying, part.tensors = self.numbers[many], self.varying, self.tensors
        part.gates = {one: values[many] for one, values in self.gates.items()}
        part.inputs = None if self.inputs is None else self.inputs[many]
        part.alive = np.ones(len(many), dtype=bool)
        part.drawn = {name: drawn[many] for name, drawn in self.drawn.items()}
        part.salts = self.salts
        part.missing = {one: where[many] for one, where in self.missing.items()}
        part.results = {
            one: known[many] if one in self.varying else known
            for one, known in self.results.items()
            if one in before or one in self.missing
        }
        for kind, anew in tried.items():
            drawn = part.drawn[f"{kind}/{key}"]
            mask = np.repeat(columns, count, axis=0)
            mask = mask.reshape(len(many), *(1,) * (drawn.ndim - 2), -1)
            anew = anew.reshape(drawn.shape)
            part.drawn[f"{kind}/{key}"] = drawn + mask * (anew - drawn)
        everything = np.arange(len(many))
        for one in changed:
            if isinstance(self.reading.functions.get(one), Sqrt):
                part.set_roots(one, everything)
            else:
                part.results[one] = np.ascontiguousarray(part.computed(one, everything))
        width = self.reading.program.instructions[number].shape[-1]
        source = self.reading.source(number)
        argument = part.results[source] if source in changed else self.results[source][many]
        wrong = np.any(np.logical_not(squares(self.field, argument)), axis=-2)
        wrong |= part.missing_before(number, everything, width) | ~part.alive[:, None]
        return wrong.reshape(len(rows), count, width)

    def renew(self, key: int, number: int, rows: np.ndarray, columns: np.ndarray, *, drawn: bool) -> set[int]:
        """Draw residues anew unless they are drawn, and compute what depends on them and comes before an instruction;
        return all that was drawn.

        Other roots before which the same residues are drawn last have to exist with the same draw: where one does not,
        it is missing for now. Those with draws of their own are taken as ever: they compute what comes before them and
        depends on what they draw, and leave what comes after them.
        """
        width = self.salts[key].shape[1]
        if columns.shape[-1] != width:
            columns = np.ones((len(rows), width), dtype=bool)
        self.renewals += 1
        if self.renewals > MOST_RENEWALS:
            raise ConditionFailed(
                f"residues were drawn anew {MOST_RENEWALS} times, and not all of {len(self.reading.roots)} roots exist"
            )
        if not drawn:
            self.draw_again(key, rows, columns)
        anew, left = {key}, set(self.reading.descendants[key])
        for one in range(number):
            if one not in left:
                continue
            root = isinstance(self.reading.functions.get(one), Sqrt)
            if root and self.keys_before(self.reading.source(one))[:1] == (key,):
                self.set_roots(one, rows)
            else:
                others = self.step(one, rows)
                left = left.union(*(self.reading.descendants[other] for other in others))
                anew |= others
        return anew

    def keys_before(self, source: int) -> tuple[int, ...]:
        """Return what may be drawn anew for a root, the last first; an input that is given is not."""
        keys = self.reading.draws_before[source]
        return keys if self.inputs is None else tuple(key for key in keys if key in self.salts)


def without_zeros(raw: np.ndarray) -> np.ndarray:
    """Return an array with ones in the place of zeros."""
    return raw + (raw == 0)


def varying_with_tensors(reading: ChoosingProgram) -> frozenset[int]:
    """Return the instructions whose results depend on the input or on tensors."""
    varying: set[int] = set()
    for number, one in enumerate(reading.program.instructions):
        if one.operation in ("input", "tensor") or not varying.isdisjoint(one.operands):
            varying.add(number)
    return frozenset(varying)
