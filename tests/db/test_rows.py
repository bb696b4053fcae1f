"""What cannot be stored is refused by name, on either database alike."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from db.history import JudgmentFilter
from db.label_store import LabelStore
from jobmatch_core.entities import Pair, Provenance
from jobmatch_core.errors import LabelStoreError
from tests.db.made_judgments import make_judgment, make_pair

BAD_TEXTS = {"a\0b": "NUL character", "\ud800": "not valid Unicode"}


@pytest.mark.parametrize(("text", "problem"), BAD_TEXTS.items(), ids=["NUL", "surrogate"])
def test_texts_that_cannot_be_stored(store: LabelStore, text: str, problem: str) -> None:
    """The message says which and why."""
    for what, fields in {
        "note": {"note": text},
        "reason": {"reasons": ("skills", text)},
        "annotator": {"annotator": text},
        "pair's source": {"pair": make_pair(source=text)},
        "pair's left": {"pair": make_pair(left=text)},
        "pair's right": {"pair": make_pair(text)},
        "policy": {"provenance": Provenance(text)},
        "model's name": {"provenance": Provenance("", text)},
        "id": {"id": text},
        "id of the withdrawn judgment": {"undoes": text},
    }.items():
        with pytest.raises(LabelStoreError, match=f"The {what} .*{problem}"):
            store.record(make_judgment(**fields))
    assert store.count() == 0


@pytest.mark.parametrize("text", BAD_TEXTS, ids=["NUL", "surrogate"])
def test_texts_of_everything_else(store: LabelStore, text: str) -> None:
    """Names, guidelines, candidates and what is looked for."""
    for refused in (
        lambda: store.undo(text),
        lambda: store.undo("Ann", text),
        lambda: store.lease([make_pair()], text, for_seconds=1),
        lambda: store.lease([make_pair(text)], "Ann", for_seconds=1),
        lambda: store.write_guidelines(text, "Ann"),
        lambda: store.write_guidelines("text", text),
        lambda: store.judgments(JudgmentFilter(text=text)),
        lambda: store.count(JudgmentFilter(annotator=text)),
        lambda: store.release("Ann", [make_pair(text)]),
        lambda: store.taken_back([text]),
    ):
        with pytest.raises(LabelStoreError, match="cannot be stored"):
            refused()


def test_values_that_cannot_be_stored(store: LabelStore) -> None:
    """Numbers that are none, times without a zone, no name."""
    for fields, problem in (
        ({"id": "1"}, "not a UUID"),
        ({"id": "{6d1c1c1e-6f0f-5f6a-9d0a-0a4c1f1a7b3e}"}, "not a UUID"),
        ({"at": datetime(2026, 1, 1)}, "no time zone"),
        ({"at": datetime.min.replace(tzinfo=timezone(timedelta(hours=1)))}, "years 1 and 9999"),
        ({"verdict": None}, "withdraws no judgment"),
        ({"verdict": "maybe"}, "unknown"),
        ({"pair": Pair("cat-dog", "", "", "")}, "unknown"),
        ({"provenance": Provenance("", rank=0)}, "rank"),
        ({"provenance": Provenance("", rank=2**31)}, "rank"),
        ({"provenance": Provenance("", score=float("nan"))}, "must be finite numbers"),
        ({"seconds": float("inf")}, "must be finite numbers"),
        ({"annotator": " "}, "needs a name"),
        ({"annotator": "a" * 201}, "needs a name"),
    ):
        with pytest.raises(LabelStoreError, match=problem):
            store.record(make_judgment(**fields))
    assert store.count() == 0


def test_the_first_and_the_last_moment(store: LabelStore) -> None:
    """Of the years 1 to 9999 in UTC."""
    moments = [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)]
    store.record_all(make_judgment(at=at) for at in moments)
    assert [judgment.at for judgment in store.as_recorded()] == moments
