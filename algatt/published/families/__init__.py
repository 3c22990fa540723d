"""The families of published models, one file for each."""

from algatt.published.families import albert, bert, gemma, gpt2, gpt_neox, llama, mamba, mixtral, phi3, vit

__all__ = ["albert", "bert", "gemma", "gpt2", "gpt_neox", "llama", "mamba", "mixtral", "phi3", "vit"]
