"""The server: pages for people, and an API for programs, in one process with the same loaded models.

Each face of the API is a room with a `routes.py`, whose `routes` returns what Starlette serves:

- `v1`: jobmatch's own API.
- `esco`: the calls of ESCO's web service.
- `reconcile`: W3C's entity reconciliation, as OpenRefine speaks it.

`access` says who may do what; `server` puts all of it together.
"""
