"""Dimensions of transformers at full size, by weights near which all blocks stand side by side."""
