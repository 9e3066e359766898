"""Clients of NDJSON tool hosts under test."""
