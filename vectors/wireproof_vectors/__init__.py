"""Clause catalogue, golden vectors and schemas as data, and a loader."""
