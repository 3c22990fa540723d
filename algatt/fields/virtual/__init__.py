"""The virtual form of a program: results as sums of products of numbers made of weights with atoms."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.fields.virtual.field import Virtual as Virtual

on_demand(__name__)
