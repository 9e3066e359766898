"""Reference implementations of the tool protocols."""
