"""What providers are, without I/O: requests, and the reading of their streams."""

from wireproof_reference.interop.providers.core._attachments import (
    ATTACHMENT_REF,
    UnreadAttachmentError,
)
from wireproof_reference.interop.providers.core._chat import (
    ChatProvider,
)
from wireproof_reference.interop.providers.core._chat_accumulator import (
    ChatAccumulator,
)
from wireproof_reference.interop.providers.core._event_stream import (
    EventStreamDecoder,
    EventStreamEvent,
    OversizeEvent,
    ServerSentEvent,
    UnfinishedEvent,
    encode_event,
)
from wireproof_reference.interop.providers.core._execution import (
    execute_calls,
)
from wireproof_reference.interop.providers.core._faults import (
    failing_after,
    interleaved,
    stream_bytes,
    with_empty_deltas,
    with_keep_alives,
    with_line_ends,
    with_one_call_id,
    with_repeated_ids,
)
from wireproof_reference.interop.providers.core._flow import (
    Context,
)
from wireproof_reference.interop.providers.core._http import (
    LAST_CHUNK,
    Body,
    EndOfMessage,
    Head,
    HttpDecoder,
    chunk,
    request_bytes,
    response_head,
)
from wireproof_reference.interop.providers.core._members import (
    object_in,
    objects_in,
)
from wireproof_reference.interop.providers.core._responses import (
    ResponsesProvider,
)
from wireproof_reference.interop.providers.core._responses_accumulator import (
    ResponsesAccumulator,
)
from wireproof_reference.interop.providers.core._stream import (
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
    "LAST_CHUNK",
    "Accumulator",
    "Body",
    "ChatAccumulator",
    "ChatProvider",
    "Context",
    "Delta",
    "EndOfMessage",
    "EventStreamDecoder",
    "EventStreamEvent",
    "Failed",
    "Finished",
    "Head",
    "HttpDecoder",
    "OversizeEvent",
    "ProviderStream",
    "ResponsesAccumulator",
    "ResponsesProvider",
    "ServerSentEvent",
    "StrayEvent",
    "StreamEvent",
    "StreamState",
    "UnfinishedEvent",
    "UnreadAttachmentError",
    "chunk",
    "encode_event",
    "execute_calls",
    "failing_after",
    "interleaved",
    "object_in",
    "objects_in",
    "request_bytes",
    "response_head",
    "stream_bytes",
    "with_empty_deltas",
    "with_keep_alives",
    "with_line_ends",
    "with_one_call_id",
    "with_repeated_ids",
]
