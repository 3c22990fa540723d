"""Ways from products to attention weights of other papers: sinks, features of keys and queries, decays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.layers.weightings.feature_map import FeatureMap as FeatureMap
    from algatt.layers.weightings.retention import Retention as Retention
    from algatt.layers.weightings.sink import Sink as Sink

on_demand(
    __name__,
    {
        "algatt.layers.weightings.feature_map": "FeatureMap",
        "algatt.layers.weightings.retention": "Retention",
        "algatt.layers.weightings.sink": "Sink",
    },
)
