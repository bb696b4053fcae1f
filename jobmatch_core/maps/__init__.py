"""Latent maps: items projected to two dimensions, quality of the projection, and actions on a selection.

    items -> vectors of a model -> projection -> quality, density, clusters, oddities -> figure, still, table

Pure: records of other rooms (marketplaces, taxonomies, label files) come in as `Items`.
"""
