"""A comparison of two points of a network as an html page."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.views.comparison.page import page as page

on_demand(__name__)
