"""The encoder of T5 has the values of a network with its weights."""

from __future__ import annotations

from algatt.layers import Embedding, Exponential, Feedforward, Heads, RelativeBias, ReLU, Residual, RMSNorm, Tie
from published_models import HIDDEN, VOCABULARY, WIDTH, arrays, below, built, check, heads_of, norm_of


def test_the_encoder_of_t5_with_relative_biases() -> None:
    options = {"d_model": WIDTH, "d_kv": 5, "d_ff": HIDDEN, "num_layers": 2, "num_heads": 4, "vocab_size": VOCABULARY}
    model = built("T5", **options, relative_attention_num_buckets=8, relative_attention_max_distance=5)
    state = arrays(model)
    tensors = {"embedding.E": state["shared.weight"]} | norm_of(state, "encoder.final_layer_norm", "norm")
    for number in (1, 2):
        prefix = f"encoder.block.{number - 1}.layer"
        block = heads_of(state, f"{prefix}.0.SelfAttention", counts="4444", names="qkvo")
        block |= {
            f"feedforward.{name}": state[f"{prefix}.1.DenseReluDense.w{letter}.weight"]
            for name, letter in (("up", "i"), ("down", "o"))
        }
        block |= norm_of(state, f"{prefix}.0.layer_norm", "norm_1") | norm_of(state, f"{prefix}.1.layer_norm", "norm_2")
        tensors |= below(str(number), block)
    tensors["1.heads.bias"] = state["encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"]
    norm, heads = RMSNorm(1e-6), Heads(4, width=5, score=Exponential(), position=RelativeBias(8, 5))
    block_layer = Residual(norm >> heads) >> Residual(norm >> Feedforward(HIDDEN, ReLU()))
    layers = Tie(Embedding(VOCABULARY, WIDTH) >> 2 * block_layer >> norm, {"2.heads.bias": "1.heads.bias"})
    check(model, layers, tensors, lambda output: output.last_hidden_state)
