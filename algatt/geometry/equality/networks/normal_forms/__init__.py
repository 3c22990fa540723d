"""Normal forms of the weights of networks of layers."""

from algatt.geometry.equality.networks.normal_forms import normal_form
from algatt.geometry.equality.networks.normal_forms.network_form import NetworkNormalForm

__all__ = ["NetworkNormalForm", "normal_form"]
