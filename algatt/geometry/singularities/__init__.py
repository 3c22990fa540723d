"""Where the space of functions is singular: singular and boundary points, tangent spaces, distances."""
