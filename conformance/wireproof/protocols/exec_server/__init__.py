"""exec-server: tools that serve many calls, JSON-RPC 2.0 on stdio (``--exec-server``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
