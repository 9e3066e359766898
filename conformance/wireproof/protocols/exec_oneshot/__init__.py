"""exec-oneshot: tools that are started anew for each call (``--exec``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
