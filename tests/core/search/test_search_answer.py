"""Search hits as JSON: documented and stable."""

import msgspec

from jobmatch_core.entities import Freelancer
from jobmatch_core.search.search_answer import SearchAnswer, search_answer
from jobmatch_core.search.search_index import SearchHit
from jobmatch_core.search.search_items import NearText, OccupationCard, Record
from jobmatch_core.search_events import SearchKind

PORTER = OccupationCard("http://porter", "", {"de": "Pförtner", "en": "porter"}, "")
ANNA = Freelancer("anna", "de", "porter", "", "", "", "", "", "", (), generated=True)


def test_json_of_hits() -> None:
    """An occupation has a code, null where unknown, and its nearest text; a person has a language and a country."""
    hits: list[SearchHit[Record]] = [
        SearchHit(PORTER, 1, 0.12346, (("Porters", "porter"),), NearText.NAMES),
        SearchHit(ANNA, 2, 0.0, ()),
    ]
    answer = search_answer("Porters", SearchKind.OCCUPATIONS, "isco-08", "words", hits, "de")
    text = msgspec.json.encode(answer)
    assert text == msgspec.json.encode(
        {
            "query": "Porters",
            "in": "occupations",
            "source": "isco-08",
            "model": "words",
            "hits": [
                {
                    "rank": 1,
                    "id": "http://porter",
                    "title": "Pförtner",
                    "isco": None,
                    "likeness": 0.1235,
                    "nearest": "names",
                    "words": [{"query": "Porters", "item": "porter"}],
                },
                {
                    "rank": 2,
                    "id": "anna",
                    "title": "porter",
                    "language": "de",
                    "country": None,
                    "generated": True,
                    "likeness": 0.0,
                    "words": [],
                },
            ],
        }
    )
    assert msgspec.json.decode(text, type=SearchAnswer) == answer
