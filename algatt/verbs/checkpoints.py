"""Verbs of checkpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.dispatch import declare

if TYPE_CHECKING:
    from algatt.checkpoints.checkpoint import Checkpoint
    from algatt.checkpoints.conversions.base import Conversion


@declare
def rewrite(conversion: Conversion, checkpoint: Checkpoint, /) -> Checkpoint:
    """Return a checkpoint after a conversion, which is not checked: `algatt.checkpoints.transform` checks it.

    Parameters
    ----------
    conversion : Conversion
        What is done.
    checkpoint : Checkpoint
        A network with weights over the reals.

    Returns
    -------
    Checkpoint
        The network, which may be another one, with its weights, and the config that it is of.

    Raises
    ------
    InvalidArgument
        If the conversion would change the function, or there is nothing that it could do.
    """
