"""Certificates of transformers at full size: what the verifier writes once more, the hypotheses that it checks, and
files that lie.
"""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import algatt
from algatt.certificates.make.transformer import claims_of_transformer
from algatt.certificates.standalone import standalone_verifier
from algatt.certificates.verifier.kinds import verify_bytes
from algatt.certificates.verifier.limits import TOO_LARGE, Refused
from algatt.certificates.verifier.network import tensors_of
from algatt.certificates.verifier.side_by_side import shown_by_parts
from algatt.certificates.verifier.transformer import Description
from algatt.errors import InvalidArgument
from algatt.geometry import RandomPoints, SideBySide
from algatt.geometry.dimensions.bounds import upper_bound_by_symbols
from algatt.geometry.dimensions.side_by_side.encoder import model_of
from algatt.geometry.dimensions.side_by_side.parts import parts_of
from algatt.geometry.dimensions.side_by_side.transformer import Transformer
from algatt.layers import (
    GELU,
    Causal,
    Embedding,
    Feedforward,
    Heads,
    Layer,
    LayerNorm,
    LearnedPosition,
    Parallel,
    ReLU,
    Residual,
    RMSNorm,
    Rotary,
    SiLU,
    SoftCap,
    TanhGELU,
    Tie,
    Unembedding,
    Window,
)

pytestmark = pytest.mark.sample(1000)  # all cases, always: what is called verified rests on them

ROTARY = Rotary(layout="halves")


def heads(count: int = 1, norm: Layer | None = None, **options: Any) -> Layer:
    return Residual((norm or RMSNorm()) >> Heads(count, **{"width": 8, "mask": Causal(), **options}))


def neurons(hidden: int = 1, norm: Layer | None = None, activation: Layer | None = None, **options: Any) -> Layer:
    return Residual((norm or RMSNorm()) >> Feedforward(hidden, activation or SiLU(), **options))


def network(
    *blocks: Layer, vocabulary: int = 80, width: int = 8, norm: Layer | None = None, **of: Any
) -> algatt.Network:
    chain = Embedding(vocabulary, width)
    for block in (*blocks, norm or RMSNorm()):
        chain = chain >> block
    layers = chain >> Unembedding(vocabulary, bias=of.get("bias", False))
    layers = Tie(layers, {"unembedding.U": "embedding.E"}) if of.get("tied") else layers
    return algatt.Network(layers, tokens=of.get("tokens", 7))


def beside(*layers: Layer) -> Layer:
    return Residual(LayerNorm() >> Parallel(*layers))


def centred(**of: Any) -> dict[str, Any]:
    return {"vocabulary": 120, "width": 9, "norm": LayerNorm(), **of}


LLAMA = network(heads(2, key_heads=1, width=4, position=ROTARY), neurons(2, gated=True))

GPT2 = network(
    LearnedPosition(9),
    heads(norm=LayerNorm(), biases="QKVO"),
    neurons(norm=LayerNorm(), activation=TanhGELU(), bias=True),
    **centred(tied=True),
)

KINDS = {
    "Llama": LLAMA,
    "GPT-2": GPT2,
    "OPT": network(
        LearnedPosition(first=2),
        heads(norm=LayerNorm(), biases="QKVO"),
        neurons(norm=LayerNorm(), activation=ReLU(), bias=True),
        **centred(tied=True),
    ),
    "Qwen2": network(
        heads(position=ROTARY, biases="QKV"), neurons(gated=True, activation=GELU(), bias=True), vocabulary=120
    ),
    "Mistral, interleaved": network(
        heads(position=Rotary(), mask=Window(7)), neurons(gated=True), tied=True, tokens=9, vocabulary=120
    ),
    "Phi-2": network(
        beside(
            Heads(1, width=8, mask=Causal(), position=Rotary(width=4, layout="halves"), biases="QKVO"),
            Feedforward(1, GELU(), bias=True),
        ),
        **centred(bias=True),
    ),
    "Pythia, two blocks": network(
        *2
        * [
            Residual(
                Parallel(
                    LayerNorm() >> Heads(2, width=8, mask=Causal(), position=Rotary(width=2)),
                    LayerNorm() >> Feedforward(1, GELU(), bias=True),
                )
            )
        ],
        **centred(),
    ),
    "biases of keys, not turned": network(
        heads(2, width=4, biases="KO"), neurons(activation=ReLU(), gated=True), vocabulary=120
    ),
    "a bias of outputs and one of neurons": network(heads(2, width=4, biases="VO"), neurons(bias=True), vocabulary=120),
}


def claims_of(net: algatt.Network) -> dict[str, Any]:
    """Return what a certificate claims, whatever the sizes of the network are."""
    model = model_of(net)
    assert isinstance(model, Transformer)
    return claims_of_transformer(net, model, parts_of(model))


def shown(claims: dict[str, Any]) -> list[list[Any]]:
    """Return what the verifier finds that the parts of claims add."""
    return shown_by_parts(Description(tensors_of(claims)).transformer(claims["transformer"]))


def document(claims: dict[str, Any]) -> bytes:
    told = {"format": "algatt certificate", "version": 4, "made_with": "a test", "network": "", "claims": claims}
    return json.dumps(told).encode("ascii")


@pytest.mark.parametrize("name", KINDS)
def test_the_dimension_is_what_symbols_leave(name: str) -> None:
    """The verifier counts parts, and symbols count symmetries: the numbers are of two origins."""
    net = KINDS[name]
    certificate = algatt.certify(algatt.dimension(net, points=SideBySide()))
    assert (certificate.kind, certificate.status, certificate.parameters) == ("transformer", "proven", net.parameters)
    assert certificate.dimension == certificate.upper == upper_bound_by_symbols(net).value
    verdict = algatt.verify(certificate)
    assert verdict.ok
    assert verdict.claim.startswith("By the theorem of blocks side by side the network with the program ")
    assert f"reads {net.tokens} tokens out of {net.vocabulary}, has a neuromanifold of dimension" in verdict.claim
    assert str(certificate.dimension) in verdict.claim
    assert ("of an open set" in verdict.claim) is ("ReLU" in str(net.layers))
    (assumed,) = verdict.assumptions
    assert "side_by_side.md" in assumed


def test_llama_has_as_many_dimensions_as_exact_ranks_say() -> None:
    """Of the network at the smallest sizes of the theorem the rank at random points is 606."""
    net = network(heads(2, key_heads=1, width=4, position=Rotary()), vocabulary=19)
    assert algatt.certify(algatt.dimension(net, points=SideBySide())).dimension == algatt.dimension(net).value


SMALL = {"vocabulary": 12, "width": 4, "tokens": 3}
PARTLY = {"width": 3, "value_width": 2, "position": Rotary(width=2)}


@pytest.mark.parametrize(
    "net",
    [
        network(heads(width=9, position=Rotary(width=8)), width=9, vocabulary=22),
        network(heads(2, **PARTLY), **SMALL),
        network(heads(2, biases="QK", **PARTLY), **SMALL),
    ],
    ids=["some coordinates turned, at size", "some turned", "some turned, biases"],
)
def test_exact_ranks_are_the_sum_where_symbols_count_fewer_symmetries(net: algatt.Network) -> None:
    """The corollary, which the verifier rests on, finds more symmetries than the package does at full size."""
    claims = claims_of(net)
    found = sum(times * each for _, times, each in shown(claims))
    assert algatt.dimension(net, points=RandomPoints()).lower == found < upper_bound_by_symbols(net).value
    assert (verify_bytes(document(claims)).reasons == ()) is (net.tokens == 7)


def test_exact_ranks_are_the_sum_with_wide_values_with_biases_and_symbols_count_as_many_symmetries() -> None:
    net = network(heads(2, width=2, value_width=4, biases="V"), **SMALL)
    found = sum(times * each for _, times, each in shown(claims_of(net)))
    assert algatt.dimension(net, points=RandomPoints()).lower == found == upper_bound_by_symbols(net).value


def test_nothing_is_assumed_of_other_certificates() -> None:
    verdict = algatt.verify(algatt.certify(algatt.Lightning((2, 1), (1,), 2)))
    assert (verdict.ok, verdict.assumptions) == (True, ())


def test_a_published_model_at_full_size_and_the_file_that_stands_alone(tmp_path: Path) -> None:
    """The table of published models has 160,880,627 of 162,322,944 for Pythia."""
    certificate = algatt.certify(algatt.published.read("pythia-160m", tokens=8))
    assert (certificate.kind, certificate.dimension) == ("transformer", 160_880_627)
    certificate.save(tmp_path / "pythia.json")
    (tmp_path / "verify.py").write_text(standalone_verifier(), encoding="utf-8")
    command = [sys.executable, "-I", str(tmp_path / "verify.py"), str(tmp_path / "pythia.json")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said, assumed = done.stdout.splitlines()
    assert (done.returncode, said) == (0, f"verified: {algatt.verify(certificate).claim}")
    assert assumed.startswith("  assumptions: the theorem of blocks side by side")


HYPOTHESES = {
    "six tokens": (network(heads(position=ROTARY), tokens=6), "fewer than 7 tokens"),
    "a window of six": (network(heads(position=ROTARY, mask=Window(6)), tokens=9), "windows, have fewer than 7"),
    "a narrow stream": (network(heads(width=7), width=7), "fewer than 8"),
    "a narrow stream without means": (network(heads(norm=LayerNorm()), **centred(width=8)), "7 coordinates"),
    "seven heads": (network(heads(7)), "or than all heads and 2"),
    "four and three heads": (network(heads(4), heads(3)), "or than all heads and 2"),
    "heads for narrow keys": (network(heads(3, key_heads=1, width=2, value_width=4)), "3 heads for 1 of keys"),
    "wide keys": (network(heads(width=9, value_width=8)), "widths 9 and 8"),
    "narrow values": (network(heads(6, width=8, value_width=1)), "widths 8 and 1"),
    "wide values": (network(heads(value_width=9)), "widths 8 and 9"),
    "equal angles": (network(heads(width=4, value_width=8, position=Rotary(frequencies=(0.5, 0.5)))), "equal"),
    "no heads first": (network(neurons(), heads()), "no layer of heads"),
    "neurons alone": (network(neurons()), "no layer of heads"),
    "two layers of heads first": (
        network(Residual(RMSNorm() >> Parallel(Heads(1, mask=Causal()), Heads(1, mask=Causal())))),
        "or two",
    ),
    "linear neurons beside heads": (
        network(Residual(RMSNorm() >> Parallel(Heads(1, width=8, mask=Causal()), Feedforward(1, SiLU())))),
        "not affine",
    ),
    "ReLU beside heads": (
        network(beside(Heads(1, width=8, mask=Causal()), Feedforward(1, ReLU(), bias=True)), **centred()),
        "or of ReLU",
    ),
    "tied neurons beside heads": (
        network(beside(Heads(1, width=8, mask=Causal()), Feedforward(1, bias=True)), **centred(tied=True)),
        "are tied",
    ),
    "narrow values beside neurons": (
        network(beside(Heads(2, key_heads=1, width=4, mask=Causal()), Feedforward(1, bias=True)), **centred()),
        "do not read all",
    ),
    "first heads write to seven coordinates": (network(heads(value_width=7)), "do not write to all"),
    "first heads write to less than the mean leaves": (
        network(heads(norm=LayerNorm(), value_width=7), **centred()),
        "do not write to all",
    ),
    "a bias of logits": (network(heads(value_width=8), width=9, bias=True), "do not write to all"),
    "few tokens": (network(heads(), vocabulary=18), "1 too few"),
    "few tokens, tied": (network(heads(), vocabulary=63, tied=True), "1 too few"),
    "few tokens, biases of queries": (network(heads(biases="Q"), vocabulary=63), "1 too few"),
    "few tokens, biases of neurons": (
        network(heads(), neurons(activation=SiLU(), bias=True), vocabulary=91),
        "0 tokens, or values 6 wide, do not tell 1 neurons",
    ),
    "few tokens, a bias of outputs": (network(heads(biases="O"), vocabulary=63), "1 too few"),
    "few tokens for neurons": (network(heads(), neurons(), vocabulary=45), "1 too few"),
    "few tokens for a form": (network(heads(), width=10, vocabulary=25), "1 too few"),
    "few tokens beside heads": (
        network(beside(Heads(1, width=8, mask=Causal()), Feedforward(9, bias=True)), **centred(vocabulary=90)),
        "1 too few",
    ),
    "few tokens beside heads, gates": (
        network(
            beside(Heads(1, width=8, mask=Causal()), Feedforward(9, gated=True, bias=True)), **centred(vocabulary=108)
        ),
        "1 too few",
    ),
    "few codes": (network(heads(width=4, value_width=4), heads(), vocabulary=90), "do not write to all"),
    "many neurons for sets of two": (network(heads(), neurons(22), vocabulary=53), "do not tell 22 neurons apart"),
    "many neurons": (network(heads(2, width=4), neurons(34), vocabulary=79), "do not tell 34 neurons apart"),
}


@pytest.mark.parametrize("name", HYPOTHESES)
def test_each_hypothesis_is_checked(name: str) -> None:
    net, reason = HYPOTHESES[name]
    verdict = verify_bytes(document(claims_of(net)))
    assert any(reason in one for one in verdict.reasons), verdict.reasons


def test_one_more_token_is_enough() -> None:
    """The limits of the cases above, from the other side."""
    for net in (
        network(heads(), vocabulary=19),
        network(heads(), vocabulary=64, tied=True),
        network(heads(biases="Q"), vocabulary=64),
        network(heads(biases="O"), vocabulary=64),
        network(heads(), neurons(), vocabulary=47),
        network(heads(), width=10, vocabulary=26),
        network(heads(2, width=4), neurons(33), vocabulary=79),
        network(heads(), neurons(21), vocabulary=53),
        network(heads(6, value_width=2, width=2), width=8, vocabulary=19),
        network(beside(Heads(2, width=4, mask=Causal()), Feedforward(9, bias=True)), **centred(vocabulary=91)),
        network(
            beside(Heads(1, width=8, mask=Causal()), Feedforward(9, gated=True, bias=True)), **centred(vocabulary=109)
        ),
    ):
        assert verify_bytes(document(claims_of(net))).reasons == (), net


@pytest.mark.parametrize("name", ["Llama", "GPT-2", "Phi-2"])
def test_no_line_of_a_program_may_be_another(name: str) -> None:
    """Each line in turn is left out, or takes another result, or has another argument or shape."""
    claims = claims_of(KINDS[name])
    assert verify_bytes(document(claims)).reasons == ()
    lines = claims["program"]
    for number, line in enumerate(lines):
        others = [line.replace("  : ", " 1  : "), line + "0", line.replace("1", "2", 1), lines[number // 2]]
        if "%" in line:
            others.append(line.replace("%", "%1", 1))
        for other in others:
            changed = [*lines[:number], other, *lines[number + 1 :]]
            if other != line:
                reasons = verify_bytes(document({**claims, "program": changed})).reasons
                assert reasons, (number, line, other)
        if number in (0, len(lines) // 2, len(lines) - 1):
            assert verify_bytes(document({**claims, "program": [*lines[:number], *lines[number + 1 :]]})).reasons


def test_terms_that_are_not_read_change_nothing() -> None:
    """A term twice is the same function; and a program has to end with its value."""
    claims = claims_of(LLAMA)
    lines = claims["program"]
    assert verify_bytes(document({**claims, "program": [*lines, lines[-1]]})).reasons == ()
    assert "does not end" in verify_bytes(document({**claims, "program": [*lines, lines[0]]})).reasons[0]


def described(**changes: Any) -> dict[str, Any]:
    """Return the claims of two blocks as Llama's with a changed description."""
    claims = copy.deepcopy(claims_of(LLAMA))
    claims["transformer"] |= changes
    return claims


def changed_part(number: int, **changes: Any) -> dict[str, Any]:
    claims = copy.deepcopy(claims_of(LLAMA))
    claims["transformer"]["blocks"][number][0] |= changes
    return claims


HEADS, NEURONS = 0, 1

REFUSED = [
    (described(tokens=0), "transformer.tokens is 0"),
    (described(tokens=4096), "transformer.tokens is 4096"),
    (described(tokens=True), "transformer.tokens is True"),
    (described(epsilon="0"), "transformer.epsilon is '0'"),
    (described(epsilon="-1/2"), "a fraction above 0"),
    (described(epsilon="2/4"), "a fraction above 0"),
    (described(embedding="embedding"), "names of 1 to 1 tensors"),
    (described(embedding=["embedding.E"]), "of type str"),
    (described(unembedding=[]), "not all of them"),
    (described(unembedding=["embedding.E"]), "a tensor twice"),
    (described(unembedding=["unembedding.U", "norm_3.g"]), "of another shape"),
    (described(unembedding=["unembedding.U"] * 3), "names of 0 to 2 tensors"),
    (described(positions=["embedding.E"]), "a tensor twice"),
    (described(positions=["feedforward.down"]), "positions is of another shape"),
    (described(positions=["feedforward.up"]), "positions is of another shape"),
    (described(positions=["feedforward.up", "feedforward.down"]), "names of 0 to 1 tensors"),
    (described(first=-1), "transformer.first is -1"),
    (described(first=1), "transformer.first is 1"),  # without positions
    (described(embedding=[]), "of type str"),
    (described(norm=["norm_2.g"]), "a tensor twice"),
    (described(norm=["norm_3.g", "norm_2.g"]), "a tensor twice"),
    (described(norm=["feedforward.up"]), "norm is of other shapes"),
    (described(norm=[]), "names of 1 to 2 tensors"),
    (described(blocks=[[]]), "a list of parts"),
    (described(blocks=[{}]), "a list of parts"),
    (described(blocks=[[[]]]), "a list of parts"),
    (described(blocks=[[{}]]), "an object with activation"),
    (described(blocks=[]), "not all of them"),
    (described(more=1), "an object with 'more'"),
    (changed_part(HEADS, more=1), "an object with 'more'"),
    (changed_part(NEURONS, more=1), "an object with 'more'"),
    (changed_part(HEADS, queries=[]), "a list of maps"),
    (changed_part(HEADS, queries=[["heads.Q_1"]]), "names of 1 to 1 tensors"),
    (changed_part(HEADS, queries=[["heads.Q_1"], ["heads.Q_1"]]), "a tensor twice"),
    (changed_part(HEADS, queries=[["heads.Q_1"], ["heads.Q_2", "norm_1.g"]]), "some without"),
    (changed_part(HEADS, queries=[["heads.Q_1"], ["heads.O_1"]]), "of another shape"),
    (changed_part(HEADS, keys=[["heads.K_1"], ["heads.K_1"]]), "in groups of one size"),
    (changed_part(HEADS, keys=[["heads.O_1"]]), "of another shape"),
    (changed_part(HEADS, values=[["heads.O_1"]]), "of another shape"),
    (changed_part(HEADS, values=[["heads.V_1"]] * 2, keys=[["heads.K_1"]] * 2), "a tensor twice"),
    (changed_part(HEADS, outputs=["heads.O_1"]), "names of 2 to 2 tensors"),
    (changed_part(HEADS, outputs=["heads.O_1", "heads.Q_1"]), "of another shape"),
    (changed_part(HEADS, bias=["feedforward.up"]), "a bias of another shape"),
    (changed_part(HEADS, bias=["norm_1.g"]), "a tensor twice"),
    (changed_part(HEADS, angles=["0.0", "0.01"]), "the angle '0.0'"),
    (changed_part(HEADS, angles=["3.141592653589793", "0.01"]), "between 0 and pi"),
    (changed_part(HEADS, angles=["1", "0.01"]), "the angle '1'"),
    (changed_part(HEADS, angles=["nan", "0.01"]), "the angle 'nan'"),
    (changed_part(HEADS, angles=["x", "0.01"]), "the angle 'x'"),
    (changed_part(HEADS, angles=[1, 2]), "the angle 1"),
    (changed_part(HEADS, angles=["1.0", "0.01", "0.5"]), "at most 2 angles"),
    (changed_part(HEADS, halves=2), "halves is 2"),
    (changed_part(HEADS, angles=[]), "halves is 1"),  # without angles
    (changed_part(HEADS, window=0), "window is 0"),
    (changed_part(HEADS, window=8), "window is 8"),
    (changed_part(HEADS, queries=["heads.Q_1", ["heads.Q_2"]]), "a list of names"),
    (changed_part(NEURONS, up="feedforward.up"), "of type list"),
    (changed_part(HEADS, scale="x"), "scale is 'x'"),
    (changed_part(HEADS, norm=["norm_1.g", "norm_2.g"]), "a tensor twice"),
    (changed_part(NEURONS, activation="Tanh"), "another activation"),
    (changed_part(NEURONS, gate=[]), "not all of them"),
    (changed_part(NEURONS, gate=["feedforward.down"]), "of another shape"),
    (changed_part(NEURONS, down=["feedforward.up"]), "of another shape"),
    (changed_part(NEURONS, down=["feedforward.down", "norm_2.g"]), "with some biases"),
    (changed_part(NEURONS, norm=["norm_1.g"]), "a tensor twice, or not all"),
    (changed_part(NEURONS, norm=["norm_2.b"]), "names of 1 to 2 tensors"),
]


@pytest.mark.parametrize(("claims", "why"), REFUSED, ids=[why for _, why in REFUSED])
def test_what_describes_no_transformer_is_refused(claims: dict[str, Any], why: str) -> None:
    with pytest.raises(Refused, match=re.escape(why)):
        verify_bytes(document(claims))


def test_norms_are_of_one_kind() -> None:
    """Of GPT-2 with the bias of a norm as that of outputs nothing is missing, but one norm has no bias."""
    claims = claims_of(network(heads(norm=LayerNorm()), **centred()))
    (part,) = claims["transformer"]["blocks"][0]
    part |= {"norm": part["norm"][:1], "bias": part["norm"][1:]}
    with pytest.raises(Refused, match="norms of two kinds"):
        verify_bytes(document(claims))


@pytest.mark.parametrize(
    "claims",
    [
        described(tokens=8),
        described(epsilon="1/2"),
        changed_part(HEADS, queries=[["heads.Q_2"], ["heads.Q_1"]]),
        changed_part(HEADS, outputs=["heads.O_2", "heads.O_1"]),
        changed_part(HEADS, angles=["0.01", "1.0"]),
        changed_part(HEADS, angles=["1.0"]),
        changed_part(HEADS, angles=[], halves=0),
        changed_part(HEADS, halves=0),
        changed_part(HEADS, scale="1"),
        changed_part(NEURONS, activation="ReLU"),
        changed_part(NEURONS, activation="GELU"),
        changed_part(NEURONS, up=["feedforward.gate"], gate=["feedforward.up"]),
    ],
)
def test_another_transformer_than_that_of_the_program_is_refuted(claims: dict[str, Any]) -> None:
    claims["parts"] = shown(claims)
    (reason,) = verify_bytes(document(claims)).reasons
    assert "is no term of the transformer that is described" in reason


@pytest.mark.parametrize("change", [("neurons", 1, 1), ("neurons", 1), "neurons", ("neurons", True, 46)])
def test_other_parts_are_refuted(change: Any) -> None:
    claims = claims_of(LLAMA)
    reasons = verify_bytes(document({**claims, "parts": [*claims["parts"][:-1], change]})).reasons
    assert reasons == ("the parts, how often they occur, or what they add, are not those of the theorem",)


def test_tensors_that_nothing_reads_are_refused() -> None:
    claims = claims_of(LLAMA)
    with pytest.raises(Refused, match="not all of them"):
        verify_bytes(document({**claims, "tensors": [*claims["tensors"], ["idle", 3, 3]]}))
    tensors = [[name, height + (name == "heads.O_1"), width] for name, height, width in claims["tensors"]]
    with pytest.raises(Refused, match="of another shape"):
        verify_bytes(document({**claims, "tensors": tensors}))


def sized(net: algatt.Network, tensors: dict[str, tuple[int, int]]) -> dict[str, Any]:
    """Return the claims of a network with other shapes of some tensors, whatever its program is."""
    claims = claims_of(net)
    claims["tensors"] = [[name, *tensors.get(name, shape)] for name, *shape in claims["tensors"]]
    return claims


def test_positions_that_are_not_read_take_no_time() -> None:
    """A tensor may have any number of rows, of which some are read; a list of all would not fit into memory."""
    rows = 2**62
    claims = sized(GPT2, {"position.P": (rows, 9)})
    claims["program"] = [line.replace("position.P  : 9 x 9", f"position.P  : {rows} x 9") for line in claims["program"]]
    verdict = verify_bytes(document(claims))
    assert verdict.reasons == ()
    assert f"which has {GPT2.parameters + (rows - 9) * 9} parameters" in verdict.claim


def many_layers(count: int, tokens: int, windows: int | None = None, turned: int = 0) -> dict[str, Any]:
    """Return claims of many layers of a head, and of no program: perhaps with windows, each wider than the last one,
    or with keys of some width, two coordinates of which are turned.
    """
    d = turned or count + 8
    tensors: dict[str, tuple[int, int]] = {"E": (7 * d + 7, d), "U": (7 * d + 7, d), "g": (d, 1)}
    blocks = []
    for k in range(count):
        a, b = turned or 1, 2 if k else d  # the first head writes to all of the stream
        tensors |= {f"g{k}": (d, 1), f"Q{k}": (a, d), f"K{k}": (a, d), f"V{k}": (b, d), f"O{k}": (d, b)}
        maps = {"queries": [[f"Q{k}"]], "keys": [[f"K{k}"]], "values": [[f"V{k}"]], "outputs": [f"O{k}"], "bias": []}
        window = tokens if windows is None else windows + k
        options = {"angles": ["1.0"] if turned else [], "halves": int(bool(turned)), "window": window, "scale": "1"}
        blocks.append([{"norm": [f"g{k}"], **maps, **options}])
    ends = {"embedding": "E", "positions": [], "first": 0, "blocks": blocks, "norm": ["g"], "unembedding": ["U"]}
    return {
        "kind": "transformer",
        "program": ["input  : 3 x 3"],
        "reads": "tokens",
        "tensors": [[name, *shape] for name, shape in tensors.items()],
        "transformer": {"tokens": tokens, "epsilon": "1", **ends},
        "parts": [],
    }


def test_a_mask_is_written_once() -> None:
    """A mask of 1000 tokens has two million characters."""
    reasons = verify_bytes(document(many_layers(2000, 1000))).reasons
    assert "program[0], 'input  : 3 x 3', is no term" in reasons[0]


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("layers", "tokens", "windows", "turned"),
    [(1, 2048, None, 0), (9, 900, 800, 0), (1, 7, None, 10**9), (11_000, 7, None, 0)],
    ids=["a mask", "masks", "wide keys", "terms"],
)
def test_a_program_that_does_not_fit_into_a_file_is_not_written(
    layers: int, tokens: int, windows: int | None, turned: int
) -> None:
    with pytest.raises(Refused, match="whose program is longer than a file") as caught:
        verify_bytes(document(many_layers(layers, tokens, windows, turned)))
    assert caught.value.code == TOO_LARGE


@pytest.mark.parametrize("end", ["", ":x  : 1 x 1", "  : 8 x 7"])
def test_lines_of_many_operands_take_no_time(end: str) -> None:
    """An expression that looks for the end of the operands at each of them would take an hour."""
    claims = claims_of(LLAMA)
    claims["program"][0] = "add" + " %0" * 10**6 + end
    assert "program[0], 'add %0" in verify_bytes(document(claims)).reasons[0]


@pytest.mark.parametrize("name", ["", "a b", "%3", "[x]", "a\nadd %0 %1", "y ", "a:b"])
def test_tensors_have_names_of_a_program(name: str) -> None:
    claims = json.loads(json.dumps(claims_of(LLAMA)).replace("unembedding.U", json.dumps(name)[1:-1]))
    with pytest.raises(Refused, match=r"claims\.tensors is with the name"):
        verify_bytes(document(claims))


@pytest.mark.parametrize(
    ("net", "what"),
    [
        (network(heads(score=SoftCap(3))), "a network that has Heads"),
        (network(heads(norm=RMSNorm(gain=False))), "RMSNorm"),
    ],
)
def test_what_the_verifier_does_not_know_is_said(net: Any, what: str) -> None:
    with pytest.raises(InvalidArgument, match=what):
        algatt.certify(algatt.dimension(net, points=SideBySide()))
