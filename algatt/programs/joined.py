"""Programs in which tensors that are read below each other are one: [A X; B X] = [A; B] X."""

from __future__ import annotations

from algatt.programs.interpret import Instruction, Program
from algatt.programs.uses import Uses, needed, with_operands


def joined_tensors(program: Program) -> tuple[Program, dict[str, tuple[str, ...]]]:
    """Return a program with fewer tensors for one function, and which of the others each new one is made of, from top
    to bottom.

    Tensors whose products with one matrix are joined below each other, and used for nothing else, are one tensor, as
    the queries of all heads before a norm of all their rows.
    """
    uses = program.uses
    made: list[Instruction] = []
    numbers: list[int] = []
    found: dict[str, tuple[str, ...]] = {}
    for number, one in enumerate(program.instructions):
        products = products_below_each_other(uses, number)
        operands = tuple(numbers[operand] for operand in one.operands)
        if products:
            names = tuple(str(uses[uses[product].operands[0]].argument) for product in products)
            right = uses[products[0]].operands[1]
            name, shape = f"{names[0]}.to.{names[-1]}", (one.shape[0], uses.height(right))
            found[name] = names
            made.append(Instruction("tensor", (), name, shape))
            one, operands = Instruction("product", (), None, one.shape), (len(made) - 1, numbers[right])
        made.append(with_operands(one, operands))
        numbers.append(len(made) - 1)
    return needed(made, numbers[-1]), found


def products_below_each_other(uses: Uses, number: int) -> tuple[int, ...]:
    """Return the products of tensors that a result joins, if it could read one tensor; or nothing."""
    one = uses[number]
    if one.operation != "concatenate" or one.argument != 0 or len(set(one.operands)) < len(one.operands):
        return ()
    if any(uses[part].operation != "product" or not uses.is_used_by(part, number) for part in one.operands):
        return ()
    tensors, rights = zip(*(uses[part].operands for part in one.operands), strict=True)
    alone = all(uses.is_used_by(tensor, product) for tensor, product in zip(tensors, one.operands, strict=True))
    is_one = len(set(rights)) == 1 and all(uses[tensor].operation == "tensor" for tensor in tensors)
    return one.operands if alone and is_one else ()
