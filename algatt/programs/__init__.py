"""Programs: what a network computes, one instruction after the other."""

from algatt.loading import load_below

load_below(__name__)

from algatt.programs.trace import Instruction, Program, Trace, TraceArray
from algatt.programs.uses import Uses

__all__ = [
    "Instruction",
    "Program",
    "Trace",
    "TraceArray",
    "Uses",
]
