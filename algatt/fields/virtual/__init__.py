"""The virtual form of a program: results as sums of products of numbers made of weights with atoms."""

from algatt.fields.virtual import arithmetic, attention, functions
from algatt.fields.virtual.field import Virtual

__all__ = ["Virtual", "arithmetic", "attention", "functions"]
