"""Symmetries that a network has because of narrow widths and ranks, or of few tokens."""
