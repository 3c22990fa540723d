"""Identities by which programs are rewritten, by the operation that they begin with: tried in order as an instruction
is about to be written, each returns the result that takes its place, or None.
"""

from __future__ import annotations

from collections.abc import Callable

from algatt.programs.identities.choices import largest_of_exponentials
from algatt.programs.identities.entries import (
    beside_factors,
    exponential_of_zeros,
    gate_of_gated,
    gate_twice,
    is_total,
    like_terms,
    more_of_the_largest,
    numbers_added,
    numbers_before_joined,
    numbers_before_turns,
    numbers_in_front,
    numbers_of_lengths,
    reciprocal_of_constant,
    reciprocal_of_exponential,
    reciprocal_of_multiple,
    root_of_multiple,
    root_of_reciprocal,
    sigmoid_of_exponentials,
    sigmoid_of_quotient,
    tanh_of_exponentials,
    tanh_of_two_exponentials,
    turned_by_tables,
)
from algatt.programs.identities.matrices import (
    centred_factor,
    centred_twice,
    centring_matrix,
    chosen_columns,
    column_outside,
    columns_beside_zeros,
    exponentials_of_joined,
    keys_of_products,
    mask_before_exponential,
    mean_square_less_square_of_mean,
    normalised_values,
    product_from_the_right,
    rows_joined,
    shift_before_softmax,
    spread_column,
    sums_before_weights,
    values_before_queries,
    weights_added_to_joined,
)
from algatt.programs.identities.turns import joined_by_tables

__all__ = ["IDENTITIES", "is_total"]

Identity = Callable[..., int | None]

IDENTITIES: dict[str, tuple[Identity, ...]] = {
    "reciprocal": (
        reciprocal_of_constant,
        sigmoid_of_exponentials,
        reciprocal_of_exponential,
        reciprocal_of_multiple,
    ),
    "exp": (exponential_of_zeros, exponentials_of_joined),
    "sqrt": (root_of_multiple, root_of_reciprocal),
    "positive": (gate_of_gated,),
    "multiply": (
        gate_twice,
        numbers_in_front,
        sigmoid_of_quotient,
        beside_factors,
        tanh_of_exponentials,
        tanh_of_two_exponentials,
        mask_before_exponential,
        shift_before_softmax,
        normalised_values,
        column_outside,
    ),
    "add": (
        numbers_added,
        more_of_the_largest,
        like_terms,
        spread_column,
        mean_square_less_square_of_mean,
        weights_added_to_joined,
        turned_by_tables,
    ),
    "column_products": (numbers_of_lengths, centred_factor),
    "product": (
        centring_matrix,
        chosen_columns,
        rows_joined,
        product_from_the_right,
        sums_before_weights,
        values_before_queries,
        keys_of_products,
    ),
    "centre": (centred_twice,),
    "largest": (largest_of_exponentials,),
    "rotate": (numbers_before_turns,),
    "concatenate": (columns_beside_zeros, numbers_before_joined, joined_by_tables),
}
"""The identities by operation."""
