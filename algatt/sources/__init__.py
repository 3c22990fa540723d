"""One way in: whatever holds a network, its weights, or a certificate."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.sources.front_door import load as load
    from algatt.sources.loaded import Loaded as Loaded

on_demand(__name__)
