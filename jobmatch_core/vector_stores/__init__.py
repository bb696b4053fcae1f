"""Vector stores behind one protocol: exact in memory or on disk; the one on PostgreSQL is in `db`."""
