"""Normal forms of the weights of networks of layers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.equality.networks.normal_forms.network_form import NetworkNormalForm as NetworkNormalForm

on_demand(
    __name__,
    {
        "algatt.geometry.equality.networks.normal_forms.network_form": "NetworkNormalForm",
    },
)
