"""The vocabulary: every generic function of the package, declared once and without a body.

Each verb chooses its method by the types of all its positional arguments; the methods are written beside the nouns that
they are about. ``algatt.methods(verb)`` lists them. Keyword-only parameters are options and take no part in the choice.
Where a verb is exact over one field and numerical over another, its docstring says so.
"""

from typing import TYPE_CHECKING

from algatt.loading import on_demand

if TYPE_CHECKING:
    from algatt.verbs.arithmetic import add as add
    from algatt.verbs.arithmetic import centre as centre
    from algatt.verbs.arithmetic import circle_points as circle_points
    from algatt.verbs.arithmetic import column_maximum as column_maximum
    from algatt.verbs.arithmetic import column_products as column_products
    from algatt.verbs.arithmetic import concatenate as concatenate
    from algatt.verbs.arithmetic import decode as decode
    from algatt.verbs.arithmetic import draw_array as draw_array
    from algatt.verbs.arithmetic import embed as embed
    from algatt.verbs.arithmetic import encode as encode
    from algatt.verbs.arithmetic import entrywise as entrywise
    from algatt.verbs.arithmetic import largest as largest
    from algatt.verbs.arithmetic import multiply as multiply
    from algatt.verbs.arithmetic import negate as negate
    from algatt.verbs.arithmetic import product as product
    from algatt.verbs.arithmetic import reciprocal as reciprocal
    from algatt.verbs.arithmetic import rotate as rotate
    from algatt.verbs.arithmetic import slope as slope
    from algatt.verbs.arithmetic import take as take
    from algatt.verbs.arithmetic import transpose as transpose
    from algatt.verbs.attention import activate_in_place as activate_in_place
    from algatt.verbs.attention import activation_slopes as activation_slopes
    from algatt.verbs.attention import backward_sums as backward_sums
    from algatt.verbs.attention import equiangular_weights as equiangular_weights
    from algatt.verbs.attention import head_values as head_values
    from algatt.verbs.attention import is_normalised as is_normalised
    from algatt.verbs.attention import lift as lift
    from algatt.verbs.attention import lift_keys as lift_keys
    from algatt.verbs.attention import potential as potential
    from algatt.verbs.attention import score_factors as score_factors
    from algatt.verbs.attention import temperature as temperature
    from algatt.verbs.attention import weigh as weigh
    from algatt.verbs.certificates import certify as certify
    from algatt.verbs.certificates import verify as verify
    from algatt.verbs.checkpoints import rewrite as rewrite
    from algatt.verbs.dimensions import check_point as check_point
    from algatt.verbs.dimensions import fiber_dimensions as fiber_dimensions
    from algatt.verbs.dimensions import formulas as formulas
    from algatt.verbs.dimensions import gradients_where_defined as gradients_where_defined
    from algatt.verbs.dimensions import jacobian_where_defined as jacobian_where_defined
    from algatt.verbs.dimensions import measure_at as measure_at
    from algatt.verbs.dimensions import measure_over as measure_over
    from algatt.verbs.dimensions import sizes_over as sizes_over
    from algatt.verbs.dynamics import radial_dominance as radial_dominance
    from algatt.verbs.dynamics import radial_shadow as radial_shadow
    from algatt.verbs.dynamics import velocity as velocity
    from algatt.verbs.energies import energy as energy
    from algatt.verbs.energies import entropy as entropy
    from algatt.verbs.energies import entropy_rate as entropy_rate
    from algatt.verbs.identifiability import canonical as canonical
    from algatt.verbs.identifiability import fiber as fiber
    from algatt.verbs.identifiability import normal_form_map as normal_form_map
    from algatt.verbs.identifiability import quadratic_forms as quadratic_forms
    from algatt.verbs.identifiability import unexplained_kernel as unexplained_kernel
    from algatt.verbs.layers import activate as activate
    from algatt.verbs.layers import apply as apply
    from algatt.verbs.layers import attend as attend
    from algatt.verbs.layers import attention_weights as attention_weights
    from algatt.verbs.layers import bias_scores as bias_scores
    from algatt.verbs.layers import mask_matrix as mask_matrix
    from algatt.verbs.layers import normalize_heads as normalize_heads
    from algatt.verbs.layers import read as read
    from algatt.verbs.layers import route as route
    from algatt.verbs.layers import score_of_head as score_of_head
    from algatt.verbs.layers import source as source
    from algatt.verbs.layers import tensors as tensors
    from algatt.verbs.layers import turn as turn
    from algatt.verbs.layers import vocabulary as vocabulary
    from algatt.verbs.linear_algebra import arithmetic_of as arithmetic_of
    from algatt.verbs.linear_algebra import echelon as echelon
    from algatt.verbs.linear_algebra import exact_rank as exact_rank
    from algatt.verbs.linear_algebra import inverse as inverse
    from algatt.verbs.linear_algebra import inverse_over as inverse_over
    from algatt.verbs.linear_algebra import is_regular as is_regular
    from algatt.verbs.linear_algebra import kernel as kernel
    from algatt.verbs.linear_algebra import kernel_of_rank_over as kernel_of_rank_over
    from algatt.verbs.linear_algebra import kernel_over as kernel_over
    from algatt.verbs.linear_algebra import rank as rank
    from algatt.verbs.linear_algebra import rank_over as rank_over
    from algatt.verbs.linear_algebra import root as root
    from algatt.verbs.linear_algebra import row_form_over as row_form_over
    from algatt.verbs.linear_algebra import row_reduce as row_reduce
    from algatt.verbs.maps import evaluate as evaluate
    from algatt.verbs.maps import has_function as has_function
    from algatt.verbs.maps import jacobian as jacobian
    from algatt.verbs.maps import program_graph as program_graph
    from algatt.verbs.maps import wide_field as wide_field
    from algatt.verbs.parameters import convert as convert
    from algatt.verbs.parameters import coordinates as coordinates
    from algatt.verbs.parameters import expression as expression
    from algatt.verbs.parameters import sample as sample
    from algatt.verbs.parameters import shapes as shapes
    from algatt.verbs.singular import boundary_distance as boundary_distance
    from algatt.verbs.singular import is_boundary as is_boundary
    from algatt.verbs.singular import is_critical as is_critical
    from algatt.verbs.singular import is_singular as is_singular
    from algatt.verbs.singular import singular_distance as singular_distance
    from algatt.verbs.singular import tangent_space as tangent_space
    from algatt.verbs.spectra import attention_matrix as attention_matrix
    from algatt.verbs.spectra import cdf as cdf
    from algatt.verbs.spectra import density as density
    from algatt.verbs.spectra import finite_law as finite_law
    from algatt.verbs.spectra import free_cumulants as free_cumulants
    from algatt.verbs.spectra import kolmogorov_distance as kolmogorov_distance
    from algatt.verbs.spectra import limit_law as limit_law
    from algatt.verbs.spectra import moments as moments
    from algatt.verbs.spectra import quantile as quantile
    from algatt.verbs.spectra import sample_matrix as sample_matrix
    from algatt.verbs.spectra import squared_singular_values as squared_singular_values
    from algatt.verbs.spectra import stieltjes as stieltjes
    from algatt.verbs.spectra import support as support
    from algatt.verbs.spectra import wasserstein_distance as wasserstein_distance
    from algatt.verbs.symmetry import act as act
    from algatt.verbs.symmetry import compose as compose
    from algatt.verbs.symmetry import discrete_symmetries as discrete_symmetries
    from algatt.verbs.symmetry import element_of as element_of
    from algatt.verbs.symmetry import exponential as exponential
    from algatt.verbs.symmetry import group_of as group_of
    from algatt.verbs.symmetry import identity as identity
    from algatt.verbs.symmetry import members as members
    from algatt.verbs.symmetry import orbit_dimension as orbit_dimension
    from algatt.verbs.symmetry import standard_element as standard_element
    from algatt.verbs.symmetry import symbolic_symmetries as symbolic_symmetries
    from algatt.verbs.symmetry import symmetries as symmetries
    from algatt.verbs.trees import factors as factors
    from algatt.verbs.trees import unroll as unroll
    from algatt.verbs.views import draw as draw
    from algatt.verbs.views import summarize as summarize

on_demand(__name__)
