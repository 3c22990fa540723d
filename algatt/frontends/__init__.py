"""Front ends: models of other libraries as networks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.frontends.torch import from_torch as from_torch
    from algatt.frontends.torch import load_into as load_into
    from algatt.frontends.torch import weights_of as weights_of

on_demand(
    __name__,
    {
        "algatt.frontends.torch": "from_torch load_into weights_of",
    },
)
