"""Degrees of closures of neuromanifolds, and generic fibres as numbers."""
