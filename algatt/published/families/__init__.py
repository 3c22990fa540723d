"""The families of published models, one file for each."""

from algatt.published.families import (
    gemma,
    gemma2,
    gemma3,
    gpt2,
    gpt_neox,
    gptj,
    llama,
    mixtral,
    olmo2,
    opt,
    phi,
    phi3,
)

__all__ = [
    "gemma",
    "gemma2",
    "gemma3",
    "gpt2",
    "gpt_neox",
    "gptj",
    "llama",
    "mixtral",
    "olmo2",
    "opt",
    "phi",
    "phi3",
]
