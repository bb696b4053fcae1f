"""Search for items of a map by their texts."""

from jobmatch_core.maps.items import Items
from jobmatch_core.text.folding import fold


def find_items(items: Items, asked: str, most: int = 20) -> list[int]:
    """Return the rows of items with the letters in their text, or with that id.

    Exact matches come first, then texts that begin with the letters, then shorter ones.

    Args:
        items: items to search.
        asked: some letters, in any case, with or without accents.
        most: maximum number of results.
    """
    wanted = fold(asked)
    found = []
    for row, (id_, text) in enumerate(zip(items.ids, items.texts, strict=True)):
        folded = fold(text) if wanted else ""
        if id_ == asked or (wanted and wanted in folded):
            rank = 0 if id_ == asked or folded == wanted else 1 if folded.startswith(wanted) else 2
            found.append((rank, len(folded), row))
    return [row for _, _, row in sorted(found)[:most]]
