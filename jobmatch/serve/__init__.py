"""The server: the app and an HTTP API in one process."""
