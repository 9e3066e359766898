"""Hosts in which JSON values do not survive: HV1-M10, and E4 for what they emit."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any, ClassVar

from tests.proof.host_v1.input_faults import FirstInText
from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.host_v1 import Host


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value with a change applied to each value inside, and to itself."""
    if isinstance(value, list):
        value = [mapped(item, change) for item in value]
    elif isinstance(value, dict):
        value = {key: mapped(item, change) for key, item in value.items()}
    return change(value)


class ValueHost(RewritingHost):
    """Changes values in tool results and payloads, at any depth."""

    def change(self, value: Any) -> Any:
        """Return what takes the place of a value."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        value = (frame.get("result") or {}).get("value")
        if isinstance(value, dict) and "success" in value:
            for key in ("result", "error"):
                if key in value:
                    value[key] = mapped(value[key], self.change)
        elif "event" in frame:
            event = frame["event"]
            event["payload"] = mapped(event["payload"], self.change)
        return frame


class TextHost(ValueHost):
    """Changes strings, and keys with them."""

    def change_text(self, text: str) -> str:
        """Return what takes the place of a string."""
        raise NotImplementedError

    def change(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.change_text(value)
        if isinstance(value, dict):
            return {self.change_text(key): item for key, item in value.items()}
        return value


@broken(
    "loses-proto",
    "HV1-M10",
    "loses the key __proto__",
)
class LosesProto(ValueHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            value.pop("__proto__", None)
        return value


@broken(
    "loses-nulls",
    "HV1-M10",
    "drops keys whose value is null",
)
class LosesNulls(ValueHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {key: item for key, item in value.items() if item is not None}
        return value


@broken(
    "loses-the-empty-key",
    "HV1-M10",
    "drops the empty key",
)
class LosesTheEmptyKey(ValueHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            value.pop("", None)
        return value


@broken(
    "empty-list-is-object",
    "HV1-M10",
    "writes an empty array as {}",
)
class EmptyListIsObject(ValueHost):
    def change(self, value: Any) -> Any:
        return {} if value == [] else value


@broken(
    "empty-object-is-list",
    "HV1-M10",
    "writes an empty object as []",
)
class EmptyObjectIsList(ValueHost):
    def change(self, value: Any) -> Any:
        return [] if value == {} else value


@broken(
    "rounds-to-53-bits",
    "HV1-M10",
    "rounds integers from 2^53 - 1 on",
)
class RoundsTo53Bits(ValueHost):
    def change(self, value: Any) -> Any:
        if type(value) is int and abs(value) >= 2**53 - 1:
            return value // 10 * 10
        return value


@broken(
    "minus-2-to-53",
    "HV1-M10",
    "is off by one at -2^53",
)
class MinusTwoTo53(ValueHost):
    def change(self, value: Any) -> Any:
        return value + 1 if type(value) is int and value == -(2**53) else value


@broken(
    "integers-of-32-bits",
    "HV1-M10",
    "wraps integers at 32 bits",
)
class IntegersOf32Bits(ValueHost):
    def change(self, value: Any) -> Any:
        if type(value) is int and abs(value) <= 2**53:
            return (value + 2**31) % 2**32 - 2**31
        return value


@broken(
    "single-precision",
    "HV1-M10",
    "rounds fractions to seven digits",
)
class SinglePrecision(ValueHost):
    def change(self, value: Any) -> Any:
        return float(f"{value:.7g}") if isinstance(value, float) else value


@broken(
    "six-decimals",
    "HV1-M10",
    "writes fractions with six decimals",
)
class SixDecimals(ValueHost):
    def change(self, value: Any) -> Any:
        return float(f"{value:.6f}") if isinstance(value, float) else value


@broken(
    "true-is-one",
    "HV1-M10",
    "writes true and false as 1 and 0",
)
class TrueIsOne(ValueHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        frame = super().rewrite(frame)
        result = (frame.get("result") or {}).get("value")
        if isinstance(result, dict) and result.get("result") == {"printed": 1}:
            result["result"] = {"printed": True}
        return frame

    def change(self, value: Any) -> Any:
        return int(value) if isinstance(value, bool) else value


@broken(
    "drops-line-separators",
    "HV1-M10",
    "drops U+2028 and U+2029",
)
class DropsLineSeparators(TextHost):
    def change_text(self, text: str) -> str:
        return text.replace("\u2028", "").replace("\u2029", "")


@broken(
    "drops-nul",
    "HV1-M10",
    "ends a string at U+0000",
)
class DropsNul(TextHost):
    def change_text(self, text: str) -> str:
        return text.partition("\0")[0]


@broken(
    "drops-controls",
    "HV1-M10",
    "drops control characters but white space",
)
class DropsControls(TextHost):
    def change_text(self, text: str) -> str:
        return "".join(
            c for c in text if unicodedata.category(c) != "Cc" or c in "\t\n\r"
        )


@broken(
    "drops-noncharacters",
    "HV1-M10",
    "replaces noncharacters",
)
class DropsNoncharacters(TextHost):
    def change_text(self, text: str) -> str:
        return "".join(
            "\ufffd" if ord(c) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(c) <= 0xFDEF else c
            for c in text
        )


@broken(
    "drops-the-bom",
    "HV1-M10",
    "drops a byte order mark inside text",
)
class DropsTheBom(TextHost):
    def change_text(self, text: str) -> str:
        return text.replace("\ufeff", "")


@broken(
    "basic-plane-only",
    "HV1-M10",
    "replaces astral characters",
)
class BasicPlaneOnly(TextHost):
    def change_text(self, text: str) -> str:
        return "".join(c if ord(c) < 0x10000 else "\ufffd" for c in text)


@broken(
    "normalises-text",
    "HV1-M10",
    "normalises strings to NFC",
)
class NormalisesText(TextHost):
    def change_text(self, text: str) -> str:
        return unicodedata.normalize("NFC", text)


@broken(
    "normalises-line-ends",
    "HV1-M10",
    "writes CRLF and CR as LF",
)
class NormalisesLineEnds(TextHost):
    def change_text(self, text: str) -> str:
        return text.replace("\r\n", "\n").replace("\r", "\n")


@broken(
    "trims-text",
    "HV1-M10",
    "trims strings",
)
class TrimsText(TextHost):
    def change_text(self, text: str) -> str:
        return text.strip()


@broken(
    "escapes-html",
    "HV1-M10",
    "escapes angle brackets and ampersands",
)
class EscapesHtml(TextHost):
    def change_text(self, text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


@broken(
    "empty-text-is-null",
    "HV1-M10",
    "writes an empty string as null",
)
class EmptyTextIsNull(ValueHost):
    def change(self, value: Any) -> Any:
        return None if value == "" else value


@broken(
    "text-as-number",
    "HV1-M10",
    "turns short text of digits into a number",
)
class TextAsNumber(ValueHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        return frame if "event" in frame else super().rewrite(frame)

    def change(self, value: Any) -> Any:
        digits = isinstance(value, str) and value.isdecimal() and len(value) < 20
        return int(value) if digits else value


@broken(
    "keys-as-indices",
    "HV1-M10",
    "turns the keys 1 and 01 into one",
)
class KeysAsIndices(ValueHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {k.lstrip("0") if k.isdecimal() else k: v for k, v in value.items()}
        return value


@broken(
    "keys-lower-case",
    "HV1-M10",
    "writes keys in lower case",
)
class KeysLowerCase(ValueHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, dict):
            # The names of variables that conformance_env gives back stay.
            return {k.lower() if len(k) < 4 else k: v for k, v in value.items()}
        return value


@broken(
    "sorts-arrays",
    "HV1-M10",
    "sorts arrays of numbers",
)
class SortsArrays(ValueHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, list) and all(type(item) is int for item in value):
            return sorted(value)
        return value


@broken(
    "flattens",
    "HV1-M10",
    "flattens arrays in arrays",
)
class Flattens(ValueHost):
    def change(self, value: Any) -> Any:
        if isinstance(value, list):
            return [
                inner
                for item in value
                for inner in (item if isinstance(item, list) else [item])
            ]
        return value


@broken(
    "depth-ten",
    "HV1-M10",
    "replaces what is nested beyond ten by null",
)
class DepthTen(ValueHost):
    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        cut: dict[str, Any] = _cut(frame, 14)
        return cut


def _cut(value: Any, depth: int) -> Any:
    if isinstance(value, list):
        return [_cut(item, depth - 1) for item in value] if depth else None
    if isinstance(value, dict):
        return {k: _cut(v, depth - 1) for k, v in value.items()} if depth else None
    return value


@broken(
    "lines-of-unicode",
    "HV1-M10",
    "takes U+2028, U+0085 and their like for ends of lines",
)
class LinesOfUnicode(Host):
    def handle_data(self, data: bytes) -> None:
        text = data.decode("utf-8", "surrogateescape")
        split = re.sub("[\\v\\f\\x1c-\\x1e\\x85\\u2028\\u2029]", "\n", text)
        super().handle_data(split.encode("utf-8", "surrogateescape"))


class SlicingHost(Host):
    """Writes a line in slices of UTF-16 units, each encoded by itself.

    Attributes:
        units: The units of a slice.
    """

    units: ClassVar[int]

    def write(self, data: bytes) -> None:
        text = data.decode().encode("utf-16-le")
        size = 2 * self.units
        slices = [text[at : at + size] for at in range(0, len(text), size)]
        # Half of a character is none: it becomes U+FFFD.
        texts = [one.decode("utf-16-le", errors="replace") for one in slices]
        super().write("".join(texts).encode())


@broken(
    "slices-of-4096-units",
    "HV1-M10",
    "writes 4,096 UTF-16 units at a time, and spoils a character that is cut",
    shown_by="host-v1/execute-tool/astral-text-of-twelve-kilobytes",
)
class SlicesOf4096Units(SlicingHost):
    units = 4096


@broken(
    "slices-of-65536-units",
    "HV1-M10",
    "writes 65,536 UTF-16 units at a time, and spoils a character that is cut",
    shown_by="host-v1/execute-tool/astral-text-beyond-64-kib",
)
class SlicesOf65536Units(SlicingHost):
    units = 65536


@broken(
    "first-version-of-a-line",
    "HV1-M10",
    "fails a request where another v stands in front of its own",
    shown_by="host-v1/execute-tool/keys-of-the-protocol-in-front",
)
class FirstVersionOfALine(FirstInText):
    key = "v"
