"""The second stage of retrieval: found freelancers in the order of all that is known of each pair, with shares."""
