"""W3C's Entity Reconciliation API over a taxonomy: version 0.2, which OpenRefine uses, and the draft of 1.0."""
