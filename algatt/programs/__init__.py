"""Programs: what a network computes, one instruction after the other."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.programs.masks import Masked as Masked
    from algatt.programs.masks import masked_sum as masked_sum
    from algatt.programs.trace import Instruction as Instruction
    from algatt.programs.trace import Program as Program
    from algatt.programs.trace import Trace as Trace
    from algatt.programs.trace import TraceArray as TraceArray
    from algatt.programs.uses import Uses as Uses

on_demand(__name__)
