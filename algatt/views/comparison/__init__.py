"""A comparison of two points of a network as an html page."""

from algatt.views.comparison.page import page

__all__ = ["page"]
