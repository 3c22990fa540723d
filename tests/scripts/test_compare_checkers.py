"""The second checker says what the verifier says; it is compiled, and skipped where there is no compiler."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest

import algatt
from algatt.certificates.verifier.fields import Residues, prime_of
from algatt.geometry import Copies, RandomPoints
from algatt.layers import Feedforward, Heads, LayerNorm, Residual
from small_words import document, family, head


@pytest.fixture(scope="module")
def compare(request):
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(request.config.rootpath / "scripts")
        import compare_checkers

        yield compare_checkers


@pytest.fixture(scope="module")
def checker(compare, tmp_path_factory):
    if (missing := compare.lacking()) is not None:
        pytest.skip(missing)
    return compare.build(tmp_path_factory.mktemp("checker"))


@pytest.fixture
def both(compare, checker, tmp_path):
    """Both exit codes for a document."""

    def codes(one: dict[str, Any] | bytes) -> tuple[int, int]:
        content = one if isinstance(one, bytes) else json.dumps(one).encode()
        (first, _), (second, _) = compare.verdicts(checker, content, tmp_path)
        return first, second

    return codes


ACCEPTED, REFUTED, REFUSED, NOT_COVERED = 0, 1, 2, 4


def dimension(
    claims: dict[str, Any], *families: Any, directions: Any = (), rows: Any = (), columns: Any = (), **more: Any
) -> bytes:
    more |= {"families": list(families), "directions": list(directions), "rows": list(rows), "columns": list(columns)}
    return document(claims, kind="dimension", **more)


def symmetric(claims: dict[str, Any], *families: Any, directions: Any) -> bytes:
    return document(claims, kind="symmetry", families=list(families), directions=directions)


def test_chance_is_that_of_the_verifier(compare, checker, tmp_path):
    """SHA-256 and SHAKE-256 are those of the standard library, the prime and the residues those of the verifier."""
    for length in (0, 55, 56, 64, 1000):
        path = tmp_path / "file"
        path.write_bytes(bytes(range(256))[:length] * (1 + length // 256))
        key = hashlib.sha256(path.read_bytes()).hexdigest()
        p = prime_of(key)
        drawn = Residues(p).random(f"{key}/weights", 1, 100).entries()
        found = compare.subprocess.run([checker, "--chance", path], capture_output=True, text=True, check=True).stdout
        assert found.split() == [key, str(p), *(str(int(x)) for x in drawn)]


SHIFTS = Residual(LayerNorm() >> Heads(1, biases="QKVO")) >> Residual(Feedforward(2))
NETWORKS = {
    "lightning": (algatt.Lightning((2, 2, 1), (1, 1), 2), RandomPoints(), ACCEPTED),
    "softmax": (algatt.Softmax((2, 2), (1,), 2), RandomPoints(), NOT_COVERED),
    "shifts": (algatt.Network(SHIFTS, tokens=2, width=2), RandomPoints(), NOT_COVERED),
    "pieces": (algatt.Lightning((9, 7, 5), (4, 3), 2), Copies(2), ACCEPTED),
    "pieces of softmax": (algatt.Softmax((4, 4), (4,), 2), Copies(2), NOT_COVERED),
}


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", NETWORKS)
def test_certificates_are_accepted_and_changed_ones_are_not(both, compare, name):
    network, points, expected = NETWORKS[name]
    whole = algatt.certify(algatt.dimension(network, points=points)).document
    assert both(whole) == (ACCEPTED, expected)
    source = compare.np.random.default_rng(0)
    for _ in range(25):
        place, changed = compare.forged(whole, source)
        one, two = both(changed)
        assert compare.relation(one, two) != compare.FAULT, place


def test_two_functions(both):
    arch = algatt.Lightning((2, 1), (1,), 2)
    for field in (algatt.PrimeField(8388593), algatt.Reals()):
        one, two = (algatt.sample(arch, algatt.Weights, field=field, seed=seed) for seed in (0, 1))
        whole = algatt.certify(algatt.same_function(arch, one, two)).document
        assert both(whole) == (ACCEPTED, ACCEPTED)
        whole["claims"]["second"] = whole["claims"]["first"]
        assert both(whole) == (REFUTED, REFUTED)


SQUARE = head("a: tensor 1 x 1; X: input 1 x 1; s: product a a; Y: product s X")
STREAM = head("a: tensor 2 x 2; b: tensor 2 x 2; X: input 2 x 2; t: product a X; Y: product b t")
NO_VALUE = head(
    "W: tensor 2 x 2; X: input 2 x 1; z: constant 1 x 1 [0]; r: reciprocal z; t: product W X; Y: multiply t r"
)
NO_ROOT = head(
    "a: tensor 2 x 2; b: tensor 2 x 2; X: input 2 x 2; z: constant 1 x 1 [-1]; q: sqrt z; t: product a X; "
    "y: product b t; Y: multiply y q"
)
READS = "W: tensor 1 x 2; v: tensor 1 x 1; X: input 2 x 3; t: product W X"
GATE = head(f"{READS}; g: positive t; r: multiply g t; Y: product v r")
STEP = "g: positive t; Y: product v g"
SIGN = head(f"{READS}; s: multiply t t; q: sqrt s; i: reciprocal q; r: multiply t i; Y: product v r")
ROOT = head(f"{READS}; s: multiply t t; q: sqrt s; Y: product v q")
LARGEST = head("W: tensor 3 x 2; X: input 2 x 2; t: product W X; Y: largest t 1")
TURNED = head(
    "Q: tensor 2 x 2; K: tensor 2 x 2; X: input 2 x 2; q: product Q X; k: product K X; a: rotate q [[1.0] [0 1]]; "
    "c: rotate k [[1.0] [0 1]]; t: transpose c; Y: product t a"
)
TURN = "E(2,2,0,1) {0} - E(2,2,1,0) {0}".format
SHARES = head(
    "W: tensor 2 x 2; b: tensor 1 x 2; X: input 2 x 2; t: product W X; o: constant 2 x 1 [1 1]; c: product o b; "
    "s: add t c; e: exp s; l: constant 1 x 2 [1 1]; n: product l e; i: reciprocal n; Y: multiply e i"
)

CLAIMS: dict[str, tuple[bytes, int]] = {
    "a minor": (dimension(SQUARE, rows=[0], columns=[0]), ACCEPTED),
    "a minor that is zero": (dimension(STREAM, rows=[0, 4, 8], columns=[0, 1, 4]), REFUTED),
    "no value": (dimension(NO_VALUE), REFUTED),
    "no root": (symmetric(NO_ROOT, family(None, a="a", b="- b"), directions=[0]), REFUTED),
    "a direction that moves the value": (symmetric(SQUARE, family(None, a="a"), directions=[0]), REFUTED),
    "a stream": (symmetric(STREAM, family((2, 2), a="S a", b="- b S"), directions=[0, 1, 2, 3]), ACCEPTED),
    "half of it": (symmetric(STREAM, family((2, 2), a="S a", b="- 1/2 b S"), directions=[0, 1, 2, 3]), REFUTED),
    "its transpose": (symmetric(STREAM, family((2, 2), a="S a", b="- b S'"), directions=[0, 1, 2, 3]), REFUTED),
    "one direction twice": (symmetric(STREAM, *[family(None, a="a", b="- b")] * 2, directions=[0, 4]), REFUTED),
    "columns of zeros": (symmetric(STREAM, family(None, a="a E(2,2,0,0)", b="- b"), directions=[1]), REFUTED),
    "a gate that is scaled": (symmetric(GATE, family(None, W="W", v="- v"), directions=[0]), ACCEPTED),
    "a gate that is moved": (symmetric(GATE, family((1, 2), W="S"), directions=[0, 1]), REFUTED),
    "a step": (symmetric(head(f"{READS}; {STEP}"), family(None, W="W"), directions=[0]), ACCEPTED),
    "a step that is moved": (
        symmetric(head(f"{READS}; {STEP}"), family((1, 2), W="S"), directions=[0, 1]),
        REFUTED,
    ),
    "a step in a dimension": (
        dimension(head(f"{READS}; {STEP}"), family((1, 2), W="S"), directions=[0, 1]),
        REFUTED,
    ),
    "a step of tokens": (
        dimension(head(f"{READS}; {STEP}", "tokens"), family((1, 2), W="S"), directions=[0, 1], inputs=[]),
        ACCEPTED,
    ),
    "a sign": (symmetric(SIGN, family(None, W="W"), directions=[0]), ACCEPTED),
    "a sign that changes": (symmetric(SIGN, family((1, 2), W="S"), directions=[0, 1]), REFUTED),
    "a root": (symmetric(ROOT, family(None, W="W", v="- v"), directions=[0]), ACCEPTED),
    "half of a root": (symmetric(ROOT, family(None, W="W", v="- 2 v"), directions=[0]), REFUTED),
    "the largest, scaled": (symmetric(LARGEST, family(None, W="W"), directions=[0]), ACCEPTED),
    "the largest, shifted": (symmetric(LARGEST, family((1, 2), W="1(3,1) S"), directions=[0, 1]), ACCEPTED),
    "the largest, moved": (symmetric(LARGEST, family((1, 2), W="E(3,1,0,0) S"), directions=[0, 1]), REFUTED),
    "a transpose": (symmetric(STREAM, family(None, a="a' a", b="- b a'"), directions=[0]), ACCEPTED),
    "a transpose of one": (symmetric(STREAM, family(None, a="a' a", b="- b a"), directions=[0]), REFUTED),
    "a row twice": (dimension(STREAM, rows=[0, 0], columns=[0, 1]), REFUSED),
    "a column twice": (dimension(STREAM, rows=[0, 1], columns=[0, 0]), REFUSED),
    "a parameter twice": (symmetric(STREAM, family((2, 2), a="S a", b="- b S"), directions=[0, 0, 1, 2]), REFUSED),
    "a word of another shape": (symmetric(STREAM, family(None, a="1(2,1)"), directions=[0]), REFUSED),
    "a word without S": (symmetric(STREAM, family((2, 1), a="a", b="- b"), directions=[0, 1]), REFUTED),
    "a square of S": (symmetric(STREAM, family((2, 1), a="D(S)^2 a", b="- b D(S)^2"), directions=[0, 2]), ACCEPTED),
    "a free matrix that is none": (symmetric(STREAM, family(None, a="S a", b="- b S"), directions=[0]), REFUSED),
    "a turn": (symmetric(TURNED, family(None, Q=TURN("Q"), K=TURN("K")), directions=[0]), ACCEPTED),
    "a turn of queries": (symmetric(TURNED, family(None, Q=TURN("Q")), directions=[0]), REFUTED),
    "what a softmax does not see": (symmetric(SHARES, family((1, 2), b="S"), directions=[4, 5]), ACCEPTED),
    "rows that it does not see": (symmetric(SHARES, family((1, 2), W="1(2,1) S"), directions=[0, 1]), ACCEPTED),
    "what it sees": (symmetric(SHARES, family((2, 2), W="S"), directions=[0, 1, 2, 3]), REFUTED),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_small_claims(both, name):
    content, expected = CLAIMS[name]
    assert both(content) == (expected, expected)


def test_what_is_no_certificate(both):
    content = dimension(SQUARE, rows=[0], columns=[0])
    for before, after in [
        (b'"kind": "dimension"', b'"kind": "dimension", "kind": "dimension"'),
        (b'"rows": [0]', b'"rows": [0.0]'),
        (b'"rows": [0]', b'"rows": [true]'),
        (b'"rows": [0]', b'"rows": [00]'),
        (b'"rows": [0]', b'"rows": [0,]'),
        (b'"version": 4', b'"version": 2'),
        (b'"network": ""', b'"network": "\xff"'),
        (b'"network": ""', b'"network": "\n"'),
        (b"product %0 %0  : 1 x 1", b"product %0 %2  : 1 x 1"),
        (b"product %0 %0  : 1 x 1", b"product %0 %0  : 1 x 2"),
        (b"product %0 %0  : 1 x 1", b"product %0 %0 : 1 x 1"),
        (b"input  : 1 x 1", b"tensor a  : 1 x 1"),
        (b"tensor a  : 1 x 1", b"tensor \\u00e4  : 1 x 1"),
    ]:
        assert before in content
        assert both(content.replace(before, after)) == (REFUSED, REFUSED), after
    assert both(content + b"\n") == (ACCEPTED, ACCEPTED)
    assert both(content + b"x") == (REFUSED, REFUSED)


@pytest.mark.parametrize(
    ("one", "two", "known"),
    [(0, 0, True), (0, 4, True), (1, 1, True), (1, 2, True), (1, 0, True), (0, 1, False), (0, 2, False), (2, 0, False)],
)
def test_what_is_a_fault(compare, one, two, known):
    """Words may not find what is true; all else is a fault."""
    assert (compare.relation(one, two) != compare.FAULT) is known
