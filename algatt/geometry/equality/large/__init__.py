"""Elements between two points of a network of any size over the reals, and whether they are one function."""
