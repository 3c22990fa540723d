"""Angles of rotary positions that are scaled for long inputs, by the rules that configs name."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from algatt.arguments import entries, positive
from algatt.errors import InvalidArgument
from algatt.published.fields import Fields


@dataclass(frozen=True)
class Unscaled:
    r"""What a rule starts from.

    Parameters
    ----------
    fields, part : Fields
        Of the config, and of its part about rotary positions.
    base : float
        The angles are :math:`base^{-2 f / rows}`, before they are scaled.
    rows : int
        How many rows of queries and keys are turned.
    """

    fields: Fields
    part: Fields
    base: float
    rows: int

    @property
    def angles(self) -> tuple[float, ...]:
        """The angle of each pair."""
        return tuple(self.base ** (-2 * pair / self.rows) for pair in range(self.rows // 2))

    @property
    def context(self) -> int:
        """The number of tokens for which the model was trained before its angles were scaled."""
        name = "original_max_position_embeddings"
        if self.fields.optional(name) is not None:
            return self.fields.whole(name)
        return self.part.optional(name) or self.fields.whole("max_position_embeddings")

    def stretch(self) -> float:
        """Return by how much the context is longer: a field, or the quotient of both contexts."""
        if self.part.values.get("factor") is not None:
            return self.part.positive("factor")
        return self.fields.whole("max_position_embeddings") / self.context


Scaled = tuple[tuple[float, ...], float]
"""Angles, and the factor of the rows that are turned."""


def linear(start: Unscaled) -> Scaled:
    """All angles are divided by a number (Chen et al., arXiv 2306.15595)."""
    factor = start.part.positive("factor")
    return tuple(angle / factor for angle in start.angles), 1.0


def dynamic(start: Unscaled) -> Scaled:
    """The base grows with the length of the input, once that is over the context."""
    factor, context = start.part.positive("factor"), start.fields.whole("max_position_embeddings")
    longer = max(start.fields.tokens, context) / context
    if longer == 1:
        return start.angles, 1.0
    if start.rows == 2:
        raise InvalidArgument("rope_type", "'dynamic' with two rows that are turned", "another one, or more rows")
    grown = factor * longer - (factor - 1)
    if grown <= 0:
        raise InvalidArgument(f"{start.part.path}factor", repr(factor), "a number >= 1")
    base = start.base * grown ** (start.rows / (start.rows - 2))
    return Unscaled(start.fields, start.part, base, start.rows).angles, 1.0


def llama3(start: Unscaled) -> Scaled:
    """Angles that turn seldom in the context are divided by a number, others are not; between them there is a ramp."""
    factor = start.part.positive("factor")
    low, high = start.part.positive("low_freq_factor"), start.part.positive("high_freq_factor")
    if high <= low:
        raise InvalidArgument(f"{start.part.path}high_freq_factor", repr(high), f"over low_freq_factor, which is {low}")

    def scaled(angle: float) -> float:
        turns = start.context * angle / (2 * math.pi)
        share = min(max((turns - low) / (high - low), 0), 1)
        return (1 - share) * angle / factor + share * angle

    return tuple(map(scaled, start.angles)), 1.0


def yarn(start: Unscaled) -> Scaled:
    """Angles of the first pairs are not divided, those of the last are, with a ramp between them; rows that are turned
    have a factor (Peng et al., arXiv 2309.00071).
    """
    part, factor = start.part, start.stretch()

    def grown(amount: float) -> float:
        return 0.1 * amount * math.log(factor) + 1 if factor > 1 else 1.0

    both = [part.not_negative(name, 0) for name in ("mscale", "mscale_all_dim")]
    usual = grown(both[0]) / grown(both[1]) if all(both) else grown(1)
    attention = part.positive("attention_factor", usual)

    def pair_that_turns(times: float) -> float:
        return start.rows * math.log(start.context / (times * 2 * math.pi)) / (2 * math.log(start.base))

    if start.base == 1:
        raise InvalidArgument("rope_theta", "1, of which all angles are one", "another base")
    first = pair_that_turns(part.not_negative("beta_fast", 32) or 32)
    last = pair_that_turns(part.not_negative("beta_slow", 1) or 1)
    if part.truth("truncate", True):
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, start.rows - 1)
    width = last - first if last != first else 0.001  # as the library has it

    def scaled(pair: int, angle: float) -> float:
        share = min(max((pair - first) / width, 0), 1)
        return angle / factor * share + angle * (1 - share)

    return tuple(scaled(pair, angle) for pair, angle in enumerate(start.angles)), attention


def longrope(start: Unscaled) -> Scaled:
    """Each angle is divided by a number of its own, another one where the input is longer than the context; rows that
    are turned have a factor (Ding et al., arXiv 2402.13753).
    """
    factor, context = start.stretch(), start.context
    usual = math.sqrt(1 + math.log(factor) / math.log(context)) if factor > 1 and context > 1 else 1.0
    attention = start.part.positive("attention_factor", usual)
    lists = {name: divisors(start, name) for name in ("short_factor", "long_factor")}
    chosen = lists["long_factor" if start.fields.tokens > context else "short_factor"]
    return tuple(angle / one for angle, one in zip(start.angles, chosen, strict=True)), attention


def divisors(start: Unscaled, name: str) -> list[float]:
    """Return the numbers of a list, one for each pair."""
    pairs = start.rows // 2
    should = f"a list of {pairs} positive numbers, one for each pair of rows that are turned"
    path = f"{start.part.path}{name}"
    numbers = entries(path, start.part.get(name, should), should)
    if len(numbers) != pairs:
        raise InvalidArgument(path, f"a list of {len(numbers)}", should)
    return [float(positive(f"{path}[{place}]", one)) for place, one in enumerate(numbers)]


RULES: dict[str, Callable[[Unscaled], Scaled]] = {
    "linear": linear,
    "dynamic": dynamic,
    "llama3": llama3,
    "yarn": yarn,
    "longrope": longrope,
}
"""The rules by the names that configs have for them."""
