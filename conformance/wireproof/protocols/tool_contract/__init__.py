"""tool-contract: registries of tools, in Python or bridged (``--tools``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
