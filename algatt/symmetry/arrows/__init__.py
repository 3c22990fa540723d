"""Redundancy that types do not show, as arrows to fewer numbers: gains, biases, means, the unseen, and mixtures."""
