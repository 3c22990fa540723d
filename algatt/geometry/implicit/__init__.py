"""Beyond the dimension: coefficients, the linear span, the Hilbert function and the equations of a neuromanifold."""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.geometry.implicit.coefficients import coefficients as coefficients
    from algatt.geometry.implicit.equations import equations as equations
    from algatt.geometry.implicit.hilbert_function import hilbert_function as hilbert_function
    from algatt.geometry.implicit.learning_coefficient import learning_coefficient as learning_coefficient
    from algatt.geometry.implicit.span import span as span

on_demand(__name__)
