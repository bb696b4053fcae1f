"""The server: pages for people, and an API for programs, in one process with the same loaded models.

Each face of the API is a room whose operations `server` mounts:

- `v1`: jobmatch's own API.
- `esco`: the calls of ESCO's web service.
- `reconcile`: W3C's entity reconciliation, as OpenRefine speaks it.

`access_middleware` checks each request against `jobmatch.access`; `server` assembles the application.
"""
