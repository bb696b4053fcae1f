"""Lists on disk: nothing is lost or doubled by concurrent work, crashes or damaged files."""

import gzip
import os
import time
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import partial
from pathlib import Path

import pytest

from jobmatch_core.entities import Candidate, Evidence, LinkResult
from jobmatch_core.errors import LinkingError
from jobmatch_core.io.ownership import Act, Ownership
from jobmatch_core.io.typed_text import typed
from jobmatch_core.link_reasons import UNKNOWN_WORD
from jobmatch_core.linking.decisions import ACCEPTED, CHANGED, NONE_OF_THESE
from jobmatch_core.linking.list_facets import Facet, ReviewFilter
from jobmatch_core.linking.list_store import ListStore
from jobmatch_core.linking.review import ListOptions
from jobmatch_core.linking.stored_list import StoredList, change_card
from tests.core.linking.made_candidates import COOK, GROUP, NURSE

OPTIONS = ListOptions("tiny-1", ("de", "fr"), "en", 3, precision=0.95)
BY_HAND = Candidate("baker", "baker", "7512", 0.0, Evidence("baker", "en", {}))


class _Linker:
    """Stand-in for the linker: links every title to a cook, with a nurse as alternative."""

    def with_precision_if_fitted(self, precision: float) -> "_Linker":
        """Return itself, whatever the precision."""
        return self

    def link_all(self, titles: list[str], *, languages: tuple[str, ...], show: str, top: int) -> list[LinkResult]:
        return [LinkResult(title, (COOK, NURSE), False, None, "tiny-1", ("(m/w/d)",)) for title in titles]


@pytest.fixture
def store(tmp_path: Path) -> ListStore:
    """An empty store."""
    return ListStore(tmp_path / "lists", keep_days=90)


def made(store: ListStore, *titles: str, linked: bool = True) -> StoredList:
    """Store a list with its links."""
    stored = store.new([{"id": n, "title": title} for n, title in enumerate(titles)], "title", OPTIONS)
    while linked and stored.review.running:
        stored.review.step(_Linker(), 2)  # type: ignore[arg-type]
    return stored


def statuses(stored: StoredList) -> list[str]:
    """Return the status of each row."""
    return [stored.review.status(number) for number in range(len(stored.review.results))]


class _Puzzled(_Linker):
    """Stand-in for the linker: no name has the words of a title."""

    def link_all(self, titles: list[str], *, languages: tuple[str, ...], show: str, top: int) -> list[LinkResult]:
        return [
            LinkResult(title, (COOK,), True, None, "tiny-1", (), reason=UNKNOWN_WORD, unknown=tuple(title.split()))
            for title in titles
        ]


def test_unknown_words_are_stored(store: ListStore) -> None:
    """A list that is opened again can be filtered by them."""
    stored = made(store, "vibe master", "xkcd", linked=False)
    stored.review.step(_Puzzled(), 2)  # type: ignore[arg-type]
    again = store.load(stored.id).review
    assert [result.unknown for result in again.results] == [("vibe", "master"), ("xkcd",)]
    assert ReviewFilter().sift(again).counts[Facet.WORD] == {"vibe": 1, "master": 1, "xkcd": 1}


def test_a_list_of_an_older_release_without_unknown_words_opens(store: ListStore) -> None:
    """It has none, and the rest of its links."""
    stored = made(store, "vibe", linked=False)
    stored.review.step(_Puzzled(), 1)  # type: ignore[arg-type]
    part = store._folder / stored.id / "links" / "0000000.gz"
    lines = gzip.decompress(part.read_bytes())
    older = lines.replace(b',"unknown":["vibe"]', b"")
    assert len(older) < len(lines)
    part.write_bytes(gzip.compress(older))
    [result] = store.load(stored.id).review.results
    assert result == replace(stored.review.results[0], unknown=())


def test_a_list_is_opened_again_with_its_decisions(store: ListStore) -> None:
    """Rows, options, links, and the last decision of each row, of every kind."""
    stored = made(store, "a", "b", "c", "d", "e")
    stored.review.decide({0: COOK})
    stored.review.decide({1: NURSE})
    stored.review.decide({2: None})
    stored.review.decide({3: BY_HAND})
    stored.review.decide({0: NURSE})
    stored.review.undo()
    again = store.load(stored.id)
    assert statuses(again) == [ACCEPTED, CHANGED, NONE_OF_THESE, CHANGED, "unsure"]
    assert again.review.choice(3) == BY_HAND
    assert (again.review.rows, again.review.results) == (stored.review.rows, stored.review.results)
    assert (again.card, again.card.options) == (stored.card, OPTIONS)
    assert not again.review.running


def test_numbers_and_dates_of_a_workbook_are_kept(store: ListStore) -> None:
    """They are written as such again; other cells come back as they were."""
    row = {"title": "cook", "pay": typed(2.5), "since": typed(datetime(2024, 1, 5)), "own": {"jobmatch": "1"}}
    [again] = store.load(store.new([row], "title", OPTIONS).id).review.rows
    assert again == row
    assert [cell.value for cell in (again["pay"], again["since"])] == [2.5, date(2024, 1, 5)]


def test_a_unit_group_is_a_decision_of_its_own(store: ListStore) -> None:
    """Annotator and time are stored, and restored by an undo."""
    stored = made(store, "a", "b")
    stored.review.decide({0: GROUP, 1: COOK}, "Ann")
    before = [row["decided_at"] for row in stored.review.to_rows()]
    stored.review.decide({0: None}, "Bob")
    stored.review.undo()
    again = store.load(stored.id).review
    assert (again.group(0), again.choice(0), again.status(0)) == (GROUP, None, CHANGED)
    rows = list(again.to_rows())
    assert [row["decided_by"] for row in rows] == ["Ann", "Ann"]
    assert [row["decided_at"] for row in rows] == before
    assert all(datetime.fromisoformat(at).tzinfo == UTC for at in before)
    assert store.listed()[0].decided == 2


def test_decisions_of_older_releases_are_read(store: ListStore, tmp_path: Path) -> None:
    """Their log has no annotators."""
    stored = made(store, "a", "b", "c")
    log = tmp_path / "lists" / stored.id / "decisions.jsonl"
    log.write_text('{"at":"2026-05-03T10:00:00+00:00","rows":{"0":"cook","1":"","2":null}}\n')
    again = store.load(stored.id)
    assert statuses(again) == [ACCEPTED, NONE_OF_THESE, "unsure"]
    first = next(again.review.to_rows())
    assert (first["decided_by"], first["decided_at"]) == (None, "2026-05-03T10:00:00+00:00")


def written(path: Path) -> tuple[int, ...]:
    """Return what changes with a file's content or place, but not with its being read."""
    stat = path.stat()
    return stat.st_ino, stat.st_mode, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns


def test_a_decision_rewrites_nothing(store: ListStore, tmp_path: Path) -> None:
    """It appends a few bytes, however long the list is."""
    stored = made(store, *["a"] * 50)
    folder = tmp_path / "lists" / stored.id
    before = {path: written(path) for path in folder.rglob("*") if path.name != "decisions.jsonl"}
    stored.review.decide({7: COOK})
    stored.review.decide({8: None})
    assert (folder / "decisions.jsonl").stat().st_size < 200
    assert all(written(path) == state for path, state in before.items() if path.is_file())


def test_interrupted_linking_resumes(store: ListStore) -> None:
    """Linking resumes after the last stored link."""
    stored = made(store, "a", "b", "c", "d", "e", linked=False)
    stored.review.step(_Linker(), 2)  # type: ignore[arg-type]
    again = store.load(stored.id)
    assert [result.title for result in again.review.results] == ["a", "b"]
    again.review.resume()
    while again.review.running:
        again.review.step(_Linker(), 2)  # type: ignore[arg-type]
    assert [result.title for result in store.load(stored.id).review.results] == list("abcde")


def test_two_tabs_link_one_list_once(store: ListStore) -> None:
    """Both link at the same time, in any order."""
    first = made(store, *"abcdefg", linked=False)
    second = store.load(first.id)
    second.review.resume()
    for stored in (first, second, second, first, first, second, second, first):
        if stored.review.running:
            stored.review.step(_Linker(), 2)  # type: ignore[arg-type]
        stored.refresh()
    assert [result.title for result in store.load(first.id).review.results] == list("abcdefg")
    assert first.review.results == second.review.results
    assert not first.review.running
    assert not second.review.running


def test_two_tabs_see_each_others_decisions(store: ListStore) -> None:
    """Each keeps the other's decisions; its undo does not change them."""
    first = made(store, "a", "b", "c")
    second = store.load(first.id)
    first.review.decide({0: COOK})
    assert second.refresh() == {0}
    second.review.decide({1: None})
    second.review.decide({0: NURSE})
    assert first.refresh() == {0, 1}
    first.review.undo()
    assert statuses(first) == statuses(store.load(first.id)) == [CHANGED, NONE_OF_THESE, "unsure"]


def test_a_decision_of_another_tab_is_reported(store: ListStore) -> None:
    """The other tab's decision stands until it was seen."""
    first = made(store, "a", "b")
    second = store.load(first.id)
    first.review.decide({1: NURSE})
    with pytest.raises(LinkingError, match="Row 2 was decided in another tab meanwhile"):
        second.review.decide({1: None})
    assert statuses(second) == ["unsure", CHANGED]
    second.review.decide({1: None})
    assert statuses(store.load(first.id)) == ["unsure", NONE_OF_THESE]


def test_a_line_that_was_cut_off_is_no_decision(store: ListStore, tmp_path: Path) -> None:
    """The next decision replaces a partial line of a crash or full disk."""
    stored = made(store, "a", "b")
    stored.review.decide({0: COOK})
    log = tmp_path / "lists" / stored.id / "decisions.jsonl"
    whole = log.read_bytes()
    log.write_bytes(whole + b'{"at": "2026-11-22", "rows": {"1": "nu')
    again = store.load(stored.id)
    assert statuses(again) == [ACCEPTED, "unsure"]
    assert store.listed()[0].decided == 1
    again.review.decide({1: NURSE})
    assert statuses(store.load(stored.id)) == [ACCEPTED, CHANGED]
    assert log.read_bytes().startswith(whole)


def test_lists_are_listed_named_and_removed(store: ListStore) -> None:
    """The last used first, with the number of decisions."""
    old, new = made(store, "  nurse\n", "cook"), made(store, "baker")
    os.utime(store._folder / old.id / "list.json", (time.time() - 1000,) * 2)
    os.utime(store._folder / old.id / "decisions.jsonl", (time.time() - 1000,) * 2)
    assert [(entry.id, entry.card.name) for entry in store.listed()] == [
        (new.id, "baker"),
        (old.id, "nurse and 1 more"),
    ]
    old.review.decide({0: None})
    store.rename(old.id, " Vacancies of \t November ")
    first = store.listed()[0]
    assert (first.card.name, first.decided, first.card.rows) == ("Vacancies of November", 1, 2)
    with pytest.raises(LinkingError, match="at least one letter"):
        store.rename(old.id, " ")
    store.remove(old.id)
    assert [entry.id for entry in store.listed()] == [new.id]
    with pytest.raises(LinkingError, match="deleted in another tab"):
        old.review.decide({1: None})
    assert [path.name for path in store._folder.iterdir()] == [new.id]


def test_sharing_keeps_name_and_owner(store: ListStore) -> None:
    """Sharing can be withdrawn; renaming keeps it."""
    stored = store.new([{"title": "a"}], "title", OPTIONS, owner="ada")
    assert stored.card.ownership == Ownership("ada")
    store.share(stored.id, shared=True)
    store.rename(stored.id, "November")
    assert store.load(stored.id).card == replace(stored.card, name="November", ownership=Ownership("ada", shared=True))
    store.share(stored.id, shared=False)
    assert store.listed()[0].card == replace(stored.card, name="November")


def test_a_forbidden_list_is_reported_as_missing(store: ListStore) -> None:
    """With the same message; a list that may only be opened cannot be renamed, shared or deleted."""
    stored = store.new([{"title": "a"}], "title", OPTIONS, owner="ada")
    answers = set()
    for allowed in (lambda act, ownership: ownership.owner != "ada", lambda act, ownership: act is Act.OPEN):
        other = ListStore(store._folder, 90, allowed)
        assert other.listed() == []
        acts = (other.remove, partial(other.rename, name="b"), partial(other.share, shared=True))
        for act in acts if other._allowed(Act.OPEN, stored.card.ownership) else (other.load, *acts):
            with pytest.raises(LinkingError) as caught:
                act(stored.id)
            answers.add(str(caught.value))
    with pytest.raises(LinkingError) as caught:
        store.load("x" * 22)
    refused = {
        f"You may open this list, but not {act} it. Ask its owner or an administrator."
        for act in ("delete", "rename", "share")
    }
    assert answers == {str(caught.value)} | refused
    assert store.load(stored.id).card == stored.card


def test_a_change_does_not_bring_back_a_deleted_list(tmp_path: Path) -> None:
    """Locking leaves no empty folder either."""
    with pytest.raises(FileNotFoundError):
        change_card(tmp_path / "deleted", lambda card: replace(card, name="b"))
    assert list(tmp_path.iterdir()) == []


def test_a_list_that_is_no_longer_shared_takes_no_decision(store: ListStore) -> None:
    """Not even from a tab that has it open; the name that the guest last saw is shown."""
    stored = store.new([{"title": "a"}], "title", OPTIONS, owner="ada")
    stored.review.step(_Linker(), 1)  # type: ignore[arg-type]
    store.share(stored.id, shared=True)
    guest = ListStore(store._folder, 90, lambda act, ownership: ownership.shared).load(stored.id)
    store.rename(stored.id, "November")
    guest.review.decide({0: COOK})
    assert guest.card.name == "November"
    store.share(stored.id, shared=False)
    store.rename(stored.id, "of the owner alone")
    for act in (guest.refresh, partial(guest.review.decide, {0: None})):
        with pytest.raises(LinkingError, match="'November' is no longer shared with you"):
            act()
    assert statuses(store.load(stored.id)) == [ACCEPTED]


def test_unused_lists_are_removed(store: ListStore) -> None:
    """When any list is opened; opening counts as use, and 0 days keep lists for ever."""
    stored, used = made(store, "a"), made(store, "b")
    for unused in (stored, used):
        for name in ("list.json", "decisions.jsonl"):
            os.utime(store._folder / unused.id / name, (time.time() - 91 * 24 * 3600,) * 2)
    forever = ListStore(store._folder)
    assert len(forever.listed()) == 2
    forever.load(used.id)
    assert [entry.id for entry in store.listed()] == [used.id]
    with pytest.raises(LinkingError, match="nobody used it for 90 days"):
        store.load(stored.id)


@pytest.mark.parametrize("list_id", ["", "..", "../lists", "x" * 22, "a" * 5000, "a/b", "\0"])
def test_an_unknown_id_is_refused(store: ListStore, list_id: str) -> None:
    """It never leads elsewhere on the disk."""
    made(store, "a")
    for act in (store.load, store.remove):
        with pytest.raises(LinkingError, match="There is no such list here"):
            act(list_id)


@pytest.mark.parametrize("name", ["list.json", "rows.jsonl", "links/0000000.gz", "decisions.jsonl"])
@pytest.mark.parametrize("damage", [None, b"", b"\x1f\x8b\x08\x00junk", b"null\n", b'{"rows": {"0": "x"}}\n', b"[1]\n"])
def test_a_damaged_list_is_reported_or_read(store: ListStore, name: str, damage: bytes | None) -> None:
    """No traceback; other lists are still listed."""
    stored, other = made(store, "a", "b"), made(store, "c")
    path = store._folder / stored.id / name
    path.unlink() if damage is None else path.write_bytes(damage)
    assert other.id in [entry.id for entry in store.listed()]
    unfinished = name == "decisions.jsonl" and damage is not None and not damage.endswith(b"\n")
    if unfinished or (name, damage) == ("links/0000000.gz", None):
        assert len(store.load(stored.id).review.rows) == 2
    else:
        with pytest.raises(LinkingError, match="damaged"):
            store.load(stored.id)


def test_a_full_disk_is_reported(store: ListStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """The decision is not taken, in memory or on disk."""
    stored = made(store, "a")

    def full(self: StoredList, line: bytes) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(StoredList, "_append", full)
        with pytest.raises(LinkingError, match=r"could not be written \(No space left on device\)"):
            stored.review.decide({0: COOK})
    assert statuses(stored) == ["unsure"]
    assert not stored.review.can_undo
    stored.review.decide({0: COOK})
    assert statuses(store.load(stored.id)) == [ACCEPTED]


def test_ids_cannot_be_guessed(store: ListStore) -> None:
    """128 random bits, in characters that are safe in URLs."""
    ids = {made(store, "a").id for _ in range(20)}
    assert len(ids) == 20
    assert {len(list_id) for list_id in ids} == {22}
    assert replace(made(store, "a").card, created="") == replace(made(store, "a").card, created="")
