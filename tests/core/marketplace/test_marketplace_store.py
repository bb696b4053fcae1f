"""Marketplaces are stored atomically and loaded unchanged; facets of their freelancers."""

import json
import logging
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

from jobmatch_core.errors import DataFileError, MarketplaceError
from jobmatch_core.marketplace.marketplace import Marketplace, RecordBlock
from jobmatch_core.marketplace.marketplace_store import Facet, MarketplaceStore, read_facets
from jobmatch_core.settings import Settings
from tests import made_marketplace
from tests.made_marketplace import marketplace

ORIGIN = {"projects": "p.csv"}


@pytest.fixture
def store(tmp_path: Path) -> MarketplaceStore:
    """Return an empty store."""
    return MarketplaceStore(tmp_path / "marketplaces")


def held(loaded: Marketplace) -> Marketplace:
    """Return a marketplace with its records in memory, for comparison."""
    return replace(
        loaded,
        projects=tuple(loaded.projects),
        freelancers=tuple(loaded.freelancers),
        interactions=tuple(loaded.interactions),
        truth=None,
    )


def test_save_and_load(store: MarketplaceStore) -> None:
    """Records, truth and manifest are equal."""
    tiny = marketplace()
    assert tiny.truth is not None
    manifest = store.save("tiny", tiny.blocks(), origin={"seed": "1"}, generated=True)
    assert manifest == store.manifest("tiny")
    assert (manifest.name, manifest.generated, manifest.origin) == ("tiny", True, {"seed": "1"})
    positive = sum(interaction.positive for interaction in tiny.interactions)
    assert manifest.counts == {
        "projects": len(tiny.projects),
        "freelancers": len(tiny.freelancers),
        "interactions": len(tiny.interactions),
        "positive": positive,
    }
    assert set(manifest.hashes) == {
        f"{noun}.parquet" for noun in ("projects", "freelancers", "interactions", "needs", "mastered", "skills")
    }
    loaded = store.load("tiny")
    assert held(loaded) == replace(tiny, truth=None)
    assert loaded.truth is not None
    assert loaded.truth.skills == tiny.truth.skills
    np.testing.assert_array_equal(loaded.truth.coverage(), tiny.truth.coverage())
    assert loaded.freelancer_rows == tiny.freelancer_rows


def test_a_real_one_has_no_truth(store: MarketplaceStore) -> None:
    """Neither in its folder nor when loaded."""
    real = replace(marketplace(), name="real", truth=None, generated=False)
    manifest = store.save("real", real.blocks(), origin=ORIGIN)
    assert (manifest.generated, len(manifest.hashes)) == (False, 3)
    assert store.load("real").truth is None
    assert held(store.load("real")) == real


def test_the_same_records_have_the_same_hashes(store: MarketplaceStore) -> None:
    """Other records have other hashes."""
    one, same, other = (
        store.save(name, marketplace(size).blocks(), origin=ORIGIN, generated=True).hashes
        for name, size in (("one", 2), ("same", 2), ("other", 3))
    )
    assert one == same
    assert one["projects.parquet"] != other["projects.parquet"]


def test_an_empty_one(store: MarketplaceStore) -> None:
    """It can be stored."""
    store.save("empty", [], origin=ORIGIN)
    assert held(store.load("empty")) == Marketplace("empty", (), (), ())


def test_it_is_under_the_home(jobmatch_home: Path) -> None:
    """The folder is created on first use."""
    opened = MarketplaceStore.open()
    assert opened.installed() == []
    assert not jobmatch_home.exists()
    opened.save("demo", [], origin=ORIGIN)
    assert (Settings.from_environment().marketplaces / "demo" / "manifest.json").is_file()


def test_list_and_remove(store: MarketplaceStore) -> None:
    """Manifests are sorted by name; a removed marketplace is not listed."""
    for name in ("b", "a"):
        store.save(name, [], origin=ORIGIN)
    assert [manifest.name for manifest in store.installed()] == ["a", "b"]
    store.remove("a")
    assert [manifest.name for manifest in store.installed()] == ["b"]
    with pytest.raises(MarketplaceError, match="no marketplace 'a'; choose one of: b"):
        store.load("a")


def test_a_missing_one(store: MarketplaceStore) -> None:
    """The error says how to generate one."""
    with pytest.raises(MarketplaceError, match="`jobmatch marketplace generate`"):
        store.load("demo")


@pytest.mark.parametrize("name", ["", "Demo", "../demo", "a/b", ".hidden", "ä", "x" * 65])
def test_names_that_cannot_be(store: MarketplaceStore, name: str) -> None:
    """They are refused, and nothing outside the store's folder is touched."""
    with pytest.raises(MarketplaceError, match="is not a valid name of a marketplace"):
        store.save(name, [], origin=ORIGIN)
    with pytest.raises(MarketplaceError, match="There is no marketplace"):
        store.remove(name)


def test_a_taken_name(store: MarketplaceStore) -> None:
    """It is refused without `replace`."""
    store.save("demo", [], origin=ORIGIN)
    with pytest.raises(MarketplaceError, match="There is already a marketplace demo"):
        store.save("demo", marketplace().blocks(), origin=ORIGIN, generated=True)
    store.save("demo", marketplace().blocks(), origin=ORIGIN, generated=True, replace=True)
    assert len(store.load("demo").projects) == len(marketplace().projects)


def test_a_failure_leaves_the_older_one(store: MarketplaceStore, tmp_path: Path) -> None:
    """The failed one leaves no files."""
    store.save("demo", marketplace().blocks(), origin=ORIGIN, generated=True)

    def broken() -> Iterator[RecordBlock]:
        yield RecordBlock(projects=marketplace(1).projects)
        raise DataFileError("f.csv", "row 3: id is empty")

    with pytest.raises(DataFileError, match="row 3"):
        store.save("demo", broken(), origin=ORIGIN, replace=True)
    assert len(store.load("demo").projects) == len(marketplace().projects)
    assert [path.name for path in (tmp_path / "marketplaces").iterdir()] == ["demo"]


@pytest.mark.parametrize(
    ("content", "message"),
    [("{", "is damaged"), ('{"format": 1}', "is damaged"), ('{"format": 99}', "by another release")],
    ids=["no JSON", "no fields", "other format"],
)
def test_a_damaged_manifest(store: MarketplaceStore, tmp_path: Path, content: str, message: str) -> None:
    """Loading raises an error, and the list leaves it out."""
    store.save("demo", [], origin=ORIGIN)
    (tmp_path / "marketplaces" / "demo" / "manifest.json").write_text(content, "utf-8")
    with pytest.raises(MarketplaceError, match=message):
        store.load("demo")
    assert store.installed() == []


def test_a_copied_folder_is_not_listed(
    store: MarketplaceStore, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Files and other folders are not listed either."""
    store.save("demo", [], origin=ORIGIN)
    folder = tmp_path / "marketplaces"
    (folder / "demo").rename(folder / "copy")
    (folder / "notes").write_text("x", "utf-8")
    with caplog.at_level(logging.WARNING):
        assert store.installed() == []
    assert "it is a copy of demo" in caplog.text


def test_files_that_do_not_belong_together(store: MarketplaceStore, tmp_path: Path) -> None:
    """A truth of other projects is refused."""
    for name, size in (("one", 1), ("two", 2)):
        store.save(name, marketplace(size).blocks(), origin=ORIGIN, generated=True)
    folder = tmp_path / "marketplaces"
    (folder / "one" / "needs.parquet").replace(folder / "two" / "needs.parquet")
    with pytest.raises(MarketplaceError, match="the truth is of other projects or freelancers"):
        store.load("two")
    with pytest.raises(MarketplaceError, match=r"needs\.parquet"):
        store.load("one")


def test_a_disk_that_refuses(store: MarketplaceStore, tmp_path: Path) -> None:
    """A file in the place of the folder is an error."""
    (tmp_path / "marketplaces").write_text("", "utf-8")
    with pytest.raises(MarketplaceError, match="could not be stored"):
        store.save("demo", [], origin=ORIGIN)


def test_the_manifest_is_json(store: MarketplaceStore, tmp_path: Path) -> None:
    """It is plain text."""
    store.save("demo", [], origin={"projects": "프로젝트.csv"})
    fields = json.loads((tmp_path / "marketplaces" / "demo" / "manifest.json").read_text("utf-8"))
    assert fields["origin"] == {"projects": "프로젝트.csv"}


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Return settings with an empty home."""
    return Settings(tmp_path / "home")


def test_values_are_counted(settings: Settings) -> None:
    """As in a naive loop, the most frequent first; a category has its most frequent name."""
    people = made_marketplace.freelancers()
    named = [
        replace(freelancer, category_name="Coders" if n % 3 else "Kodierer") for n, freelancer in enumerate(people)
    ]
    MarketplaceStore.open(settings).save("tiny", [RecordBlock(freelancers=named)], origin={})
    facets = read_facets("tiny", settings)
    counts = Counter(freelancer.language for freelancer in people)
    assert {facet.value: facet.count for facet in facets.languages} == counts
    assert facets.categories == (Facet("art", "Coders", 12), Facet("code", "Coders", 12))
    assert facets.families == (Facet("all", "all", 24),)
    assert facets.countries == ()


def test_several_row_groups(settings: Settings) -> None:
    """Values are merged over row groups."""
    people = made_marketplace.freelancers()
    blocks = [
        RecordBlock(
            freelancers=[replace(freelancer, id=f"{code}{freelancer.id}", country=code) for freelancer in people]
        )
        for code in ("DE", "PL", "DE")
    ]
    MarketplaceStore.open(settings).save("tiny", blocks, origin={})
    assert pq.read_metadata(settings.marketplaces / "tiny" / "freelancers.parquet").num_row_groups == 3
    assert read_facets("tiny", settings).countries == (Facet("DE", "DE", 48), Facet("PL", "PL", 24))


def test_no_freelancers(settings: Settings) -> None:
    """There are no values."""
    MarketplaceStore.open(settings).save("empty", [RecordBlock()], origin={})
    assert read_facets("empty", settings).languages == ()


def test_errors_are_in_words(settings: Settings) -> None:
    """The marketplace is missing or damaged."""
    with pytest.raises(MarketplaceError, match="no marketplace 'nope'"):
        read_facets("nope", settings)
    MarketplaceStore.open(settings).save("tiny", [RecordBlock(freelancers=made_marketplace.freelancers())], origin={})
    (settings.marketplaces / "tiny" / "freelancers.parquet").write_bytes(b"PAR1")
    with pytest.raises(MarketplaceError, match=r"damaged.*freelancers\.parquet"):
        read_facets("tiny", settings)
