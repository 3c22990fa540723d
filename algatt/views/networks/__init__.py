"""Networks of layers: their pictures, their pages and their files."""

from algatt.views.networks.figures import drawing, svg

__all__ = ["drawing", "svg"]
