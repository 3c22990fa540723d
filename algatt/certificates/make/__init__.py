"""Certificates made of reports, of families of symmetries and of answers about two points."""

from algatt.certificates.make import dimension, inequality, symmetry

__all__ = ["dimension", "inequality", "symmetry"]
