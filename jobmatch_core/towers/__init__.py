"""Malt's two towers (Jouanneau et al., 2024): documents, model, losses, training and metrics."""
