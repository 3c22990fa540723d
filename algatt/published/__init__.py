"""Published models: networks of the config.json that comes with their weights."""

from algatt.loading import load_below

load_below(__name__)

from algatt.published import families
from algatt.published.base import Family, model_types
from algatt.published.components import Component
from algatt.published.fields import Fields
from algatt.published.models import read, scaled
from algatt.published.scaled_proofs import ScaledProof, prove_scaled
from algatt.published.stored import Stored
from algatt.published.weights import checkpoint_tensors, weights
from algatt.published.worth import ParameterReport, parameters

__all__ = [
    "Component",
    "Family",
    "Fields",
    "ParameterReport",
    "ScaledProof",
    "Stored",
    "checkpoint_tensors",
    "families",
    "model_types",
    "parameters",
    "prove_scaled",
    "read",
    "scaled",
    "weights",
]
