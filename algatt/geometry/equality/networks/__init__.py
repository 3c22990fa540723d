"""The element of the group of a network that carries one point to another, and normal forms."""
