"""The store: the bundled taxonomy, imports, ids that never leave the folder, removal."""

import itertools
import shutil
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError, JobMatchError, TaxonomyError
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore, bundled
from jobmatch_core.taxonomy.readers import READERS
from jobmatch_core.taxonomy.tables import TaxonomyTables
from tests.core.taxonomy.made_stores import ESCO_ID, NEW, OLD, FileOf, FolderOf, ids, nurse, snapshot

CUSTOM = "concept_id,language,preferred,alternatives,parent,description\nc1,en,Nurse,,2221,\n"


def test_bundled_is_always_there(store: TaxonomyStore, home: Path) -> None:
    """A fresh store has ISCO-08, and loads it without being told an id."""
    assert not home.exists()
    assert ids(store) == [BUNDLED_ID]
    taxonomy = store.load()
    assert taxonomy.id == BUNDLED_ID == "isco-08"
    assert len(taxonomy.occupation_numbers) == 436
    assert taxonomy.manifest.counts["occupations"] == 436
    assert taxonomy.manifest.counts["groups"] == 183
    assert taxonomy.manifest.languages == ("de", "en", "es", "fr", "it", "nl", "pl", "pt")


def test_bundled_is_stored_once(store: TaxonomyStore, home: Path) -> None:
    """The second time, the stored one is read."""
    store.load()
    before = {path.name: path.stat().st_mtime_ns for path in (home / BUNDLED_ID).iterdir()}
    store.load()
    assert {path.name: path.stat().st_mtime_ns for path in (home / BUNDLED_ID).iterdir()} == before


def test_bundled_is_renewed_with_its_files(store: TaxonomyStore, home: Path) -> None:
    """A release with other names replaces what an older release stored."""
    store.load()
    manifest = home / BUNDLED_ID / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8").replace(store.manifest(BUNDLED_ID).source_hash, "0" * 64), "utf-8")
    assert store.manifest(BUNDLED_ID).source_hash != "0" * 64


@pytest.mark.first_case
@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("manifest.json", b"", id="manifest empty"),
        pytest.param("manifest.json", b'{"format": 0}', id="manifest of another release"),
        pytest.param("manifest.json", None, id="manifest gone"),
        pytest.param("names.parquet", b"junk", id="table damaged"),
        pytest.param("names.parquet", None, id="table gone"),
    ],
)
def test_damaged_bundled_mends_itself(store: TaxonomyStore, home: Path, name: str, content: bytes | None) -> None:
    """It can be neither removed nor imported, so 'remove it and import it again' would be a dead end."""
    store.load()
    (home / BUNDLED_ID / name).unlink()
    if content is not None:
        (home / BUNDLED_ID / name).write_bytes(content)
    assert len(store.load().occupation_numbers) == 436
    assert ids(store) == [BUNDLED_ID]


def test_first_use_by_many_threads(store: TaxonomyStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streamlit opens the store from several threads; the first use must not fail for any of them.

    Each that reads the bundled files is a little slower than the one before, so that late ones would
    put theirs in place while early ones load; moving an older one out of the way is slow, too.
    """
    n_threads = 8
    calls = itertools.count()
    read, rename = bundled.read_bundled, Path.rename

    def read_late() -> TaxonomyTables:
        tables = read()
        time.sleep(0.02 * next(calls))
        return tables

    def rename_slowly(self: Path, target: Path) -> Path:
        renamed = rename(self, target)
        if self.name == BUNDLED_ID:
            time.sleep(0.05)
        return renamed

    monkeypatch.setattr(bundled, "read_bundled", read_late)
    monkeypatch.setattr(Path, "rename", rename_slowly)
    together = threading.Barrier(n_threads)
    outcomes: list[object] = []

    def load() -> None:
        together.wait()
        try:
            outcomes.append(len(store.load().occupation_numbers))
        except JobMatchError as error:
            outcomes.append(error)

    threads = [threading.Thread(target=load) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert outcomes == [436] * n_threads


def test_open_uses_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`JOBMATCH_HOME`, or settings that are given."""
    monkeypatch.setenv("JOBMATCH_HOME", str(tmp_path / "one"))
    TaxonomyStore.open().load()
    TaxonomyStore.open(Settings(home=tmp_path / "two")).load()
    for name in ("one", "two"):
        assert (tmp_path / name / "taxonomies" / BUNDLED_ID / "manifest.json").is_file()


def test_import_esco(store: TaxonomyStore, folder_of: FolderOf, esco_files: dict[str, str]) -> None:
    """The manifest says what came in; loading gives the same."""
    manifest = store.import_from(folder_of(esco_files))
    assert (manifest.id, manifest.name, manifest.version) == (ESCO_ID, "ESCO", "1.1.1")
    assert manifest.attribution == "This service uses the ESCO classification of the European Commission."
    assert (manifest.counts["occupations"], manifest.counts["skills"], manifest.counts["relations"]) == (4, 3, 3)
    assert len(manifest.source_hash) == 64
    assert store.manifest(ESCO_ID) == manifest == store.load(ESCO_ID).manifest
    assert ids(store) == [ESCO_ID, BUNDLED_ID]


def test_languages_are_those_of_its_occupations(store: TaxonomyStore, folder_of: FolderOf) -> None:
    """An English download is an English taxonomy, although ISCO-08's groups are bundled in eight languages."""
    assert store.import_from(folder_of(OLD)).languages == ("en",)


def test_import_custom(store: TaxonomyStore, file_of: FileOf) -> None:
    """A file is called after its name, version 1, with nobody's attribution."""
    manifest = store.import_from(file_of(CUSTOM, "Our Jobs.csv"))
    assert (manifest.id, manifest.name, manifest.version) == ("our-jobs-1", "Our Jobs", "1")
    assert manifest.attribution == ""
    assert store.load("our-jobs-1").occupation("c1").name == "Nurse"


@pytest.mark.parametrize(
    ("name", "version", "expected"),
    [
        pytest.param("Our Jobs", "2024.1", "our-jobs-2024.1", id="blanks"),
        pytest.param("../../etc/passwd", "1", "etc-passwd-1", id="path"),
        pytest.param("..\\x", "1", "x-1", id="windows path"),
        pytest.param(".hidden", "1", "hidden-1", id="dot in front"),
        pytest.param("Größe", "1", "gr-e-1", id="umlauts"),
        pytest.param("A_B", "v1/2", "a-b-v1-2", id="underscore and slash"),
    ],
)
def test_ids_are_safe_folder_names(
    store: TaxonomyStore, file_of: FileOf, home: Path, name: str, version: str, expected: str
) -> None:
    """Whatever the name, the folder lies in the store."""
    manifest = store.import_from(file_of(CUSTOM), name=name, version=version)
    assert manifest.id == expected
    assert (home / expected / "manifest.json").is_file()
    assert (manifest.name, manifest.version) == (name, version)


@pytest.mark.parametrize(
    ("name", "version", "shown"),
    [
        pytest.param("esco-1.0.3", "1.0.3", "esco", id="as in the id"),
        pytest.param("ESCO v1.0.3", "1.0.3", "ESCO", id="with a v"),
        pytest.param("jobs 2026", "2026", "jobs", id="a year"),
        pytest.param("jobs21", "1", "jobs21", id="the end of another number"),
        pytest.param("2026", "2026", "2026", id="nothing but a version"),
    ],
)
def test_a_version_in_the_name_is_not_repeated(
    store: TaxonomyStore, file_of: FileOf, name: str, version: str, shown: str
) -> None:
    """`--name esco-1.0.3` gives esco-1.0.3, not esco-1.0.3-1.0.3."""
    manifest = store.import_from(file_of(CUSTOM), name=name, version=version)
    assert (manifest.name, manifest.version) == (shown, version)
    assert manifest.id == f"{shown.lower()}-{version}"


@pytest.mark.parametrize("name", ["職業", "Работа", "...", "/"])
def test_name_without_latin_letters(store: TaxonomyStore, file_of: FileOf, home: Path, name: str) -> None:
    """Of such a name nothing but the version would be left in the id; two of them would be taken for one."""
    with pytest.raises(TaxonomyError, match="cannot be a taxonomy's name; use Latin letters and digits"):
        store.import_from(file_of(CUSTOM), name=name)
    assert not home.exists()


def test_versions_of_a_long_name_are_told_apart(store: TaxonomyStore, file_of: FileOf) -> None:
    """An id is cut to 64 letters, but not its version."""
    one = store.import_from(file_of(CUSTOM), name="x" * 70, version="1")
    two = store.import_from(file_of(CUSTOM), name="x" * 70, version="2")
    assert one.id != two.id
    assert max(len(one.id), len(two.id)) <= 64


@pytest.mark.parametrize("version", ["版", "...", "1" * 33])
def test_version_that_no_id_can_hold(store: TaxonomyStore, file_of: FileOf, version: str) -> None:
    """Versions are what ids are told apart by."""
    with pytest.raises(TaxonomyError, match="cannot be a version; use at most 32 Latin letters and digits"):
        store.import_from(file_of(CUSTOM), version=version)


@pytest.mark.parametrize(("name", "version"), [("ISCO", "08"), ("isco-08", "1"), ("Isco 08", "")])
def test_bundled_id_is_taken(store: TaxonomyStore, file_of: FileOf, name: str, version: str) -> None:
    """No import can take the bundled one's place; a name that merely begins like it is free."""
    if version == "1":
        assert store.import_from(file_of(CUSTOM), name=name, version=version).id == "isco-08-1"
    elif version:
        with pytest.raises(TaxonomyError, match="isco-08 is the bundled taxonomy; give yours another name"):
            store.import_from(file_of(CUSTOM), name=name, version=version, replace=True)
    else:
        assert store.import_from(file_of(CUSTOM), name=name, version=version).id == "isco-08-1"


def test_second_import_of_an_id_is_refused(with_old: TaxonomyStore, folder_of: FolderOf, home: Path) -> None:
    """Without `replace`, nothing is changed, and the error says what can be done."""
    before = snapshot(home)
    with pytest.raises(TaxonomyError, match=r"^esco-1\.1\.1 is installed already; remove it first, give another name"):
        with_old.import_from(folder_of(NEW))
    assert snapshot(home) == before


def test_replace(with_old: TaxonomyStore, folder_of: FolderOf, home: Path) -> None:
    """With `replace`, the new one stands in its place and nothing else is left."""
    old = with_old.manifest(ESCO_ID)
    new = with_old.import_from(folder_of(NEW), replace=True)
    assert new.source_hash != old.source_hash
    assert nurse(with_old) == "new nurse"
    assert sorted(path.name for path in home.iterdir()) == [ESCO_ID, BUNDLED_ID]


def test_versions_live_side_by_side(with_old: TaxonomyStore, folder_of: FolderOf) -> None:
    """Another version, or another name, is another taxonomy."""
    with_old.import_from(folder_of(NEW, "ESCO v1.2.0"))
    with_old.import_from(folder_of(NEW), name="Mine")
    assert ids(with_old) == ["esco-1.1.1", "esco-1.2.0", BUNDLED_ID, "mine-1.1.1"]
    assert nurse(with_old) == "old nurse"


@pytest.mark.parametrize("kind", ["esco", "custom"])
def test_progress_ends_with_all_files(store: TaxonomyStore, folder_of: FolderOf, file_of: FileOf, kind: str) -> None:
    """Files read and files in all are told, for a folder as for one file."""
    seen: list[tuple[int, int]] = []
    source = folder_of(OLD) if kind == "esco" else file_of(CUSTOM)
    store.import_from(source, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(0, 1), (1, 1)]


def test_a_reader_is_one_entry(
    store: TaxonomyStore, tmp_path: Path, file_of: FileOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it recognises is imported with its name, version and attribution; other sources go to the other readers."""
    source = file_of(CUSTOM, "jobs.txt")
    csv = READERS["csv"]
    texts = replace(
        csv,
        source="one text",
        example="jobs.txt",
        recognised=lambda source: [source] * (source.suffix == ".txt"),
        name=lambda source: "Texts",
        version=lambda files: "7",
        attribution="Ours.",
    )
    monkeypatch.setattr("jobmatch_core.taxonomy.readers.READERS", {"text": texts, "csv": csv})
    manifest = store.import_from(source)
    assert (manifest.id, manifest.attribution) == ("texts-7", "Ours.")
    assert store.import_from(file_of(CUSTOM, "Jobs.csv")).id == "jobs-1"
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataFileError, match=r"expected one text such as jobs\.txt, or one table of any other taxonomy"):
        store.import_from(tmp_path / "empty")


@pytest.mark.parametrize(
    "taxonomy_id",
    ["../x", "..", ".", "", "/", "esco-1.1.1/", "./esco-1.1.1", "ESCO-1.1.1", "esco-1.1.1\n", "x" * 300, "\0"],
)
@pytest.mark.parametrize("verb", ["load", "manifest", "remove"])
def test_unknown_id(with_old: TaxonomyStore, home: Path, taxonomy_id: str, verb: str) -> None:
    """The error names what is installed; nothing outside the store is touched."""
    outside = home.parent / "x"
    shutil.copytree(home / ESCO_ID, outside)
    with pytest.raises(TaxonomyError, match=r"; installed are: esco-1\.1\.1, isco-08\. .*import") as caught:
        getattr(with_old, verb)(taxonomy_id)
    assert repr(taxonomy_id) in str(caught.value)
    assert (outside / "manifest.json").is_file()
    assert nurse(with_old) == "old nurse"


def test_remove(with_old: TaxonomyStore, home: Path) -> None:
    """It is gone, and can be imported again."""
    with_old.remove(ESCO_ID)
    assert ids(with_old) == [BUNDLED_ID]
    assert not (home / ESCO_ID).exists()
    with pytest.raises(TaxonomyError, match="There is no taxonomy"):
        with_old.remove(ESCO_ID)


def test_bundled_cannot_be_removed(store: TaxonomyStore) -> None:
    """The default must be there."""
    with pytest.raises(TaxonomyError, match=r"^The bundled taxonomy cannot be removed\.$"):
        store.remove(BUNDLED_ID)
    assert ids(store) == [BUNDLED_ID]


def test_which_taxonomy_knows_some_concepts(store: TaxonomyStore, tmp_path: Path) -> None:
    """The one that has the most of them, and their share; of equals the one with the most languages."""
    rows = {"one": "a,en,cook\nb,en,baker\n", "two": "a,en,cook\na,de,Koch\n", "three": "a,en,cook\na,fr,cuisinier\n"}
    for name, text in rows.items():
        cells = "".join(f"{line},,,\n" for line in text.splitlines())
        path = tmp_path / f"{name}.csv"
        path.write_text(f"concept_id,language,preferred,alternatives,parent,description\n{cells}", "utf-8")
        store.import_from(path)
    assert store.best_covering(["a", "b", "b", "c"]) == ("one-1", pytest.approx(2 / 3))
    assert store.best_covering(["a"])[0] in ("two-1", "three-1")
    assert store.best_covering(["a"])[1] == 1
    assert store.best_covering(["http://data.europa.eu/esco/isco/C5120"]) == (BUNDLED_ID, 1.0)
    assert store.best_covering(["nowhere"])[1] == 0
    assert store.best_covering([])[1] == 0
