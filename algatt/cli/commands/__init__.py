"""The commands, a file for each; they are imported when they are run, so that ``algatt --help`` waits for none."""

from __future__ import annotations

import importlib
from types import ModuleType

GROUPS = {
    "networks": {
        "dimension": "compute how many independent directions the functions of a network have",
        "symmetries": "list the symmetries: changes of the weights that keep the function",
        "conservation-laws": "list the quantities that gradient flow conserves, and say whether there are more",
        "equations": "find the polynomial equations that the functions of a network satisfy",
        "degree": "compute the degree of the closure of the set of functions of a network",
        "identify": "find weights whose function has given coefficients, or an equation that these violate",
        "hilbert-function": "count independent products of coefficients, degree by degree",
        "export": "write a network for SymPy, Macaulay2, Singular, Sage, Oscar or LaTeX",
        "jacobian-spectrum": "compute the rank in floating point, and say whether to trust it",
        "draw": "draw a network as a picture, a page or text",
        "program": "print the operations of a network, one on each line",
        "layers": "list the available layers, masks, positions and activations",
        "tree": "draw the recursion of a deep network as a tree",
        "methods": "list the methods of a verb",
    },
    "checkpoints and configs": {
        "parameters": "count the redundant parameters of a published model",
        "compare": "decide whether two sets of weights compute the same function",
        "align": "move a checkpoint by a symmetry close to another one",
        "transform": "rewrite a checkpoint with the same values: norms folded, means centred, a stream rotated",
        "move": "move a checkpoint by a random symmetry",
        "canonical": "write the normal form of weights, or of a checkpoint",
        "fiber": "describe all weights with the same function as given ones",
        "invariants": "compute numbers of checkpoints that no symmetry changes, and compare them",
        "drift": "measure how conserved quantities changed between checkpoints of a training run",
    },
    "certificates": {
        "certify": "write a checkable proof of a dimension or a symmetry",
        "verify": "check a certificate",
    },
    "flows and spectra": {
        "flow": "follow attention as a flow of tokens on the sphere",
        "attention-spectrum": "compute singular values of random attention matrices, or yours, and their limit law",
    },
    "sweeps": {
        "sweep": "ask one question about many architectures, and record the answers",
        "table": "print the answers of a sweep",
        "report": "summarize a sweep and list unanswered questions",
        "fit-formula": "guess a formula that fits all answers of a sweep",
    },
}
"""Names of the commands, by the kind of question, with what each does, in the order of ``algatt --help``."""

COMMANDS = {name: summary for group in GROUPS.values() for name, summary in group.items()}
"""Names of all commands, with what each does."""


def command_of(name: str) -> ModuleType:
    """Import a command."""
    return importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
