"""Indexes on disk: built once, opened again, rebuilt when out of date, and mended where damaged."""

import errno
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from jobmatch_core.entities import Encoder
from jobmatch_core.errors import LinkingError, TaxonomyError
from jobmatch_core.linking import Linker, open_linker, store
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.taxonomy import Taxonomy


@pytest.fixture
def home(tmp_path: Path, settings: Settings, tiny: Linker) -> Settings:
    """Copy the session's home, in which both linkers are built, to one that may be changed."""
    shutil.copytree(settings.home, tmp_path / "home")
    return Settings(home=tmp_path / "home")


@pytest.fixture
def no_building(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make building an index fail."""

    def build(*args: object, **options: object) -> NameIndex:
        raise AssertionError("an index was built")

    monkeypatch.setattr(NameIndex, "build", build)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Count which taxonomies are indexed."""
    counted: list[str] = []
    build = NameIndex.build

    def counting(taxonomy: Taxonomy, encoder: Encoder | None = None, **options: object) -> NameIndex:
        counted.append(taxonomy.id)
        return build(taxonomy, encoder)

    monkeypatch.setattr(NameIndex, "build", counting)
    return counted


def folders(settings: Settings) -> list[str]:
    """Return the names of all that lies beside the indexes."""
    return sorted(path.name for path in settings.indexes.iterdir())


@pytest.mark.usefixtures("no_building")
@pytest.mark.parametrize("taxonomy_id", ["isco-08", "tiny-1"])
def test_an_index_is_built_once(home: Settings, bundled: Linker, tiny: Linker, taxonomy_id: str) -> None:
    """Opened again, it is loaded, and answers as the first one did."""
    linker = open_linker(taxonomy_id, settings=home)
    first = {"isco-08": bundled, "tiny-1": tiny}[taxonomy_id]
    assert linker.calibration == first.calibration
    titles = ["Koch", "bus driver", "infirmière", "developer", "qqqq"]
    assert linker.link_all(titles) == first.link_all(titles)
    assert linker.link_all(titles, languages=["de"]) == first.link_all(titles, languages=["de"])


def test_nothing_is_left_beside_an_index(settings: Settings, tiny: Linker) -> None:
    """No temporary folder; no pickle; the stamp says what it was built from."""
    assert [name for name in folders(settings) if "+" not in name] == ["isco-08", "tiny-1"]
    stamp = json.loads((settings.indexes / "tiny-1" / "stamp.json").read_text("utf-8"))
    assert stamp == {"format": store.FORMAT, "source_hash": tiny.taxonomy.manifest.source_hash, "encoder": ""}
    assert {path.suffix for path in settings.indexes.rglob("*.*")} <= {".npy", ".txt", ".json"}


def test_few_names_take_the_bundled_calibration(bundled: Linker, tiny: Linker) -> None:
    """A hundred names cannot say how titles differ from them."""
    assert len(tiny.index.texts) < store.MIN_ENTRIES
    assert tiny.calibration == bundled.calibration


def test_a_changed_taxonomy_is_indexed_again(home: Settings, tiny_csv: Path, tmp_path: Path, built: list[str]) -> None:
    """A name that was added is found; the bundled index stays."""
    changed = tmp_path / "tiny.csv"
    changed.write_text(tiny_csv.read_text("utf-8").replace("line cook|", "pizzaiolo|"), "utf-8")
    TaxonomyStore.open(home).import_from(changed, name="tiny", version="1", replace=True)
    linker = open_linker("tiny-1", settings=home)
    assert built == ["tiny-1"]
    assert linker.link("pizzaiolo").candidates[0].evidence.name == "pizzaiolo"
    assert "line cook" not in linker.index.texts
    open_linker("tiny-1", settings=home)
    assert built == ["tiny-1"]


@pytest.mark.parametrize(
    "stamp", [None, "", "{", "[]", '{"format": 0}'], ids=["missing", "empty", "cut short", "a list", "an old format"]
)
def test_an_index_without_a_valid_stamp_is_built_again(home: Settings, built: list[str], stamp: str | None) -> None:
    """Whatever was left there by a crash or another release."""
    path = home.indexes / "tiny-1" / "stamp.json"
    path.unlink()
    if stamp is not None:
        path.write_text(stamp, "utf-8")
    assert open_linker("tiny-1", settings=home).link("cook").candidates[0].uri == "cook"
    assert built == ["tiny-1"]


def test_an_encoders_index_is_kept_apart(
    home: Settings, make_encoder: Callable[[str], Encoder], built: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder of its name; with enough names it is calibrated on itself, with the encoder's weights."""
    monkeypatch.setattr(store, "MIN_ENTRIES", 1)
    linker = open_linker("tiny-1", encoder=make_encoder("org/letters v2"), settings=home)
    assert built == ["tiny-1"]
    assert folders(home) == ["isco-08", "tiny-1", "tiny-1+org-letters-v2"]
    assert list(linker.index.scorers) == ["char", "word", "encoder"]
    assert {"encoder", "encoder_many"} < set(linker.calibration.features)
    assert "encoder" in linker.link("cook").candidates[0].evidence.scores
    assert list(open_linker("tiny-1", settings=home).index.scorers) == ["char", "word"]
    assert built == ["tiny-1"]


def test_an_encoders_index_is_opened_without_encoding_names_again(
    home: Settings, make_encoder: Callable[[str], Encoder], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only titles are encoded; another encoder of another name gets its own index."""
    monkeypatch.setattr(store, "MIN_ENTRIES", 1)
    first = open_linker("tiny-1", encoder=make_encoder("a"), settings=home)
    again = make_encoder("a")
    linker = open_linker("tiny-1", encoder=again, settings=home)
    assert again.n_texts == 0  # type: ignore[attr-defined]
    assert linker.link("infirmiere") == first.link("infirmiere")
    assert again.n_texts == 1  # type: ignore[attr-defined]
    other = make_encoder("b")
    open_linker("tiny-1", encoder=other, settings=home)
    assert other.n_texts >= len(linker.index.texts)  # type: ignore[attr-defined]


def test_progress_is_told_while_an_index_is_built(
    home: Settings, make_encoder: Callable[[str], Encoder], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Encoding and calibrating report; loading does not."""
    monkeypatch.setattr(store, "MIN_ENTRIES", 1)
    told: list[tuple[int, int]] = []
    for expected in (True, False):
        told.clear()
        open_linker("tiny-1", encoder=make_encoder("a"), settings=home, progress=lambda d, t: told.append((d, t)))
        assert bool(told) is expected
        assert all(0 <= done <= total for done, total in told)


def test_an_unknown_taxonomy(settings: Settings) -> None:
    """The message names those that are installed."""
    with pytest.raises(TaxonomyError, match=r"no taxonomy 'esco-9'; installed are: isco-08, tiny-1"):
        open_linker("esco-9", settings=settings)


def test_an_index_that_cannot_be_stored(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full: the message says so, and nothing is left in the index's place."""

    @contextmanager
    def full(folder: Path) -> Iterator[Path]:
        raise OSError(errno.ENOSPC, "No space left on device")
        yield folder

    monkeypatch.setattr(store, "written_whole", full)
    shutil.rmtree(home.indexes / "tiny-1")
    with pytest.raises(LinkingError, match=r"tiny-1 could not be stored in .*indexes \(No space left on device\)"):
        open_linker("tiny-1", settings=home)
    assert folders(home) == ["isco-08"]


@pytest.mark.parametrize("damaged", ["texts.txt", "calibration.json", "char/names-data.npy", "stamp.json"])
def test_a_damaged_index_is_built_again(home: Settings, damaged: str) -> None:
    """A file is missing or cut short; nobody has to know."""
    path = home.indexes / "tiny-1" / damaged
    path.write_text("{", "utf-8")
    assert open_linker("tiny-1", settings=home).link("cook").candidates[0].uri == "cook"
    path.unlink()
    assert open_linker("tiny-1", settings=home).link("cook").candidates[0].uri == "cook"


def test_removing_the_indexes_of_a_taxonomy(home: Settings) -> None:
    """With those of its encoders, but not those of taxonomies whose id only starts alike."""
    for name in ("tiny-1+letters", "tiny-10", "tiny-1.0"):
        (home.indexes / name).mkdir()
    store.remove_indexes("tiny-1", home)
    assert folders(home) == ["isco-08", "tiny-1.0", "tiny-10"]
    store.remove_indexes("nobody", home)
    assert folders(home) == ["isco-08", "tiny-1.0", "tiny-10"]


def test_the_home_is_the_environments_where_none_is_given(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """JOBMATCH_HOME."""
    monkeypatch.setenv("JOBMATCH_HOME", str(home.home))
    assert open_linker("tiny-1").link("cook").candidates[0].uri == "cook"
