"""Programs: what a network computes, one instruction after the other."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.programs.interpret import Instruction as Instruction
    from algatt.programs.interpret import Program as Program
    from algatt.programs.interpret import Trace as Trace
    from algatt.programs.interpret import TraceArray as TraceArray
    from algatt.programs.masks import Masked as Masked
    from algatt.programs.masks import masked_sum as masked_sum
    from algatt.programs.uses import Uses as Uses

on_demand(__name__)
