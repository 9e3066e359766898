"""host-client: clients of NDJSON tool hosts under test, bridged (``--host-client``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
