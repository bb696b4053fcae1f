"""What judged titles bring the linker: simulated on strange titles of the bundled taxonomy."""

from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.retraining import linker_retraining
from jobmatch_core.settings import Settings
from lab.experiments.judged_titles import STATES, judge_titles

FIRM = ("zorblatt", "quuxly")  # words of a firm's own, which no taxonomy has


@pytest.fixture
def linker(linker_home: Path) -> Linker:
    """The linker of the bundled taxonomy, to be read only."""
    return open_linker(settings=Settings(linker_home))


@pytest.fixture
def titles(linker: Linker, tmp_path: Path) -> Path:
    """Titles of a firm that calls its bakers zorblatts and its dentists quuxlies, one of them twice."""
    path = tmp_path / "titles.csv"
    uris = [linker.link(name).candidates[0].uri for name in ("baker", "dentist")]
    rows = [f"{word} {place},{uri}" for place in "abcdefghijkl" for word, uri in zip(FIRM, uris, strict=True)]
    path.write_text("\n".join(["vacancyTitle,conceptUri", *rows, f"Zorblatt  A,{uris[0]}", "x,http://gone"]), "utf-8")
    return path


@pytest.mark.long
def test_every_way_to_learn_helps(linker: Linker, titles: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows those words before; own names find them, the moved head finds them, and so do both."""
    monkeypatch.setattr(linker_retraining, "_BENCHMARK_NAMES", 20)
    monkeypatch.setattr(linker_retraining, "_ANCHORS", 20)
    told: list[tuple[int, int]] = []
    found = judge_titles(linker, titles, [4, 16], progress=lambda *step: told.append(step))
    assert [(each.judged, each.state) for each in found] == [
        (0, STATES[0]),
        *((count, state) for count in (4, 16) for state in STATES[1:]),
    ]
    assert {each.titles for each in found} == {8}
    before, *_, names, retrained, both = found
    assert before.accuracy == 0
    assert min(names.mrr, retrained.mrr, both.mrr) > before.mrr + 0.3
    assert retrained.head_strength
    assert (before.head_strength, names.head_strength) == (None, None)
    assert told[-1] == (2, 2)
    assert judge_titles(linker, titles, [4])[0].titles == 20
    assert linker.moves is None


def test_too_few_titles(linker: Linker, titles: Path) -> None:
    """One that is there twice, and one of another taxonomy, do not count."""
    with pytest.raises(DataFileError, match="24 titles are of isco-08; judge fewer"):
        judge_titles(linker, titles, [24])
