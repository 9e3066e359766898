"""Which values of the corpus stand at a place: a vector that has `values`."""

from typing import TYPE_CHECKING, Any

from ._data import load_corpus

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from ._model import JSON, CorpusValue


def values_at(
    data: "Mapping[str, JSON]", taken: "Collection[str]" = ()
) -> "tuple[CorpusValue, ...]":
    """Choose the values that stand at a place.

    Args:
        data: the vector, with the key `values`: `kinds`, and where given `tags` or
            `names` of those that stand there and `without` of those that do not.
        taken: strings that mean something to the subject, such as the names of its
            tools, which do not stand at a place that has `unlisted`.

    Returns:
        The values in the order of the corpus.
    """
    chosen: Any = data["values"]
    without = set(chosen.get("without", ()))
    known = frozenset(taken) if chosen.get("unlisted") else frozenset[str]()

    def stands(value: "CorpusValue") -> bool:
        if value.kind not in chosen["kinds"]:
            return False
        if not without.isdisjoint(value.tags | {value.name}):
            return False
        if isinstance(value.value, str) and value.value in known:
            return False
        if "tags" not in chosen and "names" not in chosen:
            return True
        wanted = {*chosen.get("tags", ()), *chosen.get("names", ())}
        return not wanted.isdisjoint(value.tags | {value.name})

    return tuple(value for value in load_corpus() if stands(value))
