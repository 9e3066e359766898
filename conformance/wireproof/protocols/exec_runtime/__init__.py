"""exec-runtime: runtimes of exec tools under test, bridged (``--exec-runtime``).

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
