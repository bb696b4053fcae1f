"""What linking, retrieval and maps measure: the steps do what their names say. How long they take is not tested."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.maps.projection import Method, Projection, ProjectionSetting, project
from jobmatch_core.taxonomy import TaxonomyStore
from lab.growth import linking_growth, map_growth, retrieval_growth
from lab.growth.growth_series import GrowthSetting, Series
from lab.growth.linking_growth import WorkerWork, slipped_names

TINY = GrowthSetting(share=0.001)


def run(series: Series, size: int, folder: Path) -> Any:
    """Take all steps, and return what they worked on."""
    with series.prepare(size, folder) as work:
        for step in series.steps.values():
            step(work)
            step(work)  # the runner repeats them
    return work


@pytest.mark.long
@pytest.mark.usefixtures("use_linker_home")
def test_names_and_languages(tmp_path: Path) -> None:
    """Over so many names, or all of so many languages, an index is built, opened, and titles are linked to it."""
    names, languages, _, _ = linking_growth.linking_growth(GrowthSetting(share=0.01))
    whole = TaxonomyStore.open().load()
    assert names.sizes[-1] == round(len(whole.tables.names) * 0.01)
    assert languages.sizes[-1] == len(whole.manifest.languages)
    few = run(names, 40, tmp_path / "names").linker
    assert len(np.unique(few.index.form_names)) <= len(few.taxonomy.name_texts) == 40
    one = run(languages, 1, tmp_path / "languages").linker
    assert set(one.taxonomy.name_languages) == set(whole.manifest.languages[:1])
    assert one.link(one.taxonomy.name_texts[5]).candidates[0].probability > 0.5


@pytest.mark.usefixtures("use_linker_home")
def test_titles(tmp_path: Path) -> None:
    """The titles are distinct, and each is a name without one of its letters."""
    series = linking_growth.linking_growth(TINY)[2]
    work = run(series, 20, tmp_path)
    assert len(work._titles) == len(set(work._titles)) == 20
    taxonomy = TaxonomyStore.open().load()
    lengths = {len(name) - 1 for name in taxonomy.name_texts}
    assert {len(title) for title in slipped_names(taxonomy, 20)} <= lengths
    assert slipped_names(taxonomy, 20) == work._titles


class ThreeWorkers:
    """An engine whose tasks three processes take in turn."""

    workers = 3

    def __init__(self) -> None:
        self.tasks: list[Any] = []

    def map(self, work: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        """Say which process did a task, and how many titles it had."""
        for task in tasks:
            self.tasks.append(task)
            yield len(self.tasks) // 2 % 3, len(task)


def test_workers_are_there_before_they_are_timed() -> None:
    """Each has linked a title; then the titles are linked in chunks, none left out."""
    engine = ThreeWorkers()
    titles = [str(number) for number in range(1200)]
    work = WorkerWork(LinkerSpec(), titles, engine)  # type: ignore[arg-type]
    assert {len(task) for task in engine.tasks} == {1}
    assert len({number // 2 % 3 for number in range(1, len(engine.tasks) + 1)}) == 3
    engine.tasks.clear()
    work.link()
    assert [len(task) for task in engine.tasks] == [500, 500, 200]
    assert [title for task in engine.tasks for title in task] == titles


def test_a_taxonomy_that_is_not_there() -> None:
    """Said as everywhere."""
    with pytest.raises(TaxonomyError, match="nowhere-1"):
        linking_growth.linking_growth(GrowthSetting("nowhere-1"))


def test_profiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All are stored in blocks, no two vectors alike, some stored again with others, and a hundredth passes."""
    monkeypatch.setattr(retrieval_growth, "_BLOCK", 400)
    monkeypatch.setattr(retrieval_growth, "_CHANGED", 50)
    series = retrieval_growth.retrieval_growth(TINY)[0]
    assert series.sizes == (12, 37, 111, 333, 1000)
    with series.prepare(1000, tmp_path) as work:
        work.fill()
        store = work._store
        vectors = np.concatenate([part.segment.vectors for part in store._parts])
        assert (store.count(), len(np.unique(vectors, axis=0))) == (1000, 1000)
        assert np.linalg.norm(vectors, axis=1) == pytest.approx(1, abs=1e-5)
        first = store.search(vectors[:1], limit=1)[0][0].id
        work.update()
        assert store.count() == 1000
        assert store.search(vectors[:1], limit=1)[0][0].id != first
        work.search_all()
        work.search_few()
        work.fill()
        assert work._store is not store


@pytest.mark.parametrize("passing", [10, 100, 1000])
def test_filters(tmp_path: Path, passing: int) -> None:
    """About as many pass as the size says, of all."""
    series = retrieval_growth.retrieval_growth(GrowthSetting(share=0.01))[1]
    work = run(series, passing, tmp_path)
    assert work._store.count() == 1000
    assert abs(work._store.count(work._passing) - passing) <= 3 * passing**0.5


def test_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both projections, the figures over the first one's positions, and a half to draw."""
    asked: list[tuple[str, int]] = []

    def projected(vectors: FloatArray, setting: ProjectionSetting) -> Projection:
        asked.append((setting.method, len(vectors)))
        return project(vectors, ProjectionSetting(Method.PCA))  # UMAP takes a minute to compile

    def sampled(positions: FloatArray, count: int) -> None:
        asked.append(("sample", count))

    monkeypatch.setattr(map_growth, "project", projected)
    monkeypatch.setattr(map_growth, "density_sample", sampled)
    monkeypatch.setattr(map_growth, "map_quality", lambda vectors, flat: asked.append(("quality", len(flat))))
    [series] = map_growth.map_growth(TINY)
    run(series, 40, tmp_path)
    assert asked[::2] == [("pca", 40), ("umap", 40), ("quality", 40), ("sample", 20)]


def test_the_search_is_compiled_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are enough points for UMAP to search, it has searched before anything is timed."""
    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(map_growth, "SEARCHED", 30)
    monkeypatch.setattr(map_growth, "project", lambda vectors, setting: asked.append((setting.method, len(vectors))))
    [series] = map_growth.map_growth(TINY)
    for size in (29, 30):
        with series.prepare(size, tmp_path):
            pass
    assert asked == [("umap", 30)]
