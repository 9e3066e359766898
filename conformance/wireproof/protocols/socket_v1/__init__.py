"""socket-v1: NDJSON tool socket servers under test (``--socket``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
