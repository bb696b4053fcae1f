"""Indexes on disk: built once, loaded again, and rebuilt if out of date or damaged."""

import errno
import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.entities import Encoder
from jobmatch_core.errors import LinkingError, TaxonomyError
from jobmatch_core.linking import Linker, open_linker, store
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.lexicon import lexicon_digest, lexicon_names
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from tests.sampled import sampled


@pytest.fixture
def home(tmp_path: Path, settings: Settings, tiny_lexical: Linker) -> Settings:
    """Link the session's home, with both linkers without an encoder, to one whose files may be replaced."""
    shutil.copytree(settings.home, tmp_path / "home", ignore=shutil.ignore_patterns("*+*"), copy_function=os.link)
    return Settings(home=tmp_path / "home")


@pytest.fixture
def no_building(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make building an index fail."""

    def build(*args: object, **options: object) -> NameIndex:
        raise AssertionError("an index was built")

    monkeypatch.setattr(NameIndex, "build", build)


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the taxonomies that are indexed."""
    counted: list[str] = []
    build = NameIndex.build

    def counting(taxonomy: Taxonomy, encoder: Encoder | None = None, **options: object) -> NameIndex:
        counted.append(taxonomy.id)
        return build(taxonomy, encoder, groups=bool(options["groups"]))

    monkeypatch.setattr(NameIndex, "build", counting)
    return counted


def open_lexical(taxonomy_id: str, settings: Settings) -> Linker:
    """Open a linker without an encoder."""
    return open_linker(taxonomy_id, encoder=None, settings=settings)


def folders(settings: Settings) -> list[str]:
    """Return the names in the folder of the indexes."""
    return sorted(path.name for path in settings.indexes.iterdir())


@pytest.mark.usefixtures("no_building")
@pytest.mark.parametrize("taxonomy_id", ["isco-08", "tiny-1"])
def test_an_index_is_built_once(home: Settings, lexical: Linker, tiny_lexical: Linker, taxonomy_id: str) -> None:
    """Loaded again, it gives the same answers."""
    linker = open_lexical(taxonomy_id, home)
    first = {"isco-08": lexical, "tiny-1": tiny_lexical}[taxonomy_id]
    assert linker.calibration == first.calibration
    titles = ["Koch", "bus driver", "infirmière", "developer", "qqqq"]
    assert linker.link_all(titles) == first.link_all(titles)
    assert linker.link_all(titles, languages=["de"]) == first.link_all(titles, languages=["de"])


def test_nothing_is_left_beside_an_index(settings: Settings, tiny_lexical: Linker) -> None:
    """No temporary folder, no pickle; the stamp names the sources."""
    assert [name for name in folders(settings) if "+" not in name] == ["isco-08", "tiny-1"]
    stamp = json.loads((settings.indexes / "tiny-1" / "stamp.json").read_text("utf-8"))
    assert stamp.pop("sizes")["texts.arrow"] > 0
    source = {"source_hash": tiny_lexical.taxonomy.manifest.source_hash, "lexicon": lexicon_digest()}
    assert stamp == {"format": store.FORMAT, "encoder": ""} | source
    assert {path.suffix for path in settings.indexes.rglob("*.*")} <= {".npy", ".arrow", ".txt", ".json", ".parquet"}


def test_few_names_take_the_bundled_calibration(lexical: Linker, tiny_lexical: Linker) -> None:
    """A hundred names are too few to calibrate on."""
    assert len(tiny_lexical.index.texts) < store.MIN_ENTRIES
    assert tiny_lexical.calibration == lexical.calibration


def test_groups_have_an_index_of_their_own(home: Settings, built: list[str]) -> None:
    """Linkers without groups never link to one."""
    name = shipped_encoder().name
    linker = open_linker("tiny-1", groups=True, settings=home)
    assert f"tiny-1+{name}+groups" in folders(home)
    best = linker.link("drivers").candidates[0]
    assert (best.uri, best.name) == ("drivers", "drivers")
    assert "occupation" not in best.evidence.scores
    others = open_linker("tiny-1", settings=home).link("drivers").candidates
    assert "drivers" not in {candidate.uri for candidate in others}
    assert built == ["tiny-1", "tiny-1"]


def test_only_names_of_esco_have_the_fitted_trust(home: Settings, data_folder: Path) -> None:
    """It is part of the shipped calibration, which an index of ESCO has as it is."""
    TaxonomyStore.open(home).import_from(data_folder / "esco" / "v1.1.1_en")
    assert open_linker("esco-1.1.1", settings=home).calibration == Calibration.shipped_for(shipped_encoder().name)


def test_users_get_the_shipped_encoder(home: Settings, built: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """With its own index and the shipped calibration: nothing is fitted, nothing built twice."""
    monkeypatch.setattr(Calibration, "fit", lambda *_, **__: 1 / 0)
    name = shipped_encoder().name
    linker = open_linker("tiny-1", settings=home)
    assert (built, folders(home)) == (["tiny-1"], ["isco-08", "tiny-1", f"tiny-1+{name}"])
    shipped = Calibration.shipped_for(name)
    assert shipped is not None
    assert shipped.name_trust is not None
    assert linker.calibration == replace(shipped, name_trust=None)  # which is fitted on ESCO's names
    assert linker.index.encoder is not None
    assert linker.index.encoder.name == name
    stamp = json.loads((home.indexes / f"tiny-1+{name}" / "stamp.json").read_text("utf-8"))
    assert stamp.pop("sizes")["encoder/names.npy"] > 0
    source = {"source_hash": linker.taxonomy.manifest.source_hash, "lexicon": lexicon_digest()}
    assert stamp == {"format": store.FORMAT, "encoder": name} | source
    again = open_linker("tiny-1", settings=home)
    assert built == ["tiny-1"]
    titles = ["Koch", "bus driver", "infirmière", "developer", "qqqq"]
    assert again.link_all(titles) == linker.link_all(titles)
    assert again.link_all(titles, languages=["de"]) == linker.link_all(titles, languages=["de"])


_DAMAGED = {
    f"{file} {damage}": (file, damage)
    for file in ("names.npy", "concepts.npy", "anchors.npy", "head.npy")
    for damage in ("cut short", "missing")
}


@pytest.mark.long
@pytest.mark.parametrize(("file", "damage"), sampled(_DAMAGED, 5))
def test_a_damaged_index_of_an_encoder_is_built_again(home: Settings, built: list[str], file: str, damage: str) -> None:
    """Vectors are missing or cut short."""
    open_linker("tiny-1", settings=home)
    path = home.indexes / f"tiny-1+{shipped_encoder().name}" / "encoder" / file
    if damage == "missing":
        path.unlink()
    else:
        path.write_bytes(path.read_bytes()[:-9])
    assert open_linker("tiny-1", settings=home).link("cook").candidates[0].uri == "cook"
    assert built == ["tiny-1"] * 2


def test_a_retrained_shipped_encoder_has_an_index_of_its_own(
    home: Settings, make_encoder: Callable[[str], Encoder], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under its name; without a shipped calibration it is calibrated on the names."""
    monkeypatch.setattr(store, "MIN_ENTRIES", 1)
    monkeypatch.setattr(store, "shipped_encoder", lambda: make_encoder("retrained"))
    linker = open_linker("tiny-1", settings=home)
    assert "tiny-1+retrained" in folders(home)
    assert linker.calibration.held_out["titles"] > 0
    assert Calibration.shipped_for("retrained") is None


def test_a_changed_taxonomy_is_indexed_again(home: Settings, tiny_csv: Path, tmp_path: Path, built: list[str]) -> None:
    """A new name is found; the bundled index stays."""
    changed = tmp_path / "tiny.csv"
    changed.write_text(tiny_csv.read_text("utf-8").replace("line cook|", "pizzaiolo|"), "utf-8")
    TaxonomyStore.open(home).import_from(changed, name="tiny", version="1", replace=True)
    linker = open_lexical("tiny-1", home)
    assert built == ["tiny-1"]
    assert linker.link("pizzaiolo").candidates[0].evidence.name == "pizzaiolo"
    assert "line cook" not in linker.index.texts
    open_lexical("tiny-1", home)
    assert built == ["tiny-1"]


@pytest.mark.first_case
@pytest.mark.parametrize(
    "stamp", [None, "", "{", "[]", '{"format": 0}'], ids=["missing", "empty", "cut short", "a list", "an old format"]
)
def test_an_index_without_a_valid_stamp_is_built_again(home: Settings, built: list[str], stamp: str | None) -> None:
    """Remains of a crash or another release are replaced."""
    path = home.indexes / "tiny-1" / "stamp.json"
    path.unlink()
    if stamp is not None:
        path.write_text(stamp, "utf-8")
    assert open_lexical("tiny-1", home).link("cook").candidates[0].uri == "cook"
    assert built == ["tiny-1"]


def test_an_encoders_index_is_kept_apart(
    home: Settings, make_encoder: Callable[[str], Encoder], built: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder with the encoder's name; with enough names it is calibrated on itself."""
    monkeypatch.setattr(store, "MIN_ENTRIES", 1)
    linker = open_linker("tiny-1", encoder=make_encoder("org/letters v2"), settings=home)
    assert built == ["tiny-1"]
    assert folders(home) == ["isco-08", "tiny-1", "tiny-1+org-letters-v2"]
    assert list(linker.index.scorers) == ["char", "word", "encoder"]
    assert {"encoder", "encoder_many", "concept"} < set(linker.calibration.features)
    assert "encoder" in linker.link("cook").candidates[0].evidence.scores
    assert list(open_lexical("tiny-1", home).index.scorers) == ["char", "word"]
    assert built == ["tiny-1"]


def test_an_encoders_index_is_opened_without_encoding_names_again(
    home: Settings, make_encoder: Callable[[str], Encoder], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only titles are encoded; an encoder of another name gets its own index."""
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


def test_building_an_index_reports_progress(
    home: Settings, make_encoder: Callable[[str], Encoder], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Encoding and calibrating report progress; loading does not."""
    monkeypatch.setattr(store, "MIN_ENTRIES", 1)
    steps: list[tuple[int, int]] = []
    for expected in (True, False):
        steps.clear()
        open_linker("tiny-1", encoder=make_encoder("a"), settings=home, progress=lambda d, t: steps.append((d, t)))
        assert bool(steps) is expected
        assert all(0 <= done <= total for done, total in steps)


def test_an_unknown_taxonomy(settings: Settings) -> None:
    """The message names the installed ones."""
    with pytest.raises(TaxonomyError, match=r"no taxonomy 'esco-9'; installed are: isco-08, tiny-1"):
        open_linker("esco-9", settings=settings)


def test_an_index_that_cannot_be_stored(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message gives the reason, and nothing is left in the folder."""

    @contextmanager
    def full(folder: Path) -> Iterator[Path]:
        raise OSError(errno.ENOSPC, "No space left on device")
        yield folder

    monkeypatch.setattr(store, "atomic_folder", full)
    shutil.rmtree(home.indexes / "tiny-1")
    with pytest.raises(LinkingError, match=r"tiny-1 could not be stored in .*indexes \(No space left on device\)"):
        open_lexical("tiny-1", home)
    assert folders(home) == ["isco-08"]


@pytest.mark.first_case
@pytest.mark.parametrize("damaged", ["texts.arrow", "calibration.json", "char/names-data.npy", "stamp.json"])
def test_a_damaged_index_is_built_again(home: Settings, damaged: str) -> None:
    """A damaged or missing file is repaired silently."""
    path = home.indexes / "tiny-1" / damaged
    path.unlink()
    path.write_text("{", "utf-8")
    assert open_lexical("tiny-1", home).link("cook").candidates[0].uri == "cook"
    path.unlink()
    assert open_lexical("tiny-1", home).link("cook").candidates[0].uri == "cook"


@pytest.mark.thorough
def test_incomplete_files_are_noticed(
    home: Settings, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If any file is cut by one byte or, every other one, empty, the index is rebuilt and the log says so."""
    index = NameIndex.build(TaxonomyStore.open(home).load("tiny-1"), shipped_encoder())
    built: list[None] = []
    monkeypatch.setattr(NameIndex, "build", lambda *_, **__: (built.append(None), index)[1])
    further = lexicon_names(TaxonomyStore.open(home).load("tiny-1"))
    monkeypatch.setattr(store, "lexicon_names", lambda _: further)  # they are the same each time, and take a moment
    open_linker("tiny-1", settings=home)
    folder = home.indexes / f"tiny-1+{shipped_encoder().name}"
    files = sorted(path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    assert {Path("texts.arrow"), Path("stamp.json"), Path("char/idf.npy"), Path("encoder/head.npy")} < set(files)
    for place, name in enumerate(files):
        content = (folder / name).read_bytes()
        (folder / name).unlink()  # it may be mapped, and must not shrink under the linker that has it open
        (folder / name).write_bytes(content[: -(place % 2)])
        caplog.clear()
        assert [*open_linker("tiny-1", settings=home).index.texts] == [*index.texts]
        assert "is damaged" in caplog.text, name
    assert len(built) == 1 + len(files)


def test_removing_the_indexes_of_a_taxonomy(home: Settings) -> None:
    """Also those of its encoders, but not those of taxonomies whose ids start alike."""
    for name in ("tiny-1+letters", "tiny-10", "tiny-1.0"):
        (home.indexes / name).mkdir()
    store.remove_indexes("tiny-1", home)
    assert folders(home) == ["isco-08", "tiny-1.0", "tiny-10"]
    store.remove_indexes("nobody", home)
    assert folders(home) == ["isco-08", "tiny-1.0", "tiny-10"]


def test_the_default_home_is_from_the_environment(home: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """JOBMATCH_HOME is the default."""
    monkeypatch.setenv("JOBMATCH_HOME", str(home.home))
    assert open_linker("tiny-1", encoder=None).link("cook").candidates[0].uri == "cook"
