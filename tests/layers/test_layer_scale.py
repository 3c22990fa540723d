"""LayerScale: a factor for each row (arXiv 2103.17239, equation 3)."""

from algatt.layers import LayerScale


def test_each_row_is_multiplied_by_its_factor(is_value):
    G, X = [[2], [-3], [0]], [[1, 4], [5, 6], [7, 8]]
    is_value(LayerScale(), {"scale.g": G}, X, [[g * entry for entry in row] for (g,), row in zip(G, X, strict=True)])
