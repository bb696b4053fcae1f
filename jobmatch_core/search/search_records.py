"""Search results as plain records, for programs."""

from typing import Any

from jobmatch_core.entities import Freelancer
from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import OccupationCard, Record, item_title
from jobmatch_core.text.folding import fold


def hit_to_json(hit: SearchHit[Record], language: str) -> dict[str, Any]:
    """Return a hit as JSON holds it; an occupation with its name in a language."""
    record = hit.record
    found: dict[str, Any] = {"rank": hit.rank, "id": record.id, "title": item_title(record, language)}
    if isinstance(record, OccupationCard):
        found["isco"] = record.isco
    else:
        found |= {"language": record.language, "country": record.country, "generated": record.generated}
    words = [{"query": asked, "item": matched} for asked, matched in hit.words]
    return found | {"likeness": round(hit.likeness, 4), "words": words}


def why_found(hit: SearchHit[Record]) -> str:
    """Return in words why an item was found: the words it shares with the query, and how alike the meanings are."""
    words = [asked if fold(asked) == matched else f"{asked} ~ {matched}" for asked, matched in hit.words]
    meaning = f"similar meaning {max(hit.likeness, 0.0):.2f}"
    return f"words: {', '.join(words)} · {meaning}" if words else f"no shared words · {meaning}"


def facts_of(record: Record) -> list[str]:
    """Return an item's language and country, or an occupation's ISCO-08 code; without what is unknown."""
    if isinstance(record, OccupationCard):
        return [f"ISCO {record.isco}"] if record.isco else []
    kind = ["synthetic"] if record.generated else []
    rate = [f"{record.day_rate:,.0f} € per day"] if isinstance(record, Freelancer) and record.day_rate else []
    return [each for each in (record.language, record.country, *rate, *kind) if each]
