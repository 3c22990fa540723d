"""Symmetries of networks of any size, on spaces as symbols."""
