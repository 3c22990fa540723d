"""Published models: networks of the config.json that comes with their weights."""

from algatt.loading import load_below

load_below(__name__)

from algatt.published import families
from algatt.published.base import Family, model_types
from algatt.published.fields import Fields
from algatt.published.models import read, scaled
from algatt.published.stored import Stored
from algatt.published.weights import weights

__all__ = ["Family", "Fields", "Stored", "families", "model_types", "read", "scaled", "weights"]
