"""Exec tools, one-shot and server, and the runtime that runs them.

`tool` makes a tool of a function.
"""
