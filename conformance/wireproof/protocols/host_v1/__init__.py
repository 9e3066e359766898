"""host-v1: NDJSON tool hosts under test (``--host``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
