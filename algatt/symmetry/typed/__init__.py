"""Symmetries that are read off the code of a network, by its types."""
