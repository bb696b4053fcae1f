"""Maps are computed, cached, sampled and aligned."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import MapError
from jobmatch_core.maps import latent_map
from jobmatch_core.maps.items import CATEGORY, ItemKind, Items
from jobmatch_core.maps.latent_map import (
    LatentMap,
    encoded,
    followed,
    make_map,
    nearest_items,
    projected,
    quality_figures,
    quality_note,
    quality_of,
)
from jobmatch_core.maps.models import cached_arrays, digest
from jobmatch_core.maps.projection import Method, ProjectionSetting
from jobmatch_core.settings import Settings

TITLES = tuple(f"{level} {trade}" for trade in ("nurse", "cook", "driver", "baker", "roofer") for level in "abcdefgh")
PCA, TSNE = ProjectionSetting(Method.PCA), ProjectionSetting(Method.TSNE, perplexity=5)


@pytest.fixture
def items() -> Items:
    """Forty titles."""
    return Items(ItemKind.TITLES, "made", tuple(map(str, range(len(TITLES)))), TITLES)


@pytest.fixture
def settings(jobmatch_home: Path) -> Settings:
    """Return a home for the caches."""
    return Settings(jobmatch_home)


def test_what_was_made_is_kept(items: Items, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same vectors, method and parameters are cached; another seed is not."""
    first = make_map(items, "tf-idf", TSNE, settings)
    monkeypatch.setattr(latent_map, "project", lambda *args, **kwargs: pytest.fail("made again"))
    again = projected(first, TSNE, settings)
    assert (again.positions == first.positions).all()
    with pytest.raises(pytest.fail.Exception, match="made again"):
        projected(first, replace(TSNE, seed=1), settings)


def test_a_damaged_one_is_made_again(settings: Settings) -> None:
    """A damaged cache is logged and computed again."""
    made: list[int] = []

    def make() -> dict[str, FloatArray]:
        made.append(1)
        return {"x": np.ones((2, 2), dtype=np.float32)}

    key = digest("a", np.zeros(3))
    assert (cached_arrays(key, make, settings)["x"] == cached_arrays(key, make, settings)["x"]).all()
    assert len(made) == 1
    for times, content in enumerate((b"broken", b"", (settings.caches / "maps" / key / "x.npy").read_bytes()[:-1]), 2):
        (settings.caches / "maps" / key / "x.npy").write_bytes(content)
        assert cached_arrays(key, make, settings)["x"].shape == (2, 2)
        assert len(made) == times
    assert digest("a", np.zeros(3)) != digest("a", np.zeros((3, 1))) != digest("a", np.ones(3))


def test_some_stand_for_all(items: Items, settings: Settings) -> None:
    """A sampled map gives the number of all items, and its columns stay aligned."""
    whole, some = encoded(items, "tf-idf", settings), encoded(items, "tf-idf", settings, most=15)
    assert (len(some.items), some.of, some.sampled) == (15, len(items), True)
    rows = [int(id_) for id_ in some.items.ids]
    assert (some.vectors == whole.vectors[rows]).all()
    assert (some.positions == whole.positions[rows]).all()
    assert not whole.sampled


def test_another_model_is_laid_on_the_first(items: Items, settings: Settings) -> None:
    """The other map has the same items, centre and size."""
    first = make_map(items, "tf-idf", PCA, settings)
    other = followed(first, "titles", settings)
    assert other.items is first.items
    assert other.model == "titles"
    assert other.positions.mean(axis=0) == pytest.approx(first.positions.mean(axis=0), abs=1e-4)
    assert other.vectors.shape != first.vectors.shape


def test_quality_in_words(latent: LatentMap) -> None:
    """Every figure has a meaning; a map with one language has no mixing."""
    quality = quality_of(latent)
    named = {figure.name: figure for figure in quality_figures(quality)}
    assert list(named) == [
        "trustworthiness",
        "continuity",
        "neighbours kept",
        f"silhouette by {CATEGORY}",
        "language mixing",
    ]
    assert all(len(figure.meaning) > 40 for figure in named.values())
    assert "PCA of 60 points, model made: trustworthiness" in quality_note(latent, quality)
    plain = replace(latent, items=replace(latent.items, fields={}))
    assert [figure.name for figure in quality_figures(quality_of(plain))] == list(named)[:3]


def test_too_few_items(items: Items, settings: Settings) -> None:
    """The error comes before a model is loaded."""
    with pytest.raises(MapError, match="at least 4 points, not 2"):
        make_map(items.take([0, 1]), "titles", PCA, settings)


def test_neighbours_are_those_of_the_space(latent: LatentMap) -> None:
    """Neighbours are ordered by the cosine distance of the vectors, without the item itself."""
    distances = 1 - latent.vectors @ latent.vectors[7]
    expected = [row for row in np.argsort(distances) if row != 7][:10]
    found = nearest_items(latent, 7)
    assert [each.row for each in found] == expected
    assert [each.distance for each in found] == pytest.approx(distances[expected], abs=1e-5)


def test_no_more_than_there_are(latent: LatentMap) -> None:
    """A large k returns all other items."""
    assert len(nearest_items(latent, 0, k=99)) == len(latent.items) - 1
