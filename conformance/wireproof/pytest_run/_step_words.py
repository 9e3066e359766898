"""The steps of a vector in words, as ``--explain`` tells them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wireproof.patterns import in_line, in_words, is_array

if TYPE_CHECKING:
    from collections.abc import Mapping

SHOWN = 400
"""Most characters of a message or of a pattern."""


def step_words(step: Mapping[str, Any]) -> str:
    """Return a step in a sentence: what is sent, or what has to come."""
    where = f" on the connection {step['on']}" if "on" in step else ""
    return f"{_action(step)}{where}{_beside(step)}"


def _action(step: Mapping[str, Any]) -> str:
    match step:
        case {"op": str(name), "expect": pattern}:
            given = {k: v for k, v in step.items() if k not in {"op", "expect"}}
            return f"call {name} with {_shown(given)} and expect {_shown(pattern)}"
        case {"send": message}:
            return f"send {_shown(message)}"
        case {"send_many": [*messages]}:
            return f"send in one write {', '.join(map(_shown, messages))}"
        case {"send_raw": [*pieces]}:
            return f"send the bytes {' '.join(map(_piece, pieces))}"
        case {"expect": pattern, "times": int(times)}:
            return f"expect {times} times {_shown(pattern)}"
        case {"expect": pattern}:
            return f"expect {_shown(pattern)}"
        case {"expect_optional": {"$one_of": []}}:
            return "expect that nothing else comes"
        case {"expect_optional": pattern}:
            return f"what else comes, if anything, has to be {_shown(pattern)}"
        case {"order": [*names]}:
            apart = (
                f", {step['apart_ms']} ms apart or more" if "apart_ms" in step else ""
            )
            order = f"expect that the responses came in the order {', '.join(names)}"
            return f"{order}{apart}"
        case {"gap": {"id": str(name), "at_least_ms": int(least)}}:
            return f"expect an event of {name} {least} ms before its response"
        case {"fence": _}:
            return "send a plain valid request and expect its success"
        case {"op": "load", "input": given}:
            # The files are written by the suite; a runtime gets their paths.
            files = (
                f"{key}, the path of {_file_of(one)}" for key, one in given.items()
            )
            return f"call load with {' and '.join(files)}{_outcome(step)}"
        case {"op": str(name), "input": given}:
            return f"call {name} with {_shown(given)}{_outcome(step)}"
        case _:
            return _of_a_process(step)


def _file_of(content: Any) -> str:
    """Tell what a file holds that the suite writes: YAML as it stands, or JSON."""
    if isinstance(content, str):
        return f"a file that holds the text {_shown(content)}"
    return f"a file that holds {_shown(content)}"


def _of_a_process(step: Mapping[str, Any]) -> str:
    """Tell what is done to the process, its connections or its files."""
    action, value = next(iter(step.items()))
    match action:
        case "close_input":
            return "close its input"
        case "restart":
            return "start it again"
        case "terminate":
            return "send SIGTERM"
        case "kill":
            return "kill it"
        case "second":
            return "start a second server of the same command on the same path"
        case "neighbour":
            return "start a server of the same command on another path, and end it"
        case "stand_in":
            return "put another socket where its own is"
        case "expect_stand_in":
            return "expect that the other socket is still there"
        case "serves_new":
            return "expect that new connections are served"
        case "took":
            least = value["at_least_ms"]
            return f"expect that {value['id']} took {least} ms or more"
        case "flood":
            bound = step["grows_at_most"]
            return (
                f"send {value} MiB of a line that has no end; at most {bound} are kept"
            )
        case "expect_mode":
            return "expect that only its owner may use the socket file"
        case "expect_closed":
            return "expect that it closes the connection"
        case "expect_exit":
            status = f" with status {value['status']}" if "status" in value else ""
            return f"expect that it exits{status}"
        case "poll":
            return f"send {_shown(value)} until {_shown(step['until'])} comes"
        case "expect_lines" | "expect_file":
            return f"expect in {value} {_shown(step['match'])}"
        case "expect_no_text":
            return f"expect that {value} does not hold {_shown(step['text'])}"
        case "expect_no_file":
            return f"expect that there is no file {_plain(value)}"
        case "write_file":
            return f"write {_shown(step.get('json', step.get('text')))} to {value}"
        case "disconnect" if "unread" in step:
            return f"disconnect {_plain(value)} while an answer is unread"
        case _:
            # connect and disconnect: the word is the action.
            return f"{action.replace('_', ' ')} {_plain(value)}"


def _outcome(step: Mapping[str, Any]) -> str:
    told = ""
    if "expected" in step:
        told = f" and expect {_shown(step['expected'])}"
    if "error" in step:
        names = ", ".join(map(_mention, step["error"]["mentions"]))
        told += " or an error" if told else " and expect an error"
        told += f" that names {names}" if names else ""
    return told


def _mention(text: Any) -> str:
    """Name what an error has to hold: a text, one of several, or a drawn value."""
    if isinstance(text, str):
        return text
    return " or ".join(text) if is_array(text) else _shown(text)


def _beside(step: Mapping[str, Any]) -> str:
    told = ""
    match step.get("cut"):
        case None:
            pass
        case "every-byte":
            told += ", one byte a write"
        case cut:
            told += f", cut at byte {', '.join(map(str, cut))}"
    if step.get("or") == "closed":
        told += ", or that it closes the connection"
    if "record" in step:
        told += f", and record which it is: {', '.join(step['record'])}"
    if "within_ms" in step:
        told += f", within {step['within_ms']} ms"
    return told


def _piece(piece: Mapping[str, Any]) -> str:
    times = f" {piece['times']} times" if "times" in piece else ""
    data = piece.get("text", piece.get("base64"))
    kind = "base64 " if "base64" in piece else ""
    return f"{kind}{in_line(data, SHOWN)}{times}"


def _shown(value: Any) -> str:
    return in_line(in_words(value), SHOWN)


def _plain(value: Any) -> str:
    shown = in_words(value)
    return shown if isinstance(shown, str) else in_line(shown)
