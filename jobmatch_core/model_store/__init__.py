"""The registry of promoted models, and the folders that trained models lie in."""
