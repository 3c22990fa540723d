"""Random small programs of ring operations and divisions, with all that can go wrong for a symmetry: tensors that are
read twice, transposed, in parts, and tied; masks, constants, rows and columns that are spread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from algatt import Network, Weights, verbs
from algatt.errors import NoValue
from algatt.fields import Elements, PrimeField, concatenate
from written_networks import written

Step = Callable[[Any, Elements], Elements]
Read = Callable[[Any], Elements]

MOST_PARAMETERS = 60


def random_network(seed: int, *steps: str) -> Network:
    """Return a random network with few parameters."""
    programs = (Programs(seed * 1000 + attempt, steps).network() for attempt in range(1000))
    return next(net for net in programs if net.parameters <= MOST_PARAMETERS)


def inputs_with_values(net: Network, field: PrimeField, theta: Weights) -> Elements:
    """Return as many inputs as make the rank of the Jacobian that of all."""
    found: list[np.ndarray] = []
    for number in range(200):
        X = verbs.draw_array(field, shape=(1, *net.input_shape), seed=number, label="inputs")
        try:
            verbs.evaluate(net, theta, Elements(field, X))
        except NoValue:
            continue
        found.append(X)
        if len(found) * net.outputs > net.parameters + 3 * net.outputs:
            return Elements(field, np.concatenate(found))
    pytest.skip("no values")


class Programs:
    """Draws programs.

    Parameters
    ----------
    seed : int
        The same programs for the same seed.
    steps : tuple of str, optional
        Which kinds of steps a program is made of.
    """

    def __init__(self, seed: int, steps: tuple[str, ...] = ()) -> None:
        self.random = np.random.default_rng(seed)
        self.steps = steps or ("add", "add", "linear", "neurons", "neurons", "heads", "heads", "row", "centre", "mask")
        self.shapes: dict[str, tuple[int, int]] = {}

    def often(self, share: float) -> bool:
        """Return True with a probability."""
        return bool(self.random.random() < share)

    def choose(self, *given: Any) -> Any:
        """Return one of several values."""
        return given[self.random.integers(len(given))]

    def tensor(self, height: int, width: int) -> Read:
        """Return what reads a matrix: a tensor of its own, another one that is read already, or a part of one."""
        same = [name for name, shape in self.shapes.items() if shape == (height, width)]
        turned = [name for name, shape in self.shapes.items() if shape == (width, height)]
        larger = [name for name, shape in self.shapes.items() if shape[0] >= height and shape[1] >= width]
        if same and self.often(0.15):
            name = self.choose(*same)
            return lambda w: w[name]
        if turned and self.often(0.06):
            name = self.choose(*turned)
            return lambda w: w[name].T
        if larger and self.often(0.08):
            name = self.choose(*larger)
            row, column = (
                int(self.random.integers(size - part + 1))
                for size, part in zip(self.shapes[name], (height, width), strict=True)
            )
            return lambda w: w[name][row : row + height, column : column + width]
        name = f"T{len(self.shapes)}"
        beyond = int(self.often(0.05))
        self.shapes[name] = (height + beyond, width)
        return (lambda w: w[name][:height]) if beyond else (lambda w: w[name])

    def perhaps(self, share: float, height: int, width: int) -> Read | None:
        """Return what reads a matrix, or None."""
        return self.tensor(height, width) if self.often(share) else None

    def network(self) -> Network:
        """Draw a program that reads a tensor at least."""
        height, tokens = self.choose(2, 3, 4), self.choose(2, 3)
        steps: list[Step] = []
        size = height
        while not self.shapes or self.often(0.5):
            step, size = getattr(self, self.choose(*self.steps))(size, tokens)
            steps.append(step)
        end = self.choose(slice(None), slice(None), slice(0, 1))

        def text(w: Any, X: Elements) -> Elements:
            for step in steps:
                X = step(w, X)
            return X[end]

        return written(self.shapes, text, height, tokens)

    def add(self, size: int, tokens: int) -> tuple[Step, int]:
        """Add one or two columns, a row or a matrix, and perhaps a constant."""
        first = self.tensor(self.choose(1, size, size), self.choose(1, 1, tokens))
        second = self.perhaps(0.4, size, 1)
        factor, constant, squared = self.choose(1, 2, -1), self.choose(0, 0, 1, -2), self.often(0.3)

        def step(w: Any, X: Elements) -> Elements:
            Y = X + (first(w) * factor + constant if second is None else first(w) + second(w))
            return Y * Y if squared else Y

        return step, size

    def linear(self, size: int, tokens: int) -> tuple[Step, int]:
        """Multiply by a matrix, perhaps with a gain before and a bias after it."""
        height = self.choose(1, 2, 3)
        matrix, bias, gain = self.tensor(height, size), self.perhaps(0.5, height, 1), self.perhaps(0.3, size, 1)

        def step(w: Any, X: Elements) -> Elements:
            Y = matrix(w) @ (X if gain is None else gain(w) * X)
            return Y if bias is None else Y + bias(w)

        return step, height

    def neurons(self, size: int, tokens: int) -> tuple[Step, int]:
        """Add what neurons say, with biases or without."""
        hidden = self.choose(1, 2, 3)
        up, down, gate = self.tensor(hidden, size), self.tensor(size, hidden), self.perhaps(0.3, hidden, size)
        inner, outer = self.perhaps(0.6, hidden, 1), self.perhaps(0.6, size, 1)
        power, skip = self.choose(1, 2, 3, -1), self.often(0.7)

        def step(w: Any, X: Elements) -> Elements:
            Y = up(w) @ X if inner is None else up(w) @ X + inner(w)
            Z = {1: Y, 2: Y * Y, 3: Y * Y * Y, -1: 1 / (Y * Y + 2)}[power]
            Z = down(w) @ (Z if gate is None else Z * (gate(w) @ X))
            Z = Z if outer is None else Z + outer(w)
            return X + Z if skip else Z

        return step, size

    def heads(self, size: int, tokens: int) -> tuple[Step, int]:
        """Add what one or two heads with the same keys and values say."""
        a, b, count = self.choose(1, 1, 2), self.choose(1, 2), self.choose(1, 2)
        key, value = self.tensor(a, size), self.tensor(b, size)
        key_bias, value_bias = self.perhaps(0.3, a, 1), self.perhaps(0.3, b, 1)
        queries = [(self.tensor(a, size), self.perhaps(0.3, a, 1), self.tensor(size, b)) for _ in range(count)]
        positions = self.choose(tokens, tokens + 1)
        relative, bias = self.perhaps(0.4, positions, count), self.perhaps(0.5, size, 1)
        places = self.random.integers(0, positions, size=(tokens, tokens))
        slopes = np.arange(tokens**2).reshape(tokens, tokens) if self.often(0.3) else None
        constant, squared, divided = self.choose(0, 0, 1), self.often(0.5), self.often(0.5)
        mask = self.choose(None, np.triu(np.ones((tokens, tokens), dtype=np.int64)), np.eye(tokens, dtype=np.int64))

        def weights(w: Any, products: Elements, head: int) -> Elements:
            scores = products + constant
            if relative is not None:
                column = relative(w)[:, [head]].T
                units = [(np.arange(positions)[:, None] == row).astype(np.int64) for row in places]
                scores = scores + concatenate([column @ unit for unit in units])
            if slopes is not None:
                scores = scores + slopes * (head + 1)
            scores = scores * scores if squared else scores
            scores = scores if mask is None else scores * mask
            return scores / scores.sum(axis=0) if divided else scores

        def step(w: Any, X: Elements) -> Elements:
            keys = key(w) @ X if key_bias is None else key(w) @ X + key_bias(w)
            values = value(w) @ X if value_bias is None else value(w) @ X + value_bias(w)
            total = None
            for head, (query, query_bias, output) in enumerate(queries):
                asked = query(w) @ X if query_bias is None else query(w) @ X + query_bias(w)
                said = output(w) @ (values @ weights(w, keys.T @ asked, head))
                total = said if total is None else total + said
            return X + (total if bias is None else total + bias(w))

        return step, size

    def row(self, size: int, tokens: int) -> tuple[Step, int]:
        """Multiply by one row, which is divided away or not."""
        row, bias, column = self.tensor(1, size), self.perhaps(0.4, 1, 1), self.tensor(size, 1)
        kind = self.choose(0, 1, 2)

        def step(w: Any, X: Elements) -> Elements:
            y = row(w) @ X if bias is None else row(w) @ X + bias(w)
            Z = column(w) @ y
            return [Z / Z.sum(axis=0) + X, X + Z * Z / (Z * Z).sum(axis=0), X * y / (y * y)][kind]

        return step, size

    def centre(self, size: int, tokens: int) -> tuple[Step, int]:
        """Subtract means."""
        return (lambda w, X: X.centre() if size > 1 else X), size

    def mask(self, size: int, tokens: int) -> tuple[Step, int]:
        """Change the first row and hide some entries."""
        number = self.tensor(1, 1)
        seen = self.random.integers(0, 2, size=(size, tokens))
        return (lambda w, X: concatenate([X[:1] + number(w), X[1:]]) * seen + X if size > 1 else X + number(w)), size
