"""Subjects behind a driver: how it is started and asked, and what its answers say."""

from __future__ import annotations

from wireproof.bridge._dialect import BridgeDialect
from wireproof.bridge._driver import BridgeDriver, BridgeOps, Told, plain_hands
from wireproof.bridge._faults import DRIVER_FAULTS, OPERATION_FAULTS
from wireproof.bridge._handle import BridgedHandle
from wireproof.bridge._messages import Answer, Description
from wireproof.bridge._operation_driver import Offers, OperationDriver
from wireproof.bridge._operations import OperationOps, look_at_operation
from wireproof.bridge._reading import refused, unanswered

__all__ = [
    "DRIVER_FAULTS",
    "OPERATION_FAULTS",
    "Answer",
    "BridgeDialect",
    "BridgeDriver",
    "BridgeOps",
    "BridgedHandle",
    "Description",
    "Offers",
    "OperationDriver",
    "OperationOps",
    "Told",
    "look_at_operation",
    "plain_hands",
    "refused",
    "unanswered",
]
