"""What the constraints of types say of whole spaces."""

from __future__ import annotations

from dataclasses import dataclass, field

from algatt.fields.motions import (
    Action,
    Centring,
    Constant,
    Constraint,
    Diagonal,
    Entries,
    Intertwining,
    Selection,
    Space,
    Turns,
    Vanishing,
)


@dataclass
class SpaceConditions:
    """What the constraints of a component say of its spaces.

    Attributes
    ----------
    skew : set of Space
        Spaces of skew matrices.
    means : dict of Space to set of bool
        Those that move nothing but means which are subtracted, each with whether it is A C = 0 that says so, for the
        centring matrix C and A or its transpose, and not C A = 0.
    turned : dict of Space to tuple of int
        The speeds of turns that a space commutes with.
    commuting : dict of Space to dict of (Constant, bool) to None
        Other constants that a space commutes with, or whose transposes it does.
    centred : list of (Space, Space, bool)
        Those that are the same but for means, each with whether one is the transpose of the other.
    ends : dict of Space to set of bool
        For these whether it is A C = C B that says so, and not C A = B C.
    parts : dict of Space to list of (tuple of int, Space, bool, int)
        Spaces that are direct sums: the rows, the space that acts on these, whether it is transposed, and its factor.
    """

    skew: set[Space] = field(default_factory=set)
    means: dict[Space, set[bool]] = field(default_factory=dict)
    turned: dict[Space, tuple[int, ...]] = field(default_factory=dict)
    commuting: dict[Space, dict[tuple[Constant, bool], None]] = field(default_factory=dict)
    centred: list[tuple[Space, Space, bool]] = field(default_factory=list)
    ends: dict[Space, set[bool]] = field(default_factory=dict)
    parts: dict[Space, list[tuple[tuple[int, ...], Space, bool, int]]] = field(default_factory=dict)

    def read(self, constraint: Constraint, actions: tuple[Action, ...], diagonal: set[Space]) -> bool:
        """Take a constraint up, and return whether there is a rule for it."""
        about = {space for action in actions for space, _ in action.terms}
        if any(action.scalars or len(action.terms) > 2 for action in actions):
            return False
        if isinstance(constraint, Diagonal):
            return about <= diagonal
        if isinstance(constraint, Vanishing):
            self.skew |= about
            return len(about) == 1 and len(actions[0].terms) == 2 and len(set(actions[0].terms.values())) == 1
        if not isinstance(constraint, Intertwining) or any(len(action.terms) > 1 for action in actions):
            return False
        if (
            isinstance(constraint.constant, Turns | Entries)
            and len(about) == 1
            and actions[0].terms == actions[1].terms
        ):
            ((space, flipped),) = actions[0].terms
            if isinstance(constraint.constant, Entries):
                self.commuting.setdefault(space, {})[constraint.constant, flipped] = None
                return True
            return self.turned.setdefault(space, constraint.constant.speeds) == constraint.constant.speeds
        if isinstance(constraint.constant, Centring):
            alone = any(action.zero for action in actions)
            for left, action in zip((True, False), actions, strict=True):
                for space, flipped in action.terms:
                    (self.means if alone else self.ends).setdefault(space, set()).add(left != flipped)
            if not alone:
                (((one, flipped), c),), (((other, turned), d),) = (action.terms.items() for action in actions)
                self.centred.append((one, other, (flipped != turned) != (c * d < 0)))
            return True
        if isinstance(constraint.constant, Selection) and all(action.terms for action in actions):
            return self.read_part(constraint.constant, *actions)
        return False

    def read_part(self, selection: Selection, left: Action, right: Action) -> bool:
        """Take up that a space has another one in some of its rows and columns."""
        whole, piece = (left, right) if selection.transposed else (right, left)
        (((S, flipped), factor),), (((P, turned), own),) = whole.terms.items(), piece.terms.items()
        ratio = own * factor  # both are 1 or -1
        if {abs(own), abs(factor)} != {1} or S is P:
            return False
        found = (selection.chosen, P, flipped != turned, int(ratio))
        listed = self.parts.setdefault(S, [])
        if found not in listed:
            listed.append(found)
        return len({chosen for chosen, *_ in listed}) == len(listed)
