"""Latent maps: items projected to two dimensions, how far to believe the picture, and what to do with a selection.

    items -> vectors of a model -> projection -> quality, density, clusters, oddities -> figure, still, table

Pure: what crosses rooms (marketplaces, taxonomies, label files) comes in as `Items`.
"""
