"""Hosts that do not bring an id back as it was, or heed a repetition: HV1-M2, M14."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import replace
from typing import Any

from tests.proof.host_v1.input_faults import FirstInText
from tests.proof.host_v1.subject import RewritingHost, broken

from wireproof_reference.framing import JSON
from wireproof_reference.host_v1 import (
    Failure,
    Flaw,
    Host,
    HostConnection,
    Request,
    Success,
    read_request,
)

_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class IdHost(RewritingHost):
    """Changes the id of each message."""

    def change(self, key: str) -> Any:
        """Return what is sent in place of an id."""
        raise NotImplementedError

    def rewrite(self, frame: dict[str, Any]) -> dict[str, Any]:
        if isinstance(frame["id"], str):
            frame["id"] = self.change(frame["id"])
        return frame


@broken(
    "id-as-number",
    "HV1-M2",
    "turns an id that looks like a number into one",
)
class IdAsNumber(IdHost):
    def change(self, key: str) -> Any:
        return int(key) if re.fullmatch(r"[0-9]+", key) else key


@broken(
    "id-through-a-double",
    "HV1-M2",
    "reads an id as a number and prints it again",
)
class IdThroughADouble(IdHost):
    def change(self, key: str) -> Any:
        if re.fullmatch(r"[0-9]{1,30}", key):
            return str(int(float(key)))
        return key


@broken(
    "id-trimmed",
    "HV1-M2",
    "trims the id",
)
class IdTrimmed(IdHost):
    def change(self, key: str) -> Any:
        return key.strip()


@broken(
    "id-cut-at-64",
    "HV1-M2",
    "cuts the id at 64 characters",
)
class IdCutAt64(IdHost):
    def change(self, key: str) -> Any:
        return key[:64]


@broken(
    "id-cut-at-255",
    "HV1-M2",
    "cuts the id at 255 characters",
)
class IdCutAt255(IdHost):
    def change(self, key: str) -> Any:
        return key[:255]


@broken(
    "id-cut-at-999-bytes",
    "HV1-M2",
    "cuts the id at 999 bytes",
)
class IdCutAtBytes(IdHost):
    def change(self, key: str) -> Any:
        return key.encode(errors="replace")[:999].decode(errors="ignore")


@broken(
    "id-lower-case",
    "HV1-M2",
    "writes the id in lower case",
)
class IdLowerCase(IdHost):
    def change(self, key: str) -> Any:
        return key.lower()


@broken(
    "id-normalised",
    "HV1-M2",
    "normalises the id to NFC",
)
class IdNormalised(IdHost):
    def change(self, key: str) -> Any:
        return unicodedata.normalize("NFC", key)


@broken(
    "id-empty-is-null",
    "HV1-M2",
    "writes an empty id as null",
)
class IdEmptyIsNull(IdHost):
    def change(self, key: str) -> Any:
        return key or None


@broken(
    "id-null-is-null",
    "HV1-M2",
    'writes the id "null" as null',
)
class IdNullIsNull(IdHost):
    def change(self, key: str) -> Any:
        return None if key == "null" else key


@broken(
    "id-ascii",
    "HV1-M2",
    "replaces what is not ASCII in the id",
)
class IdAscii(IdHost):
    def change(self, key: str) -> Any:
        return key.encode("ascii", "replace").decode()


@broken(
    "id-without-controls",
    "HV1-M2",
    "drops control characters from the id",
)
class IdWithoutControls(IdHost):
    def change(self, key: str) -> Any:
        return "".join(c for c in key if unicodedata.category(c) != "Cc")


@broken(
    "id-basic-plane",
    "HV1-M2",
    "replaces astral characters in the id",
)
class IdBasicPlane(IdHost):
    def change(self, key: str) -> Any:
        return "".join(c if ord(c) < 0x10000 else "\ufffd" for c in key)


@broken(
    "id-hashed",
    "HV1-M2",
    "answers a long id with its hash",
)
class IdHashed(IdHost):
    def change(self, key: str) -> Any:
        return hashlib.sha256(key.encode()).hexdigest() if len(key) > 900 else key


@broken("id-uuid-only", "HV1-M2", "fails, without an id, what is no UUID")
class IdUuidOnly(Host):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def read_request(self, value: JSON) -> Request | Flaw:
                request = read_request(value)
                if isinstance(request, Request) and not _UUID.fullmatch(request.id):
                    return Flaw("id must be a UUID", None, "InvalidRequest")
                return request

        return Connection()


@broken("id-too-long", "HV1-M2", "fails, without an id, where that is beyond 512")
class IdTooLong(Host):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def read_request(self, value: JSON) -> Request | Flaw:
                request = read_request(value)
                if isinstance(request, Request) and len(request.id) > 512:
                    return Flaw("id is too long", None, "InvalidRequest")
                return request

        return Connection()


@broken("id-empty-fails", "HV1-M2", "fails, with its id, what has an empty one")
class IdEmptyFails(Host):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def read_request(self, value: JSON) -> Request | Flaw:
                request = read_request(value)
                if isinstance(request, Request) and not request.id:
                    return Flaw("this is no request", "", "InvalidRequest")
                return request

        return Connection()


@broken("id-empty-refused", "HV1-M2", "fails, without an id, where that is empty")
class IdEmptyRefused(Host):
    def make_connection(self) -> HostConnection:
        class Connection(HostConnection):
            def read_request(self, value: JSON) -> Request | Flaw:
                request = read_request(value)
                if isinstance(request, Request) and not request.id:
                    return Flaw("id must not be empty", None, "InvalidRequest")
                return request

        return Connection()


class KeyedHost(Host):
    """Keeps the calls in flight under a key that it makes of their ids."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.in_flight: dict[str, str] = {}

    def key(self, request_id: str) -> str:
        """Return what a call is kept under."""
        raise NotImplementedError

    def handle_request(self, request: Request) -> None:
        self.in_flight[self.key(request.id)] = request.id
        super().handle_request(request)

    def respond(self, request: Request, response: Success | Failure) -> None:
        kept = self.in_flight[self.key(request.id)]
        super().respond(request, replace(response, id=kept))


@broken(
    "in-flight-whatever-the-case",
    "HV1-M2",
    "keeps calls in flight under their ids without regard to case",
    shown_by="host-v1/request-ids/told-apart-while-they-run",
)
class InFlightWhateverTheCase(KeyedHost):
    def key(self, request_id: str) -> str:
        return request_id.casefold()


@broken(
    "in-flight-normalised",
    "HV1-M2",
    "keeps calls in flight under their ids in NFC",
    shown_by="host-v1/request-ids/told-apart-while-they-run",
)
class InFlightNormalised(KeyedHost):
    def key(self, request_id: str) -> str:
        return unicodedata.normalize("NFC", request_id)


@broken(
    "in-flight-by-number",
    "HV1-M2",
    "keeps calls in flight under the number that their ids may be",
    shown_by="host-v1/request-ids/told-apart-while-they-run",
)
class InFlightByNumber(KeyedHost):
    def key(self, request_id: str) -> str:
        try:
            return str(float(request_id))
        except ValueError:
            return request_id


@broken(
    "refuses-repeats",
    "HV1-M14",
    "takes a request that is the same as the one before for a repetition",
    level="should",
)
class RefusesRepeats(Host):
    last: Request | None = None

    def handle_request(self, request: Request) -> None:
        last, self.last = self.last, request
        if request == last:
            self.send(self.failure(request, "Repetition", "this was asked just now"))
        else:
            super().handle_request(request)


@broken(
    "first-id-of-a-line",
    "HV1-M2",
    "looks for the id in the text of the line",
    shown_by="host-v1/request-ids/id-behind-params",
)
class FirstIdOfALine(FirstInText):
    key = "id"
