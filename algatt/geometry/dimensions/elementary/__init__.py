"""Dimensions of networks with exponentials, roots and gates, modulo p."""
