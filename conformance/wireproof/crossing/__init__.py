"""Each value of the corpus at each place where a clause lets a value pass."""

from wireproof.crossing._given import MOST_VALUES, Given, given_at, packs
from wireproof.crossing._steps import is_place, steps_with

__all__ = [
    "MOST_VALUES",
    "Given",
    "given_at",
    "is_place",
    "packs",
    "steps_with",
]
