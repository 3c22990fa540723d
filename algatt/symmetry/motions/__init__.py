"""Symmetries by motions: one calculus for all linear, affine and chained ones."""
