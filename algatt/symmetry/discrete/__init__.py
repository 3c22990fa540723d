"""Symmetries that are no motions: permutations of coordinates and of tensors, and signs, found in the program of a
network.
"""
