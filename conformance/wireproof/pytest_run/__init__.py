"""A pytest run: options, configuration, selection, items, fixtures, terminal, listing.

Nothing is re-exported here: every pytest run imports the options, and only those.
"""
