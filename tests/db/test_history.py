"""The history: everything, the last recorded first, or what somebody looks for."""

from datetime import timedelta
from typing import Any

import pytest

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import NOON, make_judgment, make_pair

DAY = timedelta(days=1)
COOK = Pair(PairKind.TITLE_OCCUPATION, "esco-1.0.3", "Köchin 100%_Teilzeit", "http://data.europa.eu/esco/occupation/1")
RECORDED = (2, 0, 3, 1)  # not in the order of time
HISTORY = [
    make_judgment(Verdict.POSITIVE, "Ann", COOK, at=NOON, provenance=Provenance("uncertain")),
    make_judgment(Verdict.NEGATIVE, "Bob", COOK, at=NOON + DAY, note="A Chef, not a cook"),
    make_judgment(Verdict.POSITIVE, "Ann", make_pair("f1"), at=NOON + 2 * DAY, adjudicates=True),
    make_judgment(Verdict.SKIP, "Bob", make_pair("f2", source="real"), at=NOON + 3 * DAY),
]
FOUND: list[tuple[dict[str, Any], list[int]]] = [
    ({}, [3, 2, 1, 0]),
    ({"kind": PairKind.TITLE_OCCUPATION}, [1, 0]),
    ({"kind": PairKind.TITLE_TITLE}, []),
    ({"source": "demo"}, [2]),
    ({"source": ""}, []),
    ({"annotator": "Bob"}, [3, 1]),
    ({"annotator": "bob"}, []),
    ({"verdict": Verdict.POSITIVE}, [2, 0]),
    ({"verdict": Verdict.POSITIVE, "annotator": "Bob"}, []),
    ({"policy": "uncertain"}, [0]),
    ({"since": NOON + DAY}, [3, 2, 1]),
    ({"until": NOON + DAY}, [0]),
    ({"since": NOON + DAY, "until": NOON + 2 * DAY}, [1]),
    ({"pairs": (COOK, make_pair("f2", source="real"))}, [3, 1, 0]),
    ({"pairs": ()}, []),
    ({"adjudicates": True}, [2]),
    ({"adjudicates": False}, [3, 1, 0]),
    ({"text": "köchin"}, [1, 0]),
    ({"text": "KÖCHIN"}, [1, 0]),
    ({"text": "CHEF"}, [1]),
    ({"text": "occupation/1"}, [1, 0]),
    ({"text": "100%_teil"}, [1, 0]),
    ({"text": "1%"}, []),
    ({"text": "f_"}, []),
    ({"text": "'; DROP TABLE judgments; --"}, []),
]


@pytest.fixture
def history(store: LabelStore) -> LabelStore:
    """A store with four judgments, not recorded in the order of time."""
    store.record_all(HISTORY[index] for index in RECORDED)
    return store


def test_what_is_looked_for_is_found(history: LabelStore) -> None:
    """The last recorded first, and counted the same."""
    for fields, found in FOUND:
        which, expected = JudgmentFilter(**fields), sorted(found, key=RECORDED.index, reverse=True)
        assert (fields, [HISTORY.index(judgment) for judgment in history.judgments(which)]) == (fields, expected)
        assert (fields, [HISTORY.index(judgment) for judgment in history.current(which)]) == (fields, expected)
        assert (fields, history.count(which)) == (fields, len(expected))


def test_a_text_too_long_to_look_for(history: LabelStore) -> None:
    """Databases have limits; a whole advert is no search."""
    assert history.judgments(JudgmentFilter(text="%" * 1000)) == []
    with pytest.raises(LabelStoreError, match="longer than 1000 characters"):
        history.judgments(JudgmentFilter(text="x" * 1001))


def test_page_by_page(history: LabelStore) -> None:
    """Pages follow each other without a gap."""
    pages = [history.judgments(limit=3, offset=offset) for offset in (0, 3, 6)]
    assert [[HISTORY.index(judgment) for judgment in page] for page in pages] == [[1, 3, 0], [2], []]
    assert [HISTORY.index(judgment) for judgment in history.current(limit=3)][1:] == [3, 0]


def test_as_recorded(history: LabelStore) -> None:
    """In the order in which it came, so that it can be recorded elsewhere."""
    assert [HISTORY.index(judgment) for judgment in history.as_recorded()] == list(RECORDED)


def test_undos_are_part_of_the_history(history: LabelStore) -> None:
    """The history has undos and the judgments that they withdraw."""
    undo = history.undo("Bob")
    assert history.judgments(JudgmentFilter(annotator="Bob", since=NOON + 3 * DAY)) == [undo, HISTORY[3]]
    assert history.judgments(JudgmentFilter(annotator="Bob", verdict=Verdict.SKIP)) == [HISTORY[3]]
    assert history.taken_back(judgment.id for judgment in history.judgments()) == {HISTORY[RECORDED[-1]].id}


def test_two_stores_become_one(store: LabelStore, sqlite_path: object) -> None:
    """What one exports, with undos and adjudications, another takes, and counts the same."""
    store.record_all(HISTORY)
    store.undo("Ann", store.undo("Ann").id)
    store.undo("Bob")
    with LabelStore.open(f"{sqlite_path}.other") as other:
        other.record(own := make_judgment(annotator="Cid"))
        assert other.record_all(store.as_recorded()) == 7
        assert list(other.as_recorded()) == [own, *store.as_recorded()]
        assert set(other.current()) == {own, *store.current()}
