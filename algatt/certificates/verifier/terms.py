"""The program of a transformer, written once more as terms, with which the lines of a file are compared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

from .limits import MOST_BYTES, in_a_line, too_large
from .program import LINE, natural
from .transformer import HeadsPart, NeuronsPart, TransformerSizes

MOST_TERMS = 2 * 10**5  # instructions of a transformer


class Terms:
    """Terms of a program: each operation with its operands is one number, wherever it stands; `value` is that of a
    transformer, which is written here once more. Each of them has to be a line of the file, so together they are not
    longer than a file.
    """

    def __init__(self, model: TransformerSizes) -> None:
        self.model, self.characters = model, 0
        self.numbers: dict[tuple[str, tuple[int, ...], str, str], int] = {}
        self.sizes: list[tuple[int, int]] = []
        self.masks = {window: self.mask(window) for window in {part.window for part in model.heads}}
        self.value = self.transformer()

    def term(self, operation: str, operands: tuple[int, ...], argument: str, height: int, width: int) -> int:
        """Return the number of a term."""
        scalar = operation == "constant" and (height, width) == (1, 1)
        key = operation, operands, argument, "number" if scalar else f"{height} x {width}"
        if key not in self.numbers:
            self.check_room(len(argument))
            self.characters += len(argument)
            self.numbers[key] = len(self.sizes)
            self.sizes.append((height, width))
        return self.numbers[key]

    def check_room(self, characters: int) -> None:
        """Refuse another term if the program with it is longer than a file."""
        if self.characters + characters > MOST_BYTES or len(self.sizes) >= MOST_TERMS:
            raise too_large("claims.transformer", "one whose program is longer than a file", "of fewer, smaller parts")

    def each(self, operation: str, *operands: int) -> int:
        """Return a sum, an entrywise product, or a function of each entry; a side of length 1 is repeated."""
        height, width = (max(self.sizes[one][side] for one in operands) for side in (0, 1))
        return self.term(operation, operands, "", height, width)

    def sum(self, terms: Sequence[int]) -> int:
        return reduce(lambda one, other: self.each("add", one, other), terms)

    def product(self, left: int, right: int) -> int:
        return self.term("product", (left, right), "", self.sizes[left][0], self.sizes[right][1])

    def transpose(self, one: int) -> int:
        return self.term("transpose", (one,), "", self.sizes[one][1], self.sizes[one][0])

    def number(self, text: str) -> int:
        return self.term("constant", (), f"[{text}]", 1, 1)

    def tensor(self, name: str) -> int:
        return self.term("tensor", (), name, *self.model.tensors[name])

    def affine(self, names: Sequence[str], x: int) -> int:
        """Return a matrix times what it reads, plus its bias if it has one."""
        found = self.product(self.tensor(names[0]), x)
        return self.each("add", found, self.tensor(names[1])) if len(names) == 2 else found

    def take(self, x: int, rows: Sequence[int]) -> int:
        """Return some rows of all columns."""
        height, width = self.sizes[x]
        if len(rows) == height and list(rows) == list(range(height)):
            return x
        self.check_room(2 * (len(rows) + width))
        columns = range(width)
        return self.term("take", (x,), f"[[{listed(rows)}] [{listed(columns)}]]", len(rows), len(columns))

    def norm(self, names: Sequence[str], x: int) -> int:
        """Return the columns, less their means if there is a bias, over the root of the mean of their squares and of
        epsilon.
        """
        height, width = self.sizes[x]
        y = self.term("centre", (x,), "", height, width) if len(names) == 2 else x
        squares = self.term("column_products", (y, y), "", 1, width)
        mean = self.each("multiply", squares, self.number(f"1/{height}"))
        root = self.each("sqrt", self.each("add", mean, self.number(self.model.epsilon)))
        y = self.each("multiply", self.tensor(names[0]), self.each("multiply", y, self.each("reciprocal", root)))
        return self.each("add", y, self.tensor(names[1])) if len(names) == 2 else y

    def turned(self, part: HeadsPart, x: int) -> int:
        """Return queries or keys with their first coordinates turned, in pairs, by angles times positions."""
        count = len(part.angles)
        if not count:
            return x
        y, width = self.take(x, range(2 * count)), self.sizes[x][1]
        y = self.take(y, [k + half for k in range(count) for half in (0, count)] if part.halves else range(2 * count))
        y = self.term("rotate", (y,), f"[[{' '.join(part.angles)}] [{listed(range(width))}]]", 2 * count, width)
        if 2 * count == part.width:
            return y
        still = self.take(x, range(2 * count, part.width))
        return self.term("concatenate", (y, still), "0", part.width, width)

    def mask(self, window: int) -> int:
        """Return which tokens see which: a row for each key, a column for each query."""
        tokens = self.model.tokens
        self.check_room(2 * tokens**2)
        rows = (listed(int(0 <= j - i < window) for j in range(tokens)) for i in range(tokens))
        return self.term("constant", (), f"[{' '.join(rows)}]", tokens, tokens)

    def heads(self, part: HeadsPart, x: int) -> int:
        """Return what heads add: softmax of causal scores, of values of the last tokens in a window."""
        count, tokens, mask = len(part.queries), self.model.tokens, self.masks[part.window]
        keys = [self.transpose(self.turned(part, self.affine(names, x))) for names in part.keys]
        values = [self.affine(names, x) for names in part.values]
        ones = self.term("constant", (), f"[{listed([1] * tokens)}]", 1, tokens)
        added = []
        for k, (names, output) in enumerate(zip(part.queries, part.outputs, strict=True)):
            group = k * len(keys) // count
            scores = self.product(keys[group], self.turned(part, self.affine(names, x)))
            scores = scores if part.scale == "1" else self.each("multiply", scores, self.number(part.scale))
            shares = self.each("multiply", self.each("exp", scores), mask)
            shares = self.each("multiply", shares, self.each("reciprocal", self.product(ones, shares)))
            added.append(self.product(self.tensor(output), self.product(values[group], shares)))
        return self.sum([*added, *map(self.tensor, part.bias)])

    def neurons(self, part: NeuronsPart, x: int) -> int:
        """Return what neurons add."""
        y = self.affine(part.gate or part.up, x)
        after = None
        if part.activation == "ReLU":
            share = self.each("positive", y)
        elif part.activation == "SiLU":
            share = self.each("sigmoid", y)
        elif part.activation == "TanhGELU":
            cube = self.each("multiply", self.each("multiply", y, y), y)
            inner = self.each("add", y, self.each("multiply", cube, self.number("6444110634811895/144115188075855872")))
            inner = self.each("multiply", inner, self.number("7186705221432913/4503599627370496"))
            share = self.each("sigmoid", inner)
        else:
            root = self.each("multiply", y, self.number("6369051672525773/9007199254740992"))
            share, after = self.each("add", self.each("erf", root), self.number("1")), self.number("1/2")
        y = self.each("multiply", y, share)
        y = self.each("multiply", y, self.affine(part.up, x)) if part.gate else y
        return self.affine(part.down, y if after is None else self.each("multiply", y, after))

    def part(self, part: HeadsPart | NeuronsPart, x: int) -> int:
        return self.heads(part, x) if isinstance(part, HeadsPart) else self.neurons(part, x)

    def transformer(self) -> int:
        """Return the value of the transformer."""
        model = self.model
        tokens = self.term("input", (), "", model.vocabulary, model.tokens)
        x = self.product(self.transpose(self.tensor(model.embedding)), tokens)
        for name in model.positions:
            rows = range(model.first, model.first + model.tokens)
            x = self.each("add", x, self.transpose(self.take(self.tensor(name), rows)))
        for block in model.blocks:
            x = self.each("add", x, self.sum([self.part(part, self.norm(part.norm, x)) for part in block]))
        return self.affine(model.unembedding or (model.embedding,), self.norm(model.norm, x))

    def mismatch(self, lines: Sequence[str]) -> str | None:
        """Return why a program is not that of the transformer: the first line that is no term of it; None if it is."""
        results: list[int] = []
        for number, line in enumerate(lines):
            stem, _, shape = line.partition(":")
            match = LINE.fullmatch(stem[:-2]) if (stem[-2:], shape[:1]) == ("  ", " ") else None
            try:
                operands = [natural(word[1:]) for word in match["operands"].split()] if match else [len(results)]
                key = tuple(results[operand] for operand in operands)
            except (ValueError, IndexError):
                key, match = (), None
            argument = (match["argument"] or "").removeprefix(" ") if match else ""
            found = self.numbers.get((match["operation"], key, argument, shape[1:])) if match else None
            if found is None:
                return f"program[{number}], {in_a_line(line)}, is no term of the transformer that is described"
            results.append(found)
        if not results or results[-1] != self.value:
            return "the program does not end with the value of the transformer that is described"
        return None


def listed(numbers: Any) -> str:
    """Return numbers with spaces between."""
    return " ".join(map(str, numbers))
