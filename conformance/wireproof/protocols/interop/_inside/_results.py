"""Results of a format that a contribution brings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._objects import ACME_RESULT, Json, accessor_of, adapter_of, giving, is_object
from ._subject_view import Unexpected

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ._subject_view import SubjectView


def is_acme_result(found: Any) -> bool:
    """Tell whether a result is of that format."""
    return is_object(found) and found.get("format") == "acme.results"


def acme_results(view: SubjectView, ways: Mapping[str, Any]) -> Any:
    """Contribute results of a format of its own, and what they become for targets."""
    accessor = accessor_of(
        "result",
        "acme.results",
        is_acme_result,
        content=ACME_RESULT["content"],
    )
    return view.contribution(
        result_accessors=[accessor],
        result_adapters=[
            adapter_of("acme.results", target, giving(given))
            for target, given in ways.items()
        ],
    )


def in_either_form(
    view: SubjectView, trial: Callable[[Callable[[Json], Any]], None]
) -> None:
    """Carry out a trial whose adapters give an envelope, else content.

    No document says which of the two an adapter of results gives.
    """
    try:
        trial(lambda envelope: envelope)
    except Unexpected as error:
        try:
            trial(lambda envelope: envelope["content"])
        except Unexpected:
            raise error from None
