"""interop: adapter registries under test, in Python or bridged (``--adapter``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
