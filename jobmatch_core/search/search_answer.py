"""Search hits as JSON: the stable types of the command line's and the API's answers (docs/cli.md, OpenAPI)."""

from collections.abc import Iterable
from functools import partial

from msgspec import UNSET, Struct, UnsetType

from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import NearText, OccupationCard, Record, item_title
from jobmatch_core.search_events import SearchKind

_DIGITS = 4  # of a likeness


class HitWord(Struct, frozen=True):
    """A word of the query, and the word of the item that it matched."""

    query: str
    item: str


class Hit(Struct, frozen=True, kw_only=True):
    """A search hit; `isco` and `nearest` for occupations only, `language`, `country` and `generated` for the others."""

    rank: int
    id: str
    title: str
    isco: str | UnsetType | None = UNSET
    language: str | UnsetType = UNSET
    country: str | UnsetType | None = UNSET
    generated: bool | UnsetType = UNSET
    likeness: float
    nearest: NearText | UnsetType | None = UNSET
    words: tuple[HitWord, ...]


class SearchAnswer(Struct, frozen=True, rename={"kind": "in"}):
    """Search results, as `jobmatch search --json` prints them."""

    query: str
    kind: SearchKind
    source: str
    model: str
    hits: tuple[Hit, ...]


def search_answer(
    query: str, kind: SearchKind, source: str, model: str, hits: Iterable[SearchHit[Record]], show: str
) -> SearchAnswer:
    """Return search hits as an answer; *show* is the language of the occupations' names."""
    return SearchAnswer(query, kind, source, model, tuple(answered_hit(hit, show) for hit in hits))


def answered_hit(hit: SearchHit[Record], show: str) -> Hit:
    """Return a hit as it stands in an answer; null where a value is unknown."""
    record, likeness = hit.record, round(hit.likeness, _DIGITS)
    words = tuple(HitWord(word, matched) for word, matched in hit.words)
    answer = partial(Hit, rank=hit.rank, id=record.id, title=item_title(record, show), likeness=likeness, words=words)
    if isinstance(record, OccupationCard):
        return answer(isco=record.isco or None, nearest=hit.nearest)
    return answer(language=record.language, country=record.country or None, generated=record.generated)
