"""Published models: networks of the config.json that comes with their weights."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.published.base import ModelFamily as ModelFamily
    from algatt.published.base import model_types as model_types
    from algatt.published.components import Component as Component
    from algatt.published.fields import Fields as Fields
    from algatt.published.known import known_models as known_models
    from algatt.published.models import read as read
    from algatt.published.models import scaled as scaled
    from algatt.published.scaled_proofs import ScaledProof as ScaledProof
    from algatt.published.scaled_proofs import prove_scaled as prove_scaled
    from algatt.published.stored import Stored as Stored
    from algatt.published.weights import checkpoint_tensors as checkpoint_tensors
    from algatt.published.weights import weights as weights
    from algatt.published.worth import ParameterReport as ParameterReport
    from algatt.published.worth import parameters as parameters

on_demand(__name__)
