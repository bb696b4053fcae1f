"""The lexicon: what its files hold, and whose names its titles become."""

import csv
import re
from collections import Counter

import pytest

from jobmatch_core.taxonomy import Manifest, Taxonomy, lexicon
from jobmatch_core.taxonomy.bundled import read_bundled
from jobmatch_core.taxonomy.lexicon import (
    LexiconTitle,
    at_nearest,
    lexicon_digest,
    lexicon_files,
    lexicon_names,
    lexicon_titles,
    with_lexicon,
)
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms
from jobmatch_core.text.locales import language_name

COLUMNS = ["title", "isco", "esco", "nearest"]
URI = re.compile(r"http://data\.europa\.eu/esco/occupation/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


@pytest.fixture(scope="module")
def titles() -> list[LexiconTitle]:
    """Every title that comes with jobmatch."""
    return list(lexicon_titles())


@pytest.fixture
def taxonomy() -> Taxonomy:
    """A group of two cooks, a baker that is a unit group itself, and a nurse without a code."""
    builder = TablesBuilder()
    group = builder.concept("C5120", kind=GROUP, code="5120", isco="5120")
    builder.add_names(group, "en", "Cooks", [])
    for uri, isco, name in (("cook", "5120", "cook"), ("chef", "5120", "head cook"), ("baker", "7512", "baker")):
        code = isco if uri == "baker" else f"{isco}.1"
        number = builder.concept(uri, kind=OCCUPATION, code=code, isco=isco)
        others = {"cook": ["kitchen aid/kitchen help"], "baker": ["roll maker"]}.get(uri, [])
        builder.add_names(number, "en", name, others)
        builder.describe(number, "en", f"Works as a {name}.")
    number = builder.concept("nurse", kind=OCCUPATION, code="", isco="")
    builder.add_names(number, "en", "nurse", [])
    manifest = Manifest("toy-1", "toy", "1", ("en",), {}, "0" * 64, "", "2024-01-01T00:00:00+00:00")
    return Taxonomy(manifest, builder.build())


def added(taxonomy: Taxonomy, *titles: LexiconTitle) -> list[tuple[str, str, str, bool]]:
    """Return URI, language, text and whether it is preferred, of the names that titles become."""
    names = with_lexicon(taxonomy, titles).tables.names.iloc[len(taxonomy.tables.names) :]
    columns = (names[column].to_list() for column in ("concept", "language", "text", "preferred"))
    return [(taxonomy.uris[concept], *others) for concept, *others in zip(*columns, strict=True)]


def test_files_have_their_columns() -> None:
    """A file a language that we have a name for; nothing is quoted away or left over."""
    for path in lexicon_files():
        language = path.stem.removeprefix("titles_")
        assert language_name(language) != language
        with path.open(encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
        assert rows[0] == COLUMNS
        assert {len(row) for row in rows} == {len(COLUMNS)}


def test_there_are_many_titles(titles: list[LexiconTitle]) -> None:
    """At least 120,000 in 39 languages; in half of these nearly every unit group has four."""
    assert len(titles) >= 120_000
    assert len({each.language for each in titles}) == len(lexicon_files()) == 39
    groups = Counter((each.language, each.isco) for each in titles)
    full = Counter(language for (language, _), count in groups.items() if count >= 4)
    assert sum(count >= 433 for count in full.values()) == 20


def test_codes_are_those_of_unit_groups(titles: list[LexiconTitle]) -> None:
    """One of the 436 of ISCO-08, written with four digits."""
    concepts = read_bundled().concepts
    units = {code for code in concepts["isco"].to_list() if len(code) == 4}
    assert len(units) == 436
    assert {each.isco for each in titles} <= units


def test_a_title_stands_once_in_its_language(titles: list[LexiconTitle]) -> None:
    """However it is written; or it would stand for two occupations. None is empty."""
    counts = Counter((each.language, fold(each.title)) for each in titles)
    assert [title for title, count in counts.items() if count > 1] == []
    assert all(fold(each.title) and each.title == each.title.strip() for each in titles)


def test_uris_are_those_of_esco(titles: list[LexiconTitle]) -> None:
    """Well-formed; a title has an occupation of its own or a nearest one, not both; most have one of their own."""
    for each in titles:
        assert all(URI.fullmatch(uri) for uri in (each.esco, each.nearest) if uri), each
        assert not (each.esco and each.nearest), each
    assert sum(bool(each.esco) for each in titles) > len(titles) / 2


def test_a_title_becomes_a_name_of_its_own_occupation(taxonomy: Taxonomy) -> None:
    """Also where its unit group is an occupation; it is never preferred."""
    title = LexiconTitle("de", "Küchenchef", "7512", "chef", "")
    assert added(taxonomy, title) == [("chef", "de", "Küchenchef", False)]


def test_a_title_becomes_a_name_of_its_unit_group(taxonomy: Taxonomy) -> None:
    """Where that is an occupation, and its own is unknown to the taxonomy; rather than of the nearest one."""
    for esco, nearest in (("unknown", ""), ("", ""), ("", "cook")):
        assert added(taxonomy, LexiconTitle("en", "Bread Artist", "7512", esco, nearest))[0][0] == "baker"


def test_a_title_becomes_a_name_of_the_nearest_occupation(taxonomy: Taxonomy) -> None:
    """Where its group has several; a title without any is left out."""
    kitchen = LexiconTitle("en", "Kitchen Hero", "5120", "", "cook")
    lost = LexiconTitle("en", "Grill Hero", "5120", "unknown", "unknown")
    elsewhere = LexiconTitle("en", "Wall Hero", "7112", "", "")
    assert added(taxonomy, lost, kitchen, elsewhere) == [("cook", "en", "Kitchen Hero", False)]


def test_occupations_with_the_code_of_their_unit_group() -> None:
    """ESCO 1.0.3 writes the unit group's code at each of its occupations, none of which is the unit group."""
    builder = TablesBuilder()
    for uri in ("cook", "chef"):
        builder.add_names(builder.concept(uri, kind=OCCUPATION, code="5120", isco="5120"), "en", uri, [])
    manifest = Manifest("toy-1", "toy", "1", ("en",), {}, "0" * 64, "", "2024-01-01T00:00:00+00:00")
    taxonomy = Taxonomy(manifest, builder.build())
    kitchen = LexiconTitle("en", "Kitchen Hero", "5120", "", "cook")
    assert added(taxonomy, kitchen) == [("cook", "en", "Kitchen Hero", False)]


def test_titles_of_unit_groups_without_the_occupation_that_they_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a taxonomy of all work: the occupation that is spelt most like them, else the unit group; not for searches."""
    monkeypatch.setattr(lexicon, "_WHOLE", 1)
    builder = TablesBuilder()
    for code in ("5120", "3221"):
        builder.add_names(builder.concept(f"C{code}", kind=GROUP, code=code, isco=code), "en", f"Group {code}", [])
    for uri in ("cook", "head chef"):
        builder.add_names(builder.concept(uri, kind=OCCUPATION, code="5120", isco="5120"), "en", uri, [])
    manifest = Manifest("toy-1", "toy", "1", ("en",), {}, "0" * 64, "", "2024-01-01T00:00:00+00:00")
    taxonomy = Taxonomy(manifest, builder.build())
    titles = [LexiconTitle("de", "Altenpfleger", "3221", "", ""), LexiconTitle("en", "Sous Chef", "5120", "new", "")]
    monkeypatch.setattr(lexicon, "lexicon_titles", lambda: iter(titles))
    names = lexicon_names(taxonomy, titles)
    assert [taxonomy.uris[concept] for concept in names["concept"]] == ["C3221", "head chef"]
    assert at_nearest(taxonomy.with_names(names), titles).tolist() == [False] * 4 + [True] * 2
    assert not len(lexicon_names(taxonomy, titles, at_groups=False))


def test_searches_do_not_read_titles_at_the_nearest_occupation(
    taxonomy: Taxonomy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`with_lexicon` leaves them out of the lexicon, unless their unit group is an occupation."""
    titles = [
        LexiconTitle("en", "Kitchen Hero", "5120", "", "cook"),
        LexiconTitle("en", "Bread Artist", "7512", "", "cook"),
    ]
    monkeypatch.setattr(lexicon, "lexicon_titles", lambda: iter(titles))
    names = with_lexicon(taxonomy).tables.names["text"].to_list()
    assert names[len(taxonomy.tables.names) :] == ["Bread Artist"]


def test_names_that_are_known_are_left_out(taxonomy: Taxonomy) -> None:
    """Of the same unit group, however they are written; in another language they are new."""
    titles = [
        LexiconTitle("en", "HEAD  Cook", "5120", "cook", ""),
        LexiconTitle("en", "Kitchen Help", "5120", "chef", ""),
        LexiconTitle("de", "Baker", "7512", "baker", ""),
    ]
    assert added(taxonomy, *titles) == [("baker", "de", "Baker", False)]


def test_a_name_that_means_something_else_here_has_both_meanings(taxonomy: Taxonomy) -> None:
    """Of another unit group, unless it is a preferred name, or a unit group's: these mean what they mean here."""
    aid = LexiconTitle("en", "kitchen aid", "7512", "baker", "")
    preferred = LexiconTitle("en", "Head cook", "7512", "baker", "")
    of_group = LexiconTitle("en", "roll maker", "5120", "cook", "")
    assert added(taxonomy, aid, preferred, of_group) == [("baker", "en", "kitchen aid", False)]


@pytest.mark.parametrize(("unit_group", "has_both"), [("2221", True), ("5321", False)])
def test_a_preferred_name_has_both_meanings_where_the_bundled_taxonomy_agrees(unit_group: str, has_both: bool) -> None:
    """As ESCO 1.0.3 has it: a nurse's name for a phlebotomist."""
    builder = TablesBuilder()
    for uri, isco, name in (("phlebotomist", "5329", "enfermero/enfermera"), ("nurse", "2221", "enfermero general")):
        number = builder.concept(uri, kind=OCCUPATION, code=f"{isco}.1", isco=isco)
        builder.add_names(number, "es", name, [])
    manifest = Manifest("toy-1", "toy", "1", ("es",), {}, "0" * 64, "", "2024-01-01T00:00:00+00:00")
    taxonomy = Taxonomy(manifest, builder.build())
    further = added(taxonomy, LexiconTitle("es", "Enfermera", unit_group, "nurse", ""))
    assert further == ([("nurse", "es", "Enfermera", False)] if has_both else [])


def test_nothing_else_changes(taxonomy: Taxonomy) -> None:
    """Own names come first, as they were; types, descriptions and the source's hash stay."""
    more = with_lexicon(taxonomy, [LexiconTitle("fr", "boulanger", "7512", "", "")])
    names = taxonomy.tables.names
    assert more.tables.names.iloc[: len(names)].equals(names)
    assert more.tables.names.dtypes.to_dict() == names.dtypes.to_dict()
    assert more.manifest == taxonomy.manifest
    assert more.uris == taxonomy.uris
    assert more.occupation("baker").description == "Works as a baker."
    assert more.name(taxonomy.number("baker"), "fr") == "baker"
    assert with_lexicon(taxonomy, []).tables.names.equals(names)


@pytest.mark.thorough
def test_the_shipped_titles_are_added_to_the_bundled_taxonomy() -> None:
    """Every unit group is an occupation, so that all but known names and their forms are added."""
    manifest = Manifest("isco-08", "ISCO-08", "2008", ("en",), {}, "0" * 64, "", "2024-01-01T00:00:00+00:00")
    bundled = Taxonomy(manifest, read_bundled())
    before, after = (
        {
            (language, fold(form))
            for language, name in zip(each.name_languages, each.name_texts, strict=True)
            for form in name_forms(name)
        }
        for each in (bundled, with_lexicon(bundled))
    )
    assert after >= before | {(each.language, fold(each.title)) for each in lexicon_titles()}


def test_the_digest_is_of_all_files() -> None:
    """64 hexadecimal digits, the same every time."""
    assert re.fullmatch("[0-9a-f]{64}", lexicon_digest())
    assert lexicon_digest() == lexicon_digest.__wrapped__()
