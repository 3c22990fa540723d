"""What the parameters of published models are worth, by component."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import algatt
from algatt.errors import InvalidArgument
from algatt.layers import Convolution, LearnedPosition, Logits, Probabilities, RelativeBias, RMSNorm
from algatt.layers.base import layout
from algatt.layers.lengths import tokens_to_reach
from algatt.published import Component, ParameterReport, parameters, read, scaled
from algatt.published.components import component_of_quotient, component_of_space
from algatt.published.networks import with_epsilon
from algatt.symmetry.groups import LinearGroup
from algatt.symmetry.symbolic.symbolic import SymbolicFamily
from configs import FOLDER, config, model


def redundant(report: ParameterReport) -> dict[str, int]:
    """Return what each component makes redundant."""
    return {one.name: one.redundant for one in report.components}


def test_components_of_llama_by_hand() -> None:
    """32 heads of width 128 with rotary positions in 32 blocks, O(4096), 65 gains."""
    report = parameters(config("llama_2_7b"))
    assert redundant(report) == {
        "the stream": 4096 * 4095 // 2,
        "keys and queries": 32 * 32 * 128,
        "values and outputs": 32 * 32 * 128**2,
        "neurons": 32 * 11008,
        "gains": 65 * 4096,
    }
    assert report.redundant == sum(redundant(report).values())
    assert report.dimension == report.parameters - report.redundant
    assert report.parameters == model("llama_2_7b")["parameters"]
    assert report.functions == "from sequences of 7 or more tokens to logits"
    assert report.complete
    assert report.share == report.redundant / report.parameters


def test_components_of_experts_by_hand() -> None:
    found = redundant(parameters(config("mixtral_8x7b_v0_1")))
    assert (found["neurons"], found["routers"]) == (32 * 8 * 14336, 32 * 4096)
    assert not found.keys() & {"factors", "in common", "others"}


def test_gains_of_norms_of_heads_are_traded_pair_by_pair() -> None:
    assert redundant(parameters(config("qwen3_0_6b")))["keys and queries"] == 28 * 128 // 2


@pytest.mark.sample(0)
def test_probabilities_do_not_see_a_row_that_all_logits_share() -> None:
    logits, read_as_probabilities = (
        parameters(config("llama_3_8b"), reading=one) for one in (Logits(), Probabilities())
    )
    assert redundant(read_as_probabilities) == {**redundant(logits), "unembedding": 4096}
    assert (logits.reading, read_as_probabilities.reading) == ("logits", "probabilities")


def test_without_epsilon_the_stream_has_a_scale() -> None:
    assert redundant(parameters(config("llama_3_8b"), eps=0))["factors"] == 1
    with pytest.raises(InvalidArgument, match=r"eps was 0\.001; it should be 0, or None for what the config says"):
        parameters(config("llama_3_8b"), eps=0.001)  # type: ignore[arg-type]


def test_components_of_a_small_gpt2_by_hand() -> None:
    """Width 4, 2 heads of width 2, 3 neurons, 3 positions; tied. What reads a LayerNorm has a multiple of one
    vector for each row, as all rows have biases; what writes has one for each column, where only LayerNorms read.
    """
    report = parameters(scaled(config("gpt2")), reading=Probabilities())
    readers, writers = 3 * 4 + 3, 3 + 4 + 1 + 3 + 1
    assert redundant(report) == {
        "keys and queries": 2 * 2**2,
        "values and outputs": 2 * 2**2,
        "gains": 2 * 4,
        "biases": 2 * 4 + 4 + 4,
        "means": readers + writers,
        "embedding and positions": 4,
    }
    assert report.functions == "from sequences of 3 tokens (enough for all positions) to probabilities"


def test_what_several_do_counts_once() -> None:
    """The mean of a stream that only LayerNorms read moves by the basis of the stream and by shifts."""
    report = parameters(scaled(config("pythia_160m")))
    assert redundant(report)["in common"] < 0
    assert sum(redundant(report).values()) == report.redundant
    assert report.redundant == algatt.symmetry.symbolic_symmetries(read(scaled(config("pythia_160m")))).orbit


@pytest.mark.parametrize(
    ("tensors", "name"),
    [
        (("embedding.E", "1.heads.Q_1"), "the stream"),
        (("1.heads.O_1", "2.heads.Q_1"), "the stream"),
        (("1.heads.Q_1", "1.heads.b_Q_1", "1.heads.K_1"), "keys and queries"),
        (("1.heads.query_norm.g", "1.heads.key_norm.g"), "keys and queries"),
        (("1.heads.V_1", "1.heads.b_V_1", "1.heads.O_12"), "values and outputs"),
        (("1.experts.2.up", "1.experts.2.down"), "neurons"),
        (("1.scan.A", "1.scan.B"), "scan"),
    ],
)
def test_a_space_belongs_to_a_component(tensors: tuple[str, ...], name: str) -> None:
    assert component_of_space(SymbolicFamily("space", tensors, 4, 1, LinearGroup(2, 4))) == name


@pytest.mark.parametrize(
    ("name", "tensors", "component"),
    [
        ("1.norm_1.g", ("1.norm_1.g", "1.heads.Q_1"), "gains"),
        ("norm.b", ("norm.b", "unembedding.U"), "biases"),
        ("columns of 1.heads.b_V_1", ("1.heads.b_V_1", "1.heads.b_O"), "biases"),
        ("columns of 1.heads.Q_1", ("1.heads.Q_1", "1.heads.b_Q_1"), "means"),
        ("rows of 1.heads.O_1", ("1.heads.O_1",), "means"),
        ("rows of 1.feedforward.b_down", ("1.feedforward.b_down",), "means"),
        ("rows of embedding.E", ("embedding.E", "position.P"), "embedding and positions"),
        ("rows of unembedding.U", ("unembedding.U",), "unembedding"),
        ("rows of 1.experts.router", ("1.experts.router",), "routers"),
        ("rows of 1.heads.bias", ("1.heads.bias",), "embedding and positions"),
        ("entries of position.P", ("position.P",), "entries that nothing reaches"),
        ("choices by 1.experts.correction", ("1.experts.correction",), "choices of experts"),
    ],
)
def test_an_quotient_belongs_to_a_component(name: str, tensors: tuple[str, ...], component: str) -> None:
    assert component_of_quotient(SymbolicFamily(name, tensors, 2, 1)) == component


def test_every_norm_loses_its_epsilon() -> None:
    layers = with_epsilon(read(config("qwen3_0_6b")).layers, 0)
    found = [node.layer.eps for node in layout(layers).walk() if isinstance(node.layer, RMSNorm)]
    assert found == [0] * (28 * 4 + 1)
    pythia = read(scaled(config("pythia_160m"))).layers
    assert "eps=0" in repr(with_epsilon(pythia, 0))
    assert with_epsilon(with_epsilon(pythia, 0), 1) == with_epsilon(pythia, 1)


def test_tokens_that_reach_all_positions() -> None:
    assert tokens_to_reach(read(config("gpt2_xl")).layers) == 1024
    assert tokens_to_reach(read(config("llama_2_7b")).layers) == 1
    assert tokens_to_reach((LearnedPosition(), LearnedPosition(7))) == 7
    assert tokens_to_reach(RelativeBias(8, 5)) == 6
    assert tokens_to_reach(read(config("opt_125m")).layers) == 2048
    assert tokens_to_reach(read(config("mamba_130m")).layers) == 4
    assert tokens_to_reach(LearnedPosition(7, first=2)) == 5


@pytest.mark.parametrize(
    "layer", [Convolution(2), Convolution(2, 5), Convolution(2, 7, stride=2), Convolution(2, 1, 3)]
)
def test_as_many_tokens_as_a_kernel_needs_reach_all_of_it(layer: Convolution) -> None:
    tokens = tokens_to_reach(layer)
    assert all(layer.chosen(number, tokens).any() for number in range(1, layer.kernel + 1))


def test_rows_before_the_first_position_are_never_read() -> None:
    """Width 768, and rows 0 and 1 of 2050; 12 heads of width 64 in 12 blocks, 3072 neurons with biases and ReLU, whose
    scale is free; and a LayerNorm in each of 25 places with a gain and a bias that go into what reads them, but for the
    last gain.
    """
    report = parameters(config("opt_125m"))
    assert redundant(report)["entries that nothing reaches"] == 2 * 768
    assert redundant(report)["neurons"] == 12 * 3072
    assert report.functions == "from sequences of 2,048 tokens (enough for all positions) to logits"


@pytest.mark.sample(0)
def test_corrections_of_choices_are_no_entries_that_nothing_reads() -> None:
    """The router of DeepSeek V3 reads 256 of them in each of 58 mixtures, to choose experts."""
    found = redundant(parameters(config("deepseek_v3")))
    assert found["choices of experts"] == 256 * 58
    assert "entries that nothing reaches" not in found


def test_all_columns_of_the_kernel_of_mamba_count() -> None:
    """In each block a basis of the rank of the steps, a factor for each state and row, and one for all of B and C.

    The formula is e + N + r^2 + 1 + d with e = 1536 rows, N = 16 states, r = 48, and a gain of d = 768 entries.
    """
    report = parameters(config("mamba_130m"))
    assert report.redundant == 24 * (1536 + 16 + 48**2 + 1 + 768)
    assert (report.complete, report.functions) == (
        True,
        "from sequences of 4 tokens (enough for all positions) to logits",
    )


@pytest.mark.sample(0)
def test_configs_in_folders_and_described_ones(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config("tinyllama_1_1b")), encoding="utf-8")
    plain, folder, described = map(parameters, (config("tinyllama_1_1b"), tmp_path, FOLDER / "tinyllama_1_1b.json"))
    assert plain.components == folder.components == described.components
    assert (plain.model, described.model) == ("", model("tinyllama_1_1b")["model"])
    with pytest.raises(InvalidArgument, match=r"config\.json', which cannot be read"):
        parameters(tmp_path.parent)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"_class_name": "UNet2DConditionModel"}, "model_type was missing from the config; it should be one of"),
        ({"dim": 4096, "n_layers": 32, "n_heads": 32}, "model_type was missing from the config"),
        ({"model_type": "rwkv"}, "model_type was 'rwkv'; it should be one of"),
        ({"model": "name", "config": {}}, "model_type was missing from the config"),
    ],
)
def test_configs_of_others_are_refused(fields: dict[str, object], message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        parameters(fields)
    with pytest.raises(InvalidArgument, match="reading was 3"):
        parameters(config("llama_2_7b"), reading=3)  # type: ignore[arg-type]


def test_components_are_values() -> None:
    assert Component("gains", 2, 1) == Component("gains", 2, 1)
