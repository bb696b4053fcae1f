"""Vector stores behind one protocol: exact in memory or on disk, and Qdrant."""
