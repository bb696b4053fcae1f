"""The registry of promoted models, and what every kind of training keeps beside its model."""
