"""Items of taxonomies, tables, marketplaces and labels, with their fields."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import DataFileError, MapError
from jobmatch_core.judgment_tallies import VotedPair
from jobmatch_core.labelling.labels import votes_of
from jobmatch_core.maps.items import (
    CATEGORY,
    CONFIDENCE,
    FAMILY,
    LABEL,
    LANGUAGE,
    MAJOR,
    UNIT,
    ItemKind,
    Items,
    find_items,
)
from jobmatch_core.maps.latent_map import LatentMap
from jobmatch_core.maps.map_file import map_rows
from jobmatch_core.maps.market_items import FITS, FITS_NOT, freelancer_items, label_items, project_items
from jobmatch_core.maps.models import item_vectors, tf_idf_vectors
from jobmatch_core.maps.stored_items import ItemChoice, occupation_items, stored_items, table_items
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import guess_layout
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy, TaxonomyStore
from tests import made_marketplace


@pytest.fixture(scope="module")
def taxonomy(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    """Return the bundled taxonomy."""
    return TaxonomyStore.open(Settings(tmp_path_factory.mktemp("home"))).load(BUNDLED_ID)


def test_names_of_occupations(taxonomy: Taxonomy) -> None:
    """Each point has a language and ISCO groups; one name per occupation and language, or all."""
    items = occupation_items(taxonomy, ["en", "de"])
    assert items.kind is ItemKind.OCCUPATIONS
    assert set(items.values(LANGUAGE)) == {"English", "German"}
    row = items.texts.index("Nursing professionals") if "Nursing professionals" in items.texts else 0
    assert items.values(UNIT)[row].startswith(items.values(MAJOR)[row][:1])
    assert items.ids[row] == f"{items.concepts[row]}@en"
    every = occupation_items(taxonomy, ["en", "de"], preferred=False)
    assert len(every) > len(items)
    assert set(items.ids) <= set(every.ids)
    assert any(id_.endswith("@en#2") for id_ in every.ids)


def test_a_linked_file(taxonomy: Taxonomy, tmp_path: Path) -> None:
    """The columns of `jobmatch link` give colours; rows without a title are skipped, and the row is the id."""
    path = tmp_path / "linked.csv"
    path.write_text("title,link_isco,link_confidence,link_uri\nnurse,2221,sure,u1\n,,,\nKoch,51,to check,\n", "utf-8")
    items = table_items(path, taxonomy, guess_layout(path))
    assert items.texts == ("nurse", "Koch")
    assert items.ids == ("row 2", "row 4")
    assert items.values(CONFIDENCE) == ("sure", "to check")
    assert [value[:1] for value in items.values(MAJOR)] == ["2", "5"]
    assert items.values(UNIT)[1] == ""
    assert items.concepts == ("u1", "")


def test_own_ids_are_kept(taxonomy: Taxonomy, tmp_path: Path) -> None:
    """Unique ids of the table are used."""
    path = tmp_path / "titles.csv"
    path.write_text("id,job title,language\na,nurse,en\nb,Koch,de\n", "utf-8")
    items = table_items(path, taxonomy, guess_layout(path))
    assert items.ids == ("a", "b")
    assert items.values(LANGUAGE) == ("English", "German")


@pytest.mark.parametrize(("text", "told"), [("x,y\n1,2\n", "--column"), ("title\n\n", "no row has a text")])
def test_a_table_without_titles(text: str, told: str, taxonomy: Taxonomy, tmp_path: Path) -> None:
    """The message lists the columns and says what to do."""
    path = tmp_path / "odd.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(DataFileError, match=told):
        table_items(path, taxonomy, guess_layout(path, column="title" if text.startswith("title") else None))


def test_a_table_as_people_have_them(jobmatch_home: Path, tmp_path: Path) -> None:
    """Encoding, header and column are detected as for `jobmatch link`."""
    path = tmp_path / "staff.csv"
    path.write_bytes("Personal 2024\n\nNr;Stelle\n1;Köchin\n2;Bürokaufmann\n".encode("cp1252"))
    items = stored_items(ItemChoice(str(path)), Settings(jobmatch_home))
    assert (items.texts, items.ids) == (("Köchin", "Bürokaufmann"), ("row 4", "row 5"))


def test_people_and_projects(taxonomy: Taxonomy) -> None:
    """Titles are displayed, whole profiles are encoded, and families and categories give colours."""
    market = made_marketplace.marketplace()
    people, projects = freelancer_items(market, taxonomy), project_items(market, taxonomy)
    assert people.ids == tuple(each.id for each in market.freelancers)
    assert set(people.values(CATEGORY)) == {"code", "art"}
    assert people.values(FAMILY)[0] == "all"
    assert "javascript" in people.contents[0][0]
    assert people.generated
    assert projects.kind is ItemKind.PROJECTS
    assert len(projects) == len(market.projects)


def test_a_value_has_a_code_of_all_languages(taxonomy: Taxonomy) -> None:
    """Of groups the digits before the name, of families and categories the key; a value without one is its own."""
    people = freelancer_items(made_marketplace.marketplace(), taxonomy)
    named = replace(people, fields={CATEGORY: ("Informatik",) * len(people)}, codes={CATEGORY: {"Informatik": "251"}})
    assert (people.code(CATEGORY, "code"), named.code(CATEGORY, "Informatik")) == ("code", "251")
    assert named.take([0]).code(CATEGORY, "Informatik") == "251"
    assert (named.code(MAJOR, "2 Akademische Berufe"), named.code(CONFIDENCE, "to check")) == ("2", "to check")


def judgment(left: str, right: str, verdict: Verdict) -> Judgment:
    """Return a judgment of a pair of the demo marketplace."""
    pair = Pair(PairKind.PROJECT_FREELANCER, "made", left, right)
    return Judgment(f"{left} {right}", pair, verdict, "ann", datetime(2026, 11, 1, tzinfo=UTC), Provenance("random"))


def test_labels_lie_between_their_sides(jobmatch_home: Path) -> None:
    """A pair's vector is the mean of its sides; pairs with removed freelancers are skipped."""
    settings, market = Settings(jobmatch_home), made_marketplace.marketplace()
    MarketplaceStore.open(settings).save("made", market.blocks(), origin={}, generated=True)
    project, first, second = market.projects[0].id, market.freelancers[0].id, market.freelancers[1].id
    said = [
        judgment(project, first, Verdict.POSITIVE),
        judgment(project, second, Verdict.NEGATIVE),
        judgment(project, "gone", Verdict.POSITIVE),
        judgment(project, first, Verdict.UNSURE),
    ]
    judged = [VotedPair(each.pair, votes_of([each])) for each in said]
    items = label_items(judged, "made", settings)
    assert items.values(LABEL) == (FITS, FITS_NOT)
    assert items.ids == (f"{project} × {first}", f"{project} × {second}")
    assert [pair.right for pair in items.pairs] == [first, second]
    assert item_vectors(items, "titles", settings).shape[0] == 2
    with pytest.raises(MapError, match="no labels of other yet"):
        label_items([], "other", settings)


def test_items_by_a_word(jobmatch_home: Path) -> None:
    """The default is the taxonomy with most names; an unknown source is an error."""
    settings = Settings(jobmatch_home)
    assert stored_items(ItemChoice("occupations", languages=("fr",)), settings).source == BUNDLED_ID
    with pytest.raises(MapError, match="there is no file 'nothing"):
        stored_items(ItemChoice("nothing.csv"), settings)
    with pytest.raises(MapError, match="no labels of demo yet"):
        stored_items(ItemChoice("labels"), settings)


def test_items_are_found_by_name_or_id(latent: LatentMap) -> None:
    """Exact matches come first, then prefixes; case and accents are ignored."""
    items = Items(ItemKind.TITLES, "x", ("1", "2", "3"), ("Head cook", "COOK", "cook's mate"))
    assert find_items(items, "Cook") == [1, 2, 0]
    assert find_items(items, "3") == [2]
    assert find_items(items, "nobody") == find_items(items, "?") == []
    assert find_items(latent.items, "nurse", most=2) == [0, 1]


def test_two_items_of_one_id() -> None:
    """Duplicate ids are refused."""
    with pytest.raises(MapError, match="the same id"):
        Items(ItemKind.TITLES, "x", ("1", "1"), ("a", "b"))


def test_rows_by_ids(latent: LatentMap) -> None:
    """Exactly the requested rows, in the order of the map, with all fields."""
    [row] = map_rows(latent, ["id3", "nobody"])
    assert row["id"] == "id3"
    assert row["text"] == "nurse of kind 1"
    assert (row["family"], row["category"], row["language"]) == ("care", "nurse", "German")
    assert row["x"] == pytest.approx(float(latent.positions[3, 0]))
    assert len(list(map_rows(latent))) == len(latent.items)


def test_letters_alike_are_near() -> None:
    """'truck driver' is nearer to 'bus driver' than to 'nurse'; texts without letters are refused."""
    truck, bus, nurse, *_ = tf_idf_vectors(["truck driver", "bus driver", "nurse", "cook", "baker"])
    assert truck @ bus > truck @ nurse
    assert float(truck @ truck) == pytest.approx(1, abs=1e-5)
    with pytest.raises(MapError, match="letter"):
        tf_idf_vectors(["?", "!"])


def test_towers_read_no_titles(jobmatch_home: Path) -> None:
    """The message names models that read titles."""
    items = Items(ItemKind.TITLES, "x", ("1", "2"), ("a", "b"))
    with pytest.raises(MapError, match="try titles or tf-idf"):
        item_vectors(items, "untrained", Settings(jobmatch_home))
