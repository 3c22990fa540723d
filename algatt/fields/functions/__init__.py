"""Functions of one variable, besides those of a ring: one file for each, with its values and its derivative."""

from algatt.fields.functions import undefined
from algatt.fields.functions.base import Function
from algatt.fields.functions.erf import Erf
from algatt.fields.functions.exp import Exp
from algatt.fields.functions.log import Log
from algatt.fields.functions.positive import Positive
from algatt.fields.functions.sigmoid import Sigmoid
from algatt.fields.functions.sqrt import Sqrt

__all__ = ["Erf", "Exp", "Function", "Log", "Positive", "Sigmoid", "Sqrt", "undefined"]
