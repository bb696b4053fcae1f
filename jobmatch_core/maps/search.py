"""Items of a map by what they are called."""

from jobmatch_core.maps.items import Items
from jobmatch_core.text.folding import fold


def find_items(items: Items, asked: str, most: int = 20) -> list[int]:
    """Return the rows of items whose text holds what was asked for, or that have it as their id.

    Those that are called exactly so come first, then those that begin so, then the shorter ones.

    Args:
        items: to be looked through.
        asked: some letters, in any case, with or without accents.
        most: how many at most.
    """
    wanted = fold(asked)
    found = []
    for row, (id_, text) in enumerate(zip(items.ids, items.texts, strict=True)):
        folded = fold(text) if wanted else ""
        if id_ == asked or (wanted and wanted in folded):
            rank = 0 if id_ == asked or folded == wanted else 1 if folded.startswith(wanted) else 2
            found.append((rank, len(folded), row))
    return [row for _, _, row in sorted(found)[:most]]
