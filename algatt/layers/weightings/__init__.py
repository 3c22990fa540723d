"""Ways from products to attention weights of other papers: sinks, features of keys and queries, decays."""

from algatt.layers.weightings.feature_map import FeatureMap
from algatt.layers.weightings.retention import Retention
from algatt.layers.weightings.sink import Sink

__all__ = ["FeatureMap", "Retention", "Sink"]
