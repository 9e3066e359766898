"""The protocols, one folder each, and the registry that names them.

Every pytest run imports this and the options of each protocol, and only those.
"""

from __future__ import annotations

from wireproof.protocols._options import (
    PREFIX,
    Option,
    ProtocolOptions,
    subject_option,
)
from wireproof.protocols._registry import (
    all_options,
    all_protocols,
    options_of,
    protocol_for,
)

__all__ = [
    "PREFIX",
    "Option",
    "ProtocolOptions",
    "all_options",
    "all_protocols",
    "options_of",
    "protocol_for",
    "subject_option",
]
