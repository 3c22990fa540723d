"""Small programs and families of directions, written in a line each."""

from __future__ import annotations

import json
import re
from typing import Any

from algatt.certificates.verifier.directions import Directions, directions_of, wrong_families
from algatt.certificates.verifier.kinds import FORMAT, VERSION, verify_bytes
from algatt.certificates.verifier.limits import Refused
from algatt.certificates.verifier.network import Network, network_of


def head(text: str, reads: str = "vectors") -> dict[str, Any]:
    """Return the claims of a program: "W: tensor 2 x 2; X: input 2 x 3; Y: product W X"; shapes of tensors, inputs and
    constants are given, others are found.
    """
    lines: list[str] = []
    names: dict[str, int] = {}
    tensors = []
    for part in text.split("; "):
        name, _, rest = part.partition(": ")
        words = rest.split(" ")
        operation = words[0]
        operands = [names[word] for word in words[1:] if word in names]
        numbers = "".join(f" %{k}" for k in operands)
        if operation in ("tensor", "input", "constant"):
            shape, _, argument = " ".join(words[1:]).partition(" [")
            argument = f" [{argument}" if argument else f" {name}" if operation == "tensor" else ""
            if operation == "tensor":
                tensors.append([name, *map(int, shape.split(" x "))])
            lines.append(f"{operation}{argument}  : {shape}")
        else:
            argument = " ".join(word for word in words[1:] if word not in names)
            stem = f"{operation}{numbers}{' ' + argument if argument else ''}  : "
            lines.append(with_shape(lines, stem))
        names[name] = len(lines) - 1
    return {"program": lines, "tensors": tensors, "reads": reads}


def with_shape(lines: list[str], stem: str) -> str:
    """Return a line with the shape that the verifier expects."""
    try:
        network_of({"program": [*lines, f"{stem}9 x 9"], "tensors": [], "reads": "vectors"})
    except Refused as error:
        match = re.search(r"its result has the shape \((.*?),?\)\)", error.was)
        if match is not None:
            return stem + (" x ".join(match[1].split(", ")) or "number")
        if "claims.tensors" in error.should:
            return f"{stem}9 x 9"
        raise
    return f"{stem}9 x 9"


def words(text: str) -> list[Any]:
    """Return a sum of words: "S W - 1/2 W S'", with D(b)^-1 for diagonal matrices, 1(2,3) for ones and E(2,3,i,j) for
    constants with one entry.
    """
    found = []
    for sign, term in re.findall(
        r"(^|[+-]) ?((?:\S+\([^)]*\)\S*|[^\s+-]\S*)(?: (?:\S+\([^)]*\)\S*|[^\s+-]\S*))*)", text.strip()
    ):
        c: Any = 1
        factors: list[Any] = []
        for word in re.findall(r"\S+\([^)]*\)\S*|\S+", term):
            if re.fullmatch(r"[0-9]+(/[0-9]+)?", word):
                c = word
            else:
                factors.append(factor(word))
        found.append([f"-{c}" if sign == "-" else str(c), factors])
    return found


def factor(word: str) -> list[Any]:
    """Return a factor."""
    if match := re.fullmatch(r"D\((.*)\)(\^(-?\d+))?", word):
        return ["diagonal", [factor(one) for one in match[1].split(" ")], int(match[3] or 1)]
    if match := re.fullmatch(r"1\((\d+),(\d+)\)", word):
        return ["ones", int(match[1]), int(match[2])]
    if match := re.fullmatch(r"E\((\d+),(\d+),(\d+),(\d+)\)", word):
        return ["constant", int(match[1]), int(match[2]), [int(match[3]), int(match[4]), 1]]
    if word in ("S", "S'"):
        return ["free turned" if word.endswith("'") else "free"]
    return ["turned" if word.endswith("'") else "tensor", word.removesuffix("'")]


def family(free: tuple[int, int] | None, name: str = "f", entries: Any = None, **moves: str) -> dict[str, Any]:
    """Return a family of directions."""
    claim = {"name": name, "free": list(free or ()), "moves": {tensor: words(text) for tensor, text in moves.items()}}
    return claim if entries is None else {**claim, "entries": entries}


def read(claims: dict[str, Any], claim: dict[str, Any]) -> tuple[Network, Directions]:
    """Return a network and a family as the verifier reads them."""
    network = network_of(claims)
    return network, directions_of("family", in_lines(claims, claim), network)


def in_lines(claims: dict[str, Any], claim: Any) -> Any:
    """Return a family with programs in the place of words."""
    if not isinstance(claim, dict) or not isinstance(claim.get("moves"), dict):
        return claim
    shapes = {name: (height, width) for name, height, width in claims["tensors"]}
    moves = {}
    for name, listed in claim["moves"].items():
        moves[name] = listed
        if (
            isinstance(listed, list)
            and listed
            and isinstance(listed[0], list)
            and len(listed[0]) == 2
            and isinstance(listed[0][1], list)
        ):
            writer = Lines(shapes, claim["free"])
            writer.sum(listed)
            moves[name] = writer.lines
    return {**claim, "moves": moves}


class Lines:
    """The lines of a program that computes words."""

    def __init__(self, shapes: dict[str, tuple[int, int]], free: Any) -> None:
        self.shapes, self.free = shapes, tuple(free)
        self.lines: list[str] = []
        self.sizes: list[tuple[int, int]] = []

    def put(self, text: str, height: int, width: int) -> int:
        """Write a line, unless it is there, and return its number."""
        line = f"{text}  : {height} x {width}"
        if line not in self.lines:
            self.lines.append(line)
            self.sizes.append((height, width))
        return self.lines.index(line)

    def constant(self, entries: Any, height: int, width: int) -> int:
        """Write a constant by its entries."""
        return self.put(f"constant [{' '.join(map(str, entries))}]", height, width)

    def sum(self, listed: Any) -> None:
        """Write a sum of words, each a coefficient and factors."""
        numbers = []
        for c, factors in listed:
            number = self.product(factors)
            scale = self.constant([c], 1, 1)
            numbers.append(number if str(c) == "1" else self.put(f"multiply %{number} %{scale}", *self.sizes[number]))
        total = numbers[0]
        for number in numbers[1:]:
            total = self.put(f"add %{total} %{number}", *self.sizes[number])
        self.lines.append(f"transpose %{total}  : {self.sizes[total][1]} x {self.sizes[total][0]}")
        self.lines.append(f"transpose %{len(self.lines) - 1}  : {self.sizes[total][0]} x {self.sizes[total][1]}")

    def product(self, factors: Any) -> int:
        """Write the product of factors."""
        found = self.factor(factors[0])
        for one in factors[1:]:
            number = self.factor(one)
            found = self.put(f"product %{found} %{number}", self.sizes[found][0], self.sizes[number][1])
        return found

    def factor(self, one: Any) -> int:
        """Write a factor."""
        match one:
            case ["tensor", name]:
                return self.put(f"tensor {name}", *self.shapes[name])
            case ["free"]:
                return self.put("input", *(self.free or (1, 1)))
            case ["turned" | "free turned", *rest]:
                number = self.factor(["tensor", *rest] if rest else ["free"])
                return self.put(f"transpose %{number}", *self.sizes[number][::-1])
            case ["ones", height, width]:
                return self.constant([1] * (height * width), height, width)
            case ["constant", height, width, listed]:
                entries: list[Any] = [0] * (height * width)
                for i, j, x in zip(listed[::3], listed[1::3], listed[2::3], strict=True):
                    entries[i * width + j] = x
                return self.constant(entries, height, width)
        column = power = self.product(one[1])
        n = self.sizes[column][0]
        if one[2] < 0:
            column = power = self.put(f"reciprocal %{column}", n, 1)
        for _ in range(abs(one[2]) - 1):
            power = self.put(f"multiply %{power} %{column}", n, 1)
        units = self.constant([int(k % (n + 1) == 0) for k in range(n * n)], n, n)
        return self.put(f"multiply %{units} %{power}", n, n)


def refutation(claims: dict[str, Any], claim: dict[str, Any], *, small: bool = False) -> str:
    """Return why the value is not found to stay along a family; nothing if it is."""
    network, directions = read(claims, claim)
    return "; ".join(wrong_families(network, [directions], small=small, progress=lambda done, total: None))


def document(claims: dict[str, Any], **more: Any) -> bytes:
    """Return the content of a file."""
    if isinstance(more.get("families"), list):
        more = {**more, "families": [in_lines(claims, one) for one in more["families"]]}
    whole = {"format": FORMAT, "version": VERSION, "made_with": "test", "network": "", "claims": {**claims, **more}}
    return json.dumps(whole).encode("ascii")


def symmetry(claims: dict[str, Any], *families: dict[str, Any], directions: Any) -> str:
    """Return why a certificate of families is not accepted; nothing if it is."""
    return told(document(claims, kind="symmetry", families=list(families), directions=directions))


def told(content: bytes) -> str:
    """Return why a certificate is not accepted, in one line; nothing if it is."""
    try:
        verdict = verify_bytes(content)
        found, claim = "; ".join(verdict.reasons), verdict.claim
    except Refused as error:
        found = claim = f"refused: {error}"
    assert claim.isprintable()
    assert found.isprintable() or not found
    return found
