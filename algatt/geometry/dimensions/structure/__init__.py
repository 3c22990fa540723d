"""Dimensions at points with structure: proven bounds from small pieces of a network."""
