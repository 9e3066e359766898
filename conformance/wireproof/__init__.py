"""The conformance suite: a pytest plugin and the runner behind it."""
