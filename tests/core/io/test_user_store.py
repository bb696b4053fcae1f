"""Pasted texts are found by their id only."""

import json
import os
import time
from functools import partial
from itertools import product
from pathlib import Path

import pytest

from jobmatch_core.errors import TextError
from jobmatch_core.io.ownership import UNOWNED, Act, Ownership
from jobmatch_core.io.user_store import StoredText, TextStore
from jobmatch_core.settings import Settings

FIELDS = {"title": "Bäcker\u202e", "text": "<b>Teig</b>\n\ud83d\0"}


@pytest.fixture
def store(tmp_path: Path) -> TextStore:
    """An empty store."""
    return TextStore.open("postings", Settings(tmp_path))


def test_a_text_comes_back(store: TextStore) -> None:
    """It is unchanged, and each copy has its own id."""
    first, second = store.add(FIELDS), store.add({"title": "x"})
    assert store.read(first) == FIELDS
    assert store.read(second) == {"title": "x"}
    assert len(first) == 22


def test_a_text_of_an_older_release_comes_back(store: TextStore, tmp_path: Path) -> None:
    """Such a file has only the fields, with any names, and no owner."""
    for number, fields in enumerate(({"title": "Koch", "description": ""}, {"fields": "arable"}, {})):
        path = tmp_path / "texts" / "postings" / f"{number:022}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(fields))
        assert store.stored(path.stem) == StoredText(fields, UNOWNED)


def test_sharing_keeps_text_owner_and_age(store: TextStore, tmp_path: Path) -> None:
    """Sharing can be revoked."""
    text_id = store.add(FIELDS, "ada")
    path = tmp_path / "texts" / "postings" / f"{text_id}.json"
    os.utime(path, (1_000_000_000,) * 2)
    store = TextStore(path.parent)
    for shared in (True, False):
        store.share(text_id, shared=shared)
        assert store.stored(text_id) == StoredText(FIELDS, Ownership("ada", shared))
        assert path.stat().st_mtime == 1_000_000_000


def test_a_text_that_may_not_be_opened_is_answered_as_a_missing_one(store: TextStore, tmp_path: Path) -> None:
    """The messages are equal; a text that may only be opened can be neither shared nor deleted."""
    text_id = store.add(FIELDS, "ada")
    stranger = TextStore.open("postings", Settings(tmp_path), lambda act, ownership: ownership.owner != "ada")
    answers = set()
    for act, missing in product((stranger.read, stranger.remove, partial(stranger.share, shared=True)), (False, True)):
        with pytest.raises(TextError) as caught:
            act("x" * 22 if missing else text_id)
        answers.add(str(caught.value))
    assert len(answers) == 1
    reader = TextStore.open("postings", Settings(tmp_path), lambda act, ownership: act is Act.OPEN)
    with pytest.raises(TextError, match=r"not delete it\. Ask its owner or an administrator"):
        reader.remove(text_id)
    with pytest.raises(TextError, match="not share it"):
        reader.share(text_id, shared=True)
    assert store.stored(text_id) == StoredText(FIELDS, Ownership("ada"))


def test_a_text_is_deleted(store: TextStore) -> None:
    """It cannot be opened any more."""
    text_id = store.add(FIELDS)
    store.remove(text_id)
    with pytest.raises(TextError, match="There is no such text here"):
        store.read(text_id)


def test_kinds_are_apart(store: TextStore, tmp_path: Path) -> None:
    """The id of a posting does not open a project."""
    text_id = store.add(FIELDS)
    with pytest.raises(TextError, match="no such text"):
        TextStore.open("projects", Settings(tmp_path)).read(text_id)


def test_old_texts_are_removed(store: TextStore, tmp_path: Path) -> None:
    """They are removed after 90 days, or never, as set."""
    text_id = store.add(FIELDS)
    path = tmp_path / "texts" / "postings" / f"{text_id}.json"
    os.utime(path, (time.time() - 91 * 24 * 3600,) * 2)
    assert TextStore.open("postings", Settings(tmp_path, keep_days=0)).read(text_id) == FIELDS
    with pytest.raises(TextError, match="older than 90 days"):
        store.read(text_id)
    assert not path.exists()


@pytest.mark.parametrize("text_id", ["", "../../jobmatch", "x" * 22, "Read as: a whole text", "a" * 5000, "\0"])
def test_an_unknown_id_is_said(store: TextStore, text_id: str) -> None:
    """Another text in place of an id is refused, too."""
    store.add(FIELDS)
    for act in (store.read, store.remove):
        with pytest.raises(TextError, match="no such text"):
            act(text_id)


@pytest.mark.parametrize("damage", [b"", b"null", b'{"title": 1}', b"\xff\xfe", b'{"title": "a"'])
def test_a_damaged_text_is_said(store: TextStore, tmp_path: Path, damage: bytes) -> None:
    """A TextError is raised."""
    text_id = store.add(FIELDS)
    (tmp_path / "texts" / "postings" / f"{text_id}.json").write_bytes(damage)
    with pytest.raises(TextError, match="damaged"):
        store.read(text_id)


def test_a_disk_that_refuses_is_said(tmp_path: Path) -> None:
    """The message says what to do."""
    (tmp_path / "texts").write_text("a file in the folder's place")
    with pytest.raises(TextError, match="could not be stored"):
        TextStore.open("postings", Settings(tmp_path)).add(FIELDS)
