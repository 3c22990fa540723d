"""Words of results and of their derivatives, evaluated at random points, against the gradient there: of random sums of
words, true or not. `RULES_CHECKED` is the number for each program, 4 if it is not set.
"""

from __future__ import annotations

import cmath
import itertools
import os
from collections.abc import Iterator
from typing import Any

import flint
import numpy as np
import pytest

from algatt.certificates.verifier.directions import Directions, Leibniz, Moves
from algatt.certificates.verifier.fields import RealBalls, Residues, precision
from algatt.certificates.verifier.kinds import is_real
from algatt.certificates.verifier.network import Interpreter, Network, network_of
from algatt.certificates.verifier.program import parse
from algatt.certificates.verifier.words import COLUMN, ROW
from small_words import family, head, read
from word_families import FALSE, TRUE, reads
from words_oracle import BITS, is_zero

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

COUNT = int(os.environ.get("RULES_CHECKED", "4"))

PROGRAMS = sorted({(program, reads(name, program)) for name, (program, _) in (TRUE | FALSE).items()})


def random_family(claims: dict[str, Any], source: np.random.Generator) -> dict[str, Any]:
    """Return words without a free matrix: tensors and constants between diagonal matrices of columns."""
    tensors = {name: (height, width) for name, height, width in claims["tensors"]}

    def one_of(*given: str) -> str:
        return given[source.integers(len(given))]

    moves = {}
    for name in {one_of(*tensors), one_of(*tensors)}:
        height, width = tensors[name]
        i, j, k, n = (int(source.integers(size)) for size in (height, height, width, width))
        columns = [one for one, shape in tensors.items() if shape == (height, 1)]
        same = [one for one, shape in tensors.items() if shape == (height, width)]
        words = []
        for _ in range(2):
            before = one_of(
                "", f"E({height},{height},{i},{j}) ", *(f"D({one})^{one_of('1', '-1', '2')} " for one in columns)
            )
            after = one_of("", f" 1({width},{width})", f" E({width},{width},{k},{n})")
            words.append(one_of("", "2 ", "1/3 ") + before + one_of(*same, f"1({height},{width})") + after)
        moves[name] = one_of(" - ", " + ").join(words)
    return family(None, **moves)


def value_of(calculus: Leibniz, word: Any, results: Any, field: Any, at: dict[int, int]) -> Any:
    """Return a word at a row and a column, by summing over all values of its indices."""
    sizes = {i: size for n, where, _ in word for i, size in zip(where, calculus.dims[n], strict=True) if i >= 0}
    total = field.number(0)
    for values in itertools.product(*map(range, sizes.values())):
        here = {**at, **dict(zip(sizes, values, strict=True))}
        product = field.number(1)
        for n, where, e in word:
            product *= entry_of(calculus, n, [here[i] for i in where], results, field, e)
        total += product
    return total


def entry_of(calculus: Leibniz, n: int, at: list[int], results: Any, field: Any, e: int) -> Any:
    """Return an entry of a leaf to a power."""
    if n in calculus.constants:
        C = calculus.constants[n]
        x = field.number(0) + field.number(C[at[0], at[1] if len(at) > 1 else 0] if at else C[0, 0])
    else:
        M, rest = results[n], list(at)
        i = rest.pop(0) if M.nrows() > 1 else 0
        x = M[i, rest[0] if rest else 0]
    return (field.function("reciprocal", x) if e < 0 else x) ** abs(e)


def wrong(network: Network, directions: Directions, calculus: Leibniz, key: str) -> Iterator[str]:
    """Iterate over results whose words, or those of their derivatives, have other values than they."""
    field: Any = RealBalls() if is_real(network) else Residues(2**62 - 57)
    tensors = {name: field.random(f"{key}/{name}", *shape) for name, shape in network.tensors.items()}
    height, width = network.input_shape
    X = field.random(key, height, width)
    if network.reads_tokens:
        X = network.input_of(field, [k % height for k in range(width)])
    (moved,) = directions.at(field, tensors)
    results = Interpreter(network.program, field, tensors).forward(X)
    for number in calculus.values:
        interpreter = Interpreter(network.program[: number + 1], field, tensors)
        height, width = network.program[number].sizes
        for i, j in itertools.product(range(height), range(width)):
            by = interpreter.backward(
                results, field.matrix(height, width, [int(k == i * width + j) for k in range(height * width)])
            )
            slope = field.number(0)
            for name in by.keys() & moved.keys():
                slope += sum(
                    (x * y for x, y in zip(by[name].entries(), moved[name].entries(), strict=True)), field.number(0)
                )
            for what, words, true in (
                ("value", calculus.values, results[number][i, j]),
                ("derivative", calculus.moved, slope),
            ):
                found = sum(
                    (
                        value_of(calculus, word, results, field, {ROW: i, COLUMN: j}) * field.number(c)
                        for word, c in words[number].items()
                    ),
                    field.number(0),
                )
                if not is_zero(found - true, field):
                    yield f"the {what} of result {number}, {network.program[number].operation}"


@pytest.mark.parametrize(("program", "reads"), PROGRAMS)
def test_words_have_the_values_of_what_they_stand_for(program: str, reads: str) -> None:
    source = np.random.default_rng(0)
    claims = head(program, reads)
    for k in range(COUNT):
        network, directions = read(claims, random_family(claims, source))
        calculus = Leibniz(network.program, network.units, network.work, tokens=False)
        try:
            calculus.run((1, 1), directions.moves)
        except Moves:
            calculus.values = {number: words for number, words in calculus.values.items() if number in calculus.moved}
        with precision(BITS):
            assert list(wrong(network, directions, calculus, f"rules/{k}")) == []


def test_turned_columns_have_their_values() -> None:
    """Two rows, as a complex number, are multiplied by e^(i angle position); rows without an angle are left out."""
    X, angles, positions = [[1, 2, 3], [4, 5, 6], [7, 8, 9], [-1, 3, 2], [5, 5, 5]], (1.0, -0.25), (0, 1, 3)
    program = parse(["input  : 5 x 3", "rotate %0 [[1.0 -0.25] [0 1 3]]  : 4 x 3"])
    with precision(BITS):
        value = Interpreter(program, RealBalls(), {}).forward(flint.arb_mat(X))[-1]
    for f, angle in enumerate(angles):
        for k, position in enumerate(positions):
            z = complex(X[2 * f][k], X[2 * f + 1][k]) * cmath.exp(1j * angle * position)
            assert abs(complex(float(value[2 * f, k]), float(value[2 * f + 1, k])) - z) < 1e-12


def test_results_stand_for_themselves_unless_they_are_one_entry_times_a_constant() -> None:
    text = "T: tensor 2 x 2; X: input 2 x 2; C: constant 2 x 2 [1 2 3 4]; a: product C T; b: product T X; "
    network = network_of(head(f"{text}c: multiply T X; d: add b c; e: transpose d; Y: product a e"))
    calculus = Leibniz(network.program, network.units, network.work, tokens=False)
    calculus.run((1, 1), {})
    made = range(3, len(network.program))
    assert [calculus.values[k] == calculus.itself(k) for k in made] == [False, True, True, True, False, True]
