"""Search by meaning: one encoder of short queries and of the documents that answer them."""
