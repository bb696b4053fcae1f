"""The server: pages and an API in one process with the same loaded models.

The API has three faces, which `server` mounts: `v1` (jobmatch's own), `esco` (ESCO's web service) and `reconcile`
(W3C's entity reconciliation, as OpenRefine uses it).
"""
