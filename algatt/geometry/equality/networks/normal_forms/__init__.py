"""Normal forms of the weights of networks of layers."""
