"""Redundancy that types do not show, as quotients to fewer numbers: gains, biases, means, the unseen, and mixtures."""
