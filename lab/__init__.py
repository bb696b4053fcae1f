"""The laboratory: the papers' experiments, speed, growth, stores that were tried, the training of what is shipped."""
