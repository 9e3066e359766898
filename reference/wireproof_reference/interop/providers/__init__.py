"""Two reference providers: the whole flow of tools on streamed traffic.

`ChatProvider` and `ResponsesProvider` prepare requests and read what comes of them
without I/O; `ProviderStream` takes in a streamed response, however cut.  Beside them
are `ProviderClient`, which streams one turn over a socket, and `playback`, a server on
this machine that plays streams with faults and records what it was sent.
"""

from wireproof_reference.interop.providers._attachments import (
    ATTACHMENT_REF,
    UnreadAttachmentError,
)
from wireproof_reference.interop.providers._chat import ChatProvider
from wireproof_reference.interop.providers._chat_accumulator import ChatAccumulator
from wireproof_reference.interop.providers._client import (
    IDLE_SECONDS,
    MAX_RESPONSE_BYTES,
    ProviderClient,
    RequestRefusedError,
    StreamingProvider,
    Turn,
)
from wireproof_reference.interop.providers._event_stream import (
    EventStreamDecoder,
    EventStreamEvent,
    OversizeEvent,
    ServerSentEvent,
    UnfinishedEvent,
    encode_event,
)
from wireproof_reference.interop.providers._execution import execute_calls
from wireproof_reference.interop.providers._faults import (
    failing_after,
    interleaved,
    stream_bytes,
    with_empty_deltas,
    with_keep_alives,
    with_line_ends,
    with_one_call_id,
    with_repeated_ids,
)
from wireproof_reference.interop.providers._playback import (
    PlaybackServer,
    ReceivedRequest,
    Reply,
    playback,
)
from wireproof_reference.interop.providers._responses import ResponsesProvider
from wireproof_reference.interop.providers._responses_accumulator import (
    ResponsesAccumulator,
)
from wireproof_reference.interop.providers._stream import (
    Accumulator,
    Delta,
    Failed,
    Finished,
    ProviderStream,
    StrayEvent,
    StreamEvent,
    StreamState,
)

__all__ = [
    "ATTACHMENT_REF",
    "IDLE_SECONDS",
    "MAX_RESPONSE_BYTES",
    "Accumulator",
    "ChatAccumulator",
    "ChatProvider",
    "Delta",
    "EventStreamDecoder",
    "EventStreamEvent",
    "Failed",
    "Finished",
    "OversizeEvent",
    "PlaybackServer",
    "ProviderClient",
    "ProviderStream",
    "ReceivedRequest",
    "Reply",
    "RequestRefusedError",
    "ResponsesAccumulator",
    "ResponsesProvider",
    "ServerSentEvent",
    "StrayEvent",
    "StreamEvent",
    "StreamState",
    "StreamingProvider",
    "Turn",
    "UnfinishedEvent",
    "UnreadAttachmentError",
    "encode_event",
    "execute_calls",
    "failing_after",
    "interleaved",
    "playback",
    "stream_bytes",
    "with_empty_deltas",
    "with_keep_alives",
    "with_line_ends",
    "with_one_call_id",
    "with_repeated_ids",
]
