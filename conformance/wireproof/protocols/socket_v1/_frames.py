"""What a frame of a server is to what waits for it: an answer, an event, a stray."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import expand, is_array, is_object

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wireproof.protocols.socket_v1._ledger import SocketArrival, SocketLedger

_JSON = ("{", "[")
"""How the text begins that is, or was, that of an object, or what a language makes of
one."""


def fits(
    pattern: Any, ledger: SocketLedger, names: Mapping[str, Any]
) -> Callable[[SocketArrival], bool]:
    """Return what tells the frames that a pattern may be held to.

    They are those under its ``requestId``, or under its ``type`` where it has none;
    where the id is one of several, an ``error`` without one will do as well.

    Args:
        pattern: The pattern.
        ledger: That of the connection on which it is expected.
        names: What ``$use`` may name.
    """
    key = pattern.get("requestId") if is_object(pattern) else None
    kind = pattern.get("type") if is_object(pattern) else None
    texts = _ids_in(pattern, names)
    if not texts:
        return lambda frame: frame.kind == kind and not is_ours(frame, ledger)
    errors = is_object(key) and "$one_of" in key

    def fit(frame: SocketArrival) -> bool:
        if frame.key in texts:
            return True
        return errors and frame.kind == "error" and not is_ours(frame, ledger)

    return fit


def is_for_another(
    frame: SocketArrival, pattern: Any, ledger: SocketLedger, names: Mapping[str, Any]
) -> bool:
    """Tell whether a frame names a line that is no request, and not the pattern's.

    Errors that have an id come in any order.
    """
    texts = _ids_in(pattern, names)
    return bool(texts) and frame.key in ledger.bad_ids and frame.key not in texts


def _ids_in(pattern: Any, names: Mapping[str, Any]) -> set[str]:
    """Return the request ids that a pattern allows; none where it names none."""
    key = pattern.get("requestId") if is_object(pattern) else None
    keys: list[Any] = [key]
    if is_object(key):
        choices = key.get("$one_of")
        keys = choices if is_array(choices) else [expand(key, names)]
    return {one for one in keys if isinstance(one, str)}


def is_the_servers_own(frame: SocketArrival, pattern: Any) -> bool:
    """Tell whether a frame is an event that a server may send beside those of a tool.

    The tools of the toolset emit ``progress`` only, of which the message is an object's
    JSON text (SOCK-C1, SOCK-E1); a server may say as well how far a call has come.
    """
    event = frame.value.get("event") if frame.kind == "tool_event" else None
    if not is_object(event):
        return False
    wanted = pattern.get("event") if is_object(pattern) else None
    wanted = wanted if is_object(wanted) else {}
    kind, message = event.get("kind"), event.get("message")
    is_wanted = wanted.get("kind") == kind
    if kind != "progress":
        return isinstance(kind, str) and not is_wanted
    if is_wanted and wanted.get("message") in (None, message):
        return False
    is_text = isinstance(message, str)
    return message is None or (is_text and not message.lstrip().startswith(_JSON))


def is_ours(frame: SocketArrival, ledger: SocketLedger) -> bool:
    """Tell whether a frame has the id of some line that was written here."""
    return frame.key is not None and (
        frame.key in ledger.asked or frame.key in ledger.bad_ids
    )


def may_hide_an_answer(frame: SocketArrival) -> bool:
    """Tell whether a frame is so wrong that it may be an answer all the same."""
    return any(one.hides for one in frame.deviations)


def is_stray(frame: SocketArrival, ledger: SocketLedger) -> bool:
    """Tell whether a frame is an answer that names none of our requests."""
    return frame.kind != "tools_list" and (
        not is_ours(frame, ledger) or frame.key in ledger.bad_ids
    )


def succeeded(answer: SocketArrival) -> bool:
    """Tell whether the answer to a control is the success that it should be."""
    if answer.kind == "tools_list":
        return is_array(answer.value.get("tools"))
    result = answer.value.get("result") if is_object(answer.value) else None
    return is_object(result) and result.get("ok") is True


def tools_by_name(tools: list[Any]) -> dict[str, Any]:
    """Return what a list of tools says of each, by its name."""
    return {
        tool["name"]: tool
        for tool in tools
        if is_object(tool) and isinstance(tool.get("name"), str)
    }
