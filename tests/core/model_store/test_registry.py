"""Promotions and roll backs: the model in use, the history's file, and no lost rows."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import save

from jobmatch_core.errors import ModelError
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Action, Registry
from jobmatch_core.settings import Settings
from tests.hostile_models import NO_WEIGHTS

AT = datetime(2026, 11, 21, 9, tzinfo=UTC)
KIND = ModelKind.TOWERS


def store(home: Path, name: str, config: dict[str, object] | None = None) -> None:
    """Write what a model's folder must hold."""
    folder = home / "models" / name
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps({"tower": {}} if config is None else config), "utf-8")
    (folder / "model.safetensors").write_bytes(NO_WEIGHTS)


@pytest.fixture
def registry(tmp_path: Path) -> Registry:
    """A registry with the towers a, b and c, and a linking model."""
    for name in "abc":
        store(tmp_path, name)
    store(tmp_path, "links", {"features": []})
    return Registry(Settings(tmp_path))


def test_nothing_was_promoted(tmp_path: Path) -> None:
    """An empty home has no history and nothing to roll back."""
    registry = Registry(Settings(tmp_path))
    assert (registry.promoted(KIND), registry.before(KIND), registry.history()) == ("", "", [])
    assert registry.names(KIND) == []
    with pytest.raises(ModelError, match="to roll back"):
        registry.roll_back(KIND, who="ann")


def test_promote_and_roll_back(registry: Registry) -> None:
    """Found: untrained. a, b promoted; back to a; c promoted; back to a; back to untrained; then nothing is left."""
    registry.keep_in_use(KIND, "untrained", at=AT)
    registry.keep_in_use(KIND, "b", at=AT)  # somebody has chosen: nothing happens
    registry.promote(KIND, "a", who="ann", why="better", at=AT)
    registry.promote(KIND, "b", who="bob", at=AT)
    seen = [registry.promoted(KIND)]
    registry.roll_back(KIND, who="ann", why="worse in German", at=AT)
    seen.append(registry.promoted(KIND))
    registry.promote(KIND, "c", who="ann", at=AT)
    for _ in range(2):
        seen.append(registry.before(KIND))
        registry.roll_back(KIND, who="ann", at=AT)
    assert [*seen, registry.promoted(KIND)] == ["b", "a", "a", "untrained", "untrained"]
    with pytest.raises(ModelError, match="to roll back"):
        registry.roll_back(KIND, who="ann")
    rows = registry.history(KIND)
    assert [(row.action, row.before, row.after) for row in rows[:4]] == [
        (Action.FOUND, "", "untrained"),
        (Action.PROMOTED, "untrained", "a"),
        (Action.PROMOTED, "a", "b"),
        (Action.ROLLED_BACK, "b", "a"),
    ]
    assert (rows[3].who, rows[3].why, rows[3].at) == ("ann", "worse in German", "2026-11-21T09:00:00+00:00")


def test_kinds_are_apart(registry: Registry) -> None:
    """Each kind has its own models and history."""
    assert (sorted(registry.names(KIND)), registry.names(ModelKind.LINKING)) == (["a", "b", "c"], ["links"])
    registry.promote(KIND, "a", who="ann")
    registry.promote(ModelKind.LINKING, "links", who="ann")
    assert (registry.promoted(KIND), registry.promoted(ModelKind.LINKING)) == ("a", "links")
    with pytest.raises(ModelError, match="'links' is a model of kind linking, not towers"):
        registry.promote(KIND, "links", who="ann")


@pytest.mark.parametrize("name", ["d", "", "../a", "a/../b", "."])
def test_what_is_not_there_is_not_promoted(registry: Registry, name: str) -> None:
    """The error lists the existing names, and nothing is written."""
    with pytest.raises(ModelError, match=r"there are .*untrained"):
        registry.promote(KIND, name, who="ann")
    assert registry.history() == []


def test_half_a_model_is_none(registry: Registry, tmp_path: Path) -> None:
    """A model without weights is not promoted; an unfinished one is not listed."""
    (tmp_path / "models" / "a" / "model.safetensors").unlink()
    with pytest.raises(ModelError, match="no model 'a'"):
        registry.promote(KIND, "a", who="ann")
    (tmp_path / "models" / "b").rename(tmp_path / "models" / ".b.tmp-1")
    assert sorted(registry.names(KIND)) == ["a", "c"]


def test_what_was_there_before_is_gone(registry: Registry, tmp_path: Path) -> None:
    """A roll back to a removed model is refused, and the model in use stays."""
    registry.promote(KIND, "a", who="ann")
    registry.promote(KIND, "b", who="ann")
    (tmp_path / "models" / "a" / "config.json").unlink()
    with pytest.raises(ModelError, match="no model 'a'"):
        registry.roll_back(KIND, who="ann")
    assert registry.promoted(KIND) == "b"
    with pytest.raises(ModelError, match="b is already in use"):
        registry.promote(KIND, "b", who="ann")


@pytest.mark.parametrize("content", ["{", "[]", '{"format": 2}', '{"format": 1, "history": [{"kind": 1}]}'])
def test_a_damaged_history(registry: Registry, tmp_path: Path, content: str) -> None:
    """It is never overwritten; the error gives its path."""
    registry.promote(KIND, "a", who="ann")
    path = tmp_path / "promoted" / "history.json"
    path.write_text(content, "utf-8")
    for act in (lambda: registry.promoted(KIND), lambda: registry.promote(KIND, "b", who="ann")):
        with pytest.raises(ModelError, match=r"history\.json"):
            act()
    assert path.read_text("utf-8") == content


def test_many_at_once_lose_no_row(registry: Registry) -> None:
    """Promotions of eight threads are all in the history."""

    def work(number: int) -> int:
        done = 0
        for step in range(10):
            try:
                registry.promote(KIND, "abc"[(number + step) % 3], who=str(number))
                done += 1
            except ModelError as error:
                assert "already in use" in str(error)  # noqa: PT017  # another thread was first
        return done

    with ThreadPoolExecutor(8) as pool:
        done = sum(pool.map(work, range(8)))
    rows = registry.history(KIND)
    assert len(rows) == done
    assert all(row.before == before.after for before, row in pairwise(rows))


@given(st.lists(st.sampled_from(["a", "b", "c", "back"]), max_size=12))
def test_it_is_a_stack(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    """The registry equals a stack kept by hand."""
    home = tmp_path_factory.mktemp("home")
    for name in "abc":
        store(home, name)
    registry = Registry(Settings(home))
    registry.keep_in_use(KIND, "untrained")
    stack = ["untrained"]
    for step in steps:
        if step == "back" and len(stack) > 1:
            stack.pop()
            registry.roll_back(KIND, who="ann")
        elif step not in ("back", stack[-1]):
            stack.append(step)
            registry.promote(KIND, step, who="ann")
        assert registry.promoted(KIND) == stack[-1]
        assert registry.before(KIND) == (stack[-2] if len(stack) > 1 else "")


def test_weights_that_are_no_numbers(registry: Registry, tmp_path: Path) -> None:
    """Damaged weights and NaN are not promoted."""
    store(tmp_path, "damaged")
    weights = tmp_path / "models" / "damaged" / "model.safetensors"
    for content in (save({"a": np.array([1, np.nan])}), b"cut short"):
        weights.write_bytes(content)
        with pytest.raises(ModelError, match="The model damaged cannot be put into use"):
            registry.promote(KIND, "damaged", who="ann")
    weights.write_bytes(save({"a": np.array([1.5])}))
    registry.promote(KIND, "damaged", who="ann")
    assert registry.promoted(KIND) == "damaged"
