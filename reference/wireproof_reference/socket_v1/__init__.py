"""NDJSON tool socket, protocol version 1: server and client."""
