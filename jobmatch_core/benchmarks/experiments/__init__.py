"""Experiments of the papers, and simulations of labelling and retraining."""
