"""Clusters of a map as a field to colour by."""

from dataclasses import replace

from jobmatch_core.maps.clusters import find_clusters
from jobmatch_core.maps.items import CLUSTER
from jobmatch_core.maps.latent_map import LatentMap


def with_clusters(latent: LatentMap) -> LatentMap:
    """Return the map with each item's cluster name as its `CLUSTER`, '' for items between clusters."""
    names = [""] * len(latent.items)
    seen: set[str] = set()
    for number, cluster in enumerate(find_clusters(latent.positions, latent.items.texts), start=1):
        name = cluster.name or f"cluster {number}"
        name = f"{name} ({number})" if name in seen else name
        seen.add(name)
        for row in cluster.rows:
            names[row] = name
    fields = {**latent.items.fields, CLUSTER: tuple(names)}
    return replace(latent, items=replace(latent.items, fields=fields))
