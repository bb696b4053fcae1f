"""Latent maps: items projected to two dimensions, quality of the projection, and actions on a selection.

items -> vectors of a model -> projection -> quality, density, clusters, oddities -> figure, picture, table
"""
