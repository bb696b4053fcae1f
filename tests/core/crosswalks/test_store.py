"""Stored crosswalks: several tabs, killed writers, damaged files, and permissions."""

from pathlib import Path

import pytest

from jobmatch_core.crosswalks.relation_features import SourceCode
from jobmatch_core.crosswalks.review import CodeDecision, Target
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.errors import CrosswalkError
from jobmatch_core.io.ownership import Act
from tests.core.crosswalks.made_mappings import crosswalk, mapped

AT = "2026-11-28T08:00:00+00:00"
CODES = [SourceCode("1", "Baker"), SourceCode("2", "Cook <b>", "1")]


def decision(code: str, by: str) -> CodeDecision:
    """Return a decision."""
    return CodeDecision(code, by, AT, {"urn:x:a": Target("a", "exact")}, "why\nnot")


@pytest.fixture
def store(tmp_path: Path) -> CrosswalkStore:
    """An empty store."""
    return CrosswalkStore(tmp_path / "crosswalks")


@pytest.fixture
def begun(store: CrosswalkStore) -> str:
    """A crosswalk of two codes."""
    return store.new(CrosswalkCard("jobs", "tiny-1", "en"), CODES, crosswalk(mapped("1", "exact", "a")))


def test_decisions_are_stored(store: CrosswalkStore, begun: str) -> None:
    """With codes, proposals and the card."""
    opened = store.load(begun)
    opened.decide(decision("2", "Ada"))
    again = store.load(begun)
    assert again.review.codes == {code.code: code for code in CODES}
    assert again.review.decisions("2") == [decision("2", "Ada")]
    assert again.review.whole() == opened.review.whole()
    assert (again.card.name, again.card.taxonomy) == ("jobs", "tiny-1")
    assert [(found, card.name) for found, card in store.listed()] == [(begun, "jobs")]


def test_two_tabs_lose_nothing(store: CrosswalkStore, begun: str) -> None:
    """Each sees the other's decisions, also those that were stored between its own."""
    one, two = store.load(begun), store.load(begun)
    one.decide(decision("1", "Ada"))
    two.decide(decision("2", "Bob"))
    one.decide(decision("2", "Ada"))
    two.refresh()
    for tab in (one, two, store.load(begun)):
        assert [each.by for each in tab.review.decisions("1")] == ["Ada"]
        assert [each.by for each in tab.review.decisions("2")] == ["Bob", "Ada"]
    assert one.version == two.version


def test_a_killed_writer_loses_nothing(store: CrosswalkStore, begun: str, tmp_path: Path) -> None:
    """The half line is ignored, and overwritten by the next decision."""
    store.load(begun).decide(decision("1", "Ada"))
    log = tmp_path / "crosswalks" / begun / "decisions.jsonl"
    with log.open("ab") as file:
        file.write(b'{"code": "2", "by": "B')
    opened = store.load(begun)
    assert [each.by for each in opened.review.decisions("1")] == ["Ada"]
    opened.decide(decision("2", "Eve"))
    assert [each.by for each in store.load(begun).review.decisions("2")] == ["Eve"]


def test_a_deleted_crosswalk_takes_nothing(store: CrosswalkStore, begun: str, tmp_path: Path) -> None:
    """Its folder does not come back."""
    opened = store.load(begun)
    store.remove(begun)
    with pytest.raises(CrosswalkError, match="deleted in another tab"):
        opened.decide(decision("1", "Ada"))
    assert [path.name for path in (tmp_path / "crosswalks").iterdir()] == []
    for bad in (begun, "../x", ""):
        with pytest.raises(CrosswalkError, match="no such crosswalk"):
            store.load(bad)


def test_damage_is_told(store: CrosswalkStore, begun: str, tmp_path: Path) -> None:
    """A damaged crosswalk is not listed if its card is lost, and cannot be opened."""
    folder = tmp_path / "crosswalks" / begun
    (folder / "codes.jsonl").write_text("[]\n", "utf-8")
    with pytest.raises(CrosswalkError, match="damaged"):
        store.load(begun)
    (folder / "crosswalk.json").write_text("{", "utf-8")
    assert store.listed() == []


def test_permissions(begun: str, tmp_path: Path) -> None:
    """One who may only look cannot delete."""
    looking = CrosswalkStore(tmp_path / "crosswalks", lambda act, _: act is not Act.DELETE)
    looking.load(begun)
    with pytest.raises(CrosswalkError, match="does not allow you to delete"):
        looking.remove(begun)
    assert CrosswalkStore(tmp_path / "crosswalks", lambda *_: False).listed() == []
