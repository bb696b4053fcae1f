"""The points of a map as rows, to display or export."""

from collections.abc import Iterable, Iterator

from jobmatch_core.io.tables import Record
from jobmatch_core.maps.items import FIELDS
from jobmatch_core.maps.latent_map import LatentMap


def map_rows(latent: LatentMap, ids: Iterable[str] | None = None) -> Iterator[Record]:
    """Yield rows with id, text, the available fields, and the coordinates x and y.

    Args:
        latent: the map.
        ids: ids of the requested points, in the order of the map; all by default. Unknown ids are ignored.
    """
    items = latent.items
    wanted = None if ids is None else set(ids)
    fields = {name: items.values(name) for name in FIELDS if any(items.values(name))}
    for row, id_ in enumerate(items.ids):
        if wanted is None or id_ in wanted:
            x, y = latent.positions[row].tolist()
            values = {_column(name): column[row] for name, column in fields.items()}
            concept = {"stands_for": items.concepts[row]} if items.concepts else {}
            yield {"id": id_, "text": items.texts[row], **concept, **values, "x": x, "y": y}


def _column(field: str) -> str:
    return field.replace(" ", "_").lower()
