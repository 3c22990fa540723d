"""The formats of files in which checkpoints come, a module for each."""
