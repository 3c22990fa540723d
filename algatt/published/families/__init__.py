"""The families of published models, one file for each."""

from algatt.published.families import gemma, gpt2, gpt_neox, llama, mixtral, phi3, t5

__all__ = ["gemma", "gpt2", "gpt_neox", "llama", "mixtral", "phi3", "t5"]
