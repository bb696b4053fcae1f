"""Reading a taxonomy: names with their fallbacks, paths, groups, skills.

Search by letters: what comes first.
"""

from collections.abc import Callable

import pytest

from jobmatch_core.entities import IscoGroup, Occupation, Skill, SurfaceForm
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.taxonomy import search_names

U = "http://data.europa.eu/esco/occupation/"
S = "http://data.europa.eu/esco/skill/"
ISCO = "http://data.europa.eu/esco/isco/C"

Load = Callable[[dict[str, str]], Taxonomy]


@pytest.fixture(scope="module")
def esco(tmp_path_factory: pytest.TempPathFactory, esco_files: dict[str, str]) -> Taxonomy:
    """The miniature ESCO, loaded."""
    source = tmp_path_factory.mktemp("source") / "ESCO v1.1.1"
    source.mkdir()
    for name, content in esco_files.items():
        (source / name).write_text(content, "utf-8")
    store = TaxonomyStore(tmp_path_factory.mktemp("esco"))
    return store.load(store.import_from(source).id)


@pytest.fixture(scope="module")
def isco(tmp_path_factory: pytest.TempPathFactory) -> Taxonomy:
    """The bundled taxonomy, loaded."""
    return TaxonomyStore(tmp_path_factory.mktemp("isco")).load()


def test_occupation(esco: Taxonomy) -> None:
    """All that is known of one concept."""
    assert esco.occupation(U + "nurse") == Occupation(
        uri=U + "nurse",
        code="2221.1",
        name="specialist nurse",
        description="Cares for patients.",
        isco_path=(
            IscoGroup("2", "Own professionals"),
            IscoGroup("22", "Health professionals"),
            IscoGroup("222", "Nurses and midwives"),
            IscoGroup("2221", "Own nursing professionals"),
        ),
        names=(
            SurfaceForm("de", "Fachkrankenpfleger/Fachkrankenschwester", True),
            SurfaceForm("de", "Fachkrankenpfleger", False),
            SurfaceForm("de", "Fachkrankenschwester", False),
            SurfaceForm("en", "specialist nurse", True),
            SurfaceForm("en", "clinical nurse", False),
            SurfaceForm("en", "nrse", False),
            SurfaceForm("en", "nurse specialist", False),
        ),
        skills=(
            Skill(S + "drugs", "administer medicine", True),
            Skill(S + "care", "care ethics", True),
            Skill(S + "zeal", "zeal", False),
        ),
        narrower=(U + "icu",),
    )


@pytest.mark.parametrize(
    ("uri", "language", "expected"),
    [
        pytest.param("nurse", "de", "Fachkrankenpfleger/Fachkrankenschwester", id="asked language"),
        pytest.param("nurse", "fr", "specialist nurse", id="English where the language has none"),
        pytest.param("icu", "de", "intensive care nurse", id="English where the language misses this one"),
        pytest.param("school", "de", "училищна медицинска сестра", id="any where English has none"),
        pytest.param("school", "bg", "училищна медицинска сестра", id="the only language"),
        pytest.param("nurse", "xx", "specialist nurse", id="unknown language"),
    ],
)
def test_name_falls_back(esco: Taxonomy, uri: str, language: str, expected: str) -> None:
    """Asked language, else English, else any."""
    assert esco.name(esco.number(U + uri), language) == expected
    assert esco.occupation(U + uri, language).name == expected


@pytest.mark.parametrize(
    ("uri", "language", "expected"),
    [
        ("nurse", "de", "Pflegt Kranke."),
        ("nurse", "fr", "Cares for patients."),
        ("midwife", "de", "Helps at birth."),
        ("school", "de", "Училище."),
        ("icu", "en", ""),
    ],
    ids=["asked language", "English", "English for this one", "any", "none at all"],
)
def test_description_falls_back(esco: Taxonomy, uri: str, language: str, expected: str) -> None:
    """As the names do; where there is none, it is empty."""
    assert esco.occupation(U + uri, language).description == expected


def test_preferred_name_comes_before_alternatives_of_other_languages(load_esco: Load) -> None:
    """In 'any' language, a preferred name is taken, even where a language met earlier has alternatives only."""
    header = "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description\n"
    taxonomy = load_esco(
        {
            "occupations_bg.csv": header + f"Occupation,{U}1,2221,,сестра,\n",
            "occupations_de.csv": header + f"Occupation,{U}1,2221,Krankenpfleger,,\n",
        }
    )
    assert taxonomy.occupation(U + "1", "fr").name == "Krankenpfleger"


def test_code_stands_in_for_a_name(load_esco: Load) -> None:
    """A concept without any name is shown by its code."""
    header = "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description,code\n"
    taxonomy = load_esco({"occupations_en.csv": header + f"Occupation,{U}1,2221,,,,2221.9\n"})
    assert taxonomy.occupation(U + "1").name == "2221.9"
    assert taxonomy.occupation(U + "1").names == ()


def test_skills_are_essential_first_then_by_name(esco: Taxonomy) -> None:
    """In German, one skill has a German name; the others are shown in English."""
    assert [(skill.name, skill.essential) for skill in esco.occupation(U + "nurse", "de").skills] == [
        ("Arznei geben", True),
        ("care ethics", True),
        ("zeal", False),
    ]
    assert esco.occupation(U + "midwife").skills == ()


def test_narrower_and_groups(esco: Taxonomy) -> None:
    """A unit group's narrower concepts are its occupations; a leaf has none."""
    assert esco.occupation(U + "nurse").narrower == (U + "icu",)
    assert esco.occupation(U + "icu").narrower == ()
    assert esco.occupation(ISCO + "2221").narrower == (U + "nurse",)
    assert esco.occupation(ISCO + "2221").name == "Own nursing professionals"


@pytest.mark.parametrize("uri", ["", "nurse", U, U + "NURSE", "2221"])
def test_unknown_uri(esco: Taxonomy, uri: str) -> None:
    """The error names URI and taxonomy."""
    for ask in (esco.occupation, esco.number):
        with pytest.raises(TaxonomyError) as caught:
            ask(uri)
        assert str(caught.value) == f"There is no occupation {uri!r} in esco-1.1.1."


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("", ()),
        ("2", ("2",)),
        ("222", ("2", "22", "222")),
        ("2221", ("2", "22", "222", "2221")),
        ("0110", ("0", "01", "011", "0110")),
    ],
)
def test_isco_path(isco: Taxonomy, code: str, expected: tuple[str, ...]) -> None:
    """From the major group down, one digit at a time, all with names."""
    path = isco.isco_path(code, "en")
    assert tuple(group.code for group in path) == expected
    assert all(group.name and not group.name.isdigit() for group in path)


def test_isco_path_is_shown_in_a_language(isco: Taxonomy) -> None:
    """Worked by hand from the German file."""
    assert isco.isco_path("2221", "de")[-1] == IscoGroup(
        "2221", "Akademische und vergleichbare Krankenpflegefachkräfte"
    )
    assert isco.isco_path("2221", "el") == isco.isco_path("2221", "en")


@pytest.mark.parametrize("code", ["9999", "x", "22211"])
def test_unknown_group_is_shown_by_its_code(isco: Taxonomy, code: str) -> None:
    """There is no name to show."""
    assert isco.group_name(code, "en") == code


def test_subgroups(isco: Taxonomy) -> None:
    """Ten major groups, in order; the groups below one; none below a unit group."""
    assert [group.code for group in isco.subgroups("", "en")] == list("0123456789")
    assert [group.code for group in isco.subgroups("222", "en")] == ["2221", "2222"]
    assert isco.subgroups("2", "fr")[1] == IscoGroup("22", isco.group_name("22", "fr"))
    assert isco.subgroups("2221", "en") == []
    assert isco.subgroups("99", "en") == []


def test_subgroups_add_up_to_isco(isco: Taxonomy) -> None:
    """Going down from the top meets all 619 groups, once each."""

    def below(code: str) -> list[str]:
        return [found for group in isco.subgroups(code, "en") for found in (group.code, *below(group.code))]

    assert len(below("")) == len(set(below(""))) == 619


def test_subgroups_of_esco_are_groups_not_occupations(esco: Taxonomy) -> None:
    """An occupation whose code is its group's (as in 1.0.3, which has no codes) is not taken for the group."""
    assert [group.code for group in esco.subgroups("222", "en")] == ["2221", "2222"]
    assert esco.group_name("2222", "en") == "Midwifery professionals"


def test_occupation_coded_as_its_group_does_not_name_it(load_esco: Load) -> None:
    """ESCO 1.0.3 has no `code`; the group keeps its own name."""
    header = "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description\n"
    taxonomy = load_esco({"occupations_en.csv": header + f"Occupation,{U}1,2222,my midwife,,\n"})
    assert taxonomy.occupation(U + "1").isco_path[-1] == IscoGroup("2222", "Midwifery professionals")


def test_occupations_in(esco: Taxonomy, isco: Taxonomy) -> None:
    """The occupations of one unit group, not of the groups below or above."""
    assert sorted(esco.occupations_in("2221")) == [U + "icu", U + "nurse", U + "school"]
    assert esco.occupations_in("222") == []
    assert esco.occupations_in("9999") == []
    assert esco.occupations_in("") == []
    assert isco.occupations_in("2221") == [ISCO + "2221"]


def test_occupation_numbers_leave_groups_out(esco: Taxonomy, isco: Taxonomy) -> None:
    """Titles are linked to occupations only."""
    assert sorted(esco.uris[number] for number in esco.occupation_numbers) == [
        U + "icu",
        U + "midwife",
        U + "nurse",
        U + "school",
    ]
    assert len(isco.occupation_numbers) == 436
    assert {len(isco.isco_codes[number]) for number in isco.occupation_numbers} == {4}


def test_name_columns_belong_together(esco: Taxonomy) -> None:
    """Texts and languages are row by row those of the table."""
    rows = set(zip(esco.name_languages, esco.name_texts, strict=True))
    assert ("de", "Hebamme") in rows
    assert ("en", "midwife") in rows
    assert ("en", "Hebamme") not in rows
    assert len(esco.name_texts) == len(esco.tables.names)


@pytest.mark.parametrize("uri", [ISCO + "2221", ISCO + "0110", ISCO + "9629"])
def test_bundled_occupation(isco: Taxonomy, uri: str) -> None:
    """A unit group is an occupation with names in eight languages and an English description."""
    occupation = isco.occupation(uri, "pl")
    assert uri.endswith("C" + occupation.code)
    assert occupation.isco_path[-1].code == occupation.code
    assert {name.language for name in occupation.names} == {"de", "en", "es", "fr", "it", "nl", "pl", "pt"}
    assert SurfaceForm("pl", occupation.name, True) in occupation.names
    assert occupation.description == isco.occupation(uri, "en").description != ""
    assert occupation.skills == ()
    assert occupation.narrower == ()


def test_bundled_group(isco: Taxonomy) -> None:
    """A minor group's narrower concepts are its unit groups."""
    assert isco.occupation(ISCO + "222").narrower == (ISCO + "2221", ISCO + "2222")


_ROWS = """concept_id,language,preferred,alternatives,parent,description
datalogist,en,IT scientist,,2511,
datalogist,da,datalog,dataman,2511,
analyst,en,data analyst,data person|data,2511,
analyst,da,dataanalytiker,,2511,
engineer,en,data engineer,,2511,
entry,en,entry clerk of data,,2511,
entry,da,dataindtaster,,2511,
"""


@pytest.fixture
def taxonomy(load_custom: Callable[[str], Taxonomy]) -> Taxonomy:
    """Occupations with English and Danish names."""
    return load_custom(_ROWS)


@pytest.mark.parametrize(
    ("letters", "show", "expected"),
    [
        pytest.param("data", "en", ["data", "data engineer", "datalog", "dataindtaster"], id="shown language first"),
        pytest.param("data", "da", ["datalog", "dataindtaster", "dataanalytiker", "data engineer"], id="Danish shown"),
        pytest.param("data a", "en", ["data analyst"], id="two words"),
        pytest.param("DATA", "en", ["data", "data engineer", "datalog", "dataindtaster"], id="case"),
        pytest.param("scien", "da", ["IT scientist"], id="within a name, another language"),
        pytest.param(" ", "en", [], id="nothing"),
    ],
)
def test_exact_and_prefix_matches_in_the_shown_language_come_first(
    taxonomy: Taxonomy, letters: str, show: str, expected: list[str]
) -> None:
    """'data analyst' stands before the shorter Danish 'datalog' where English is shown."""
    assert [hit.matched for hit in search_names(taxonomy, letters, show=show)] == expected


@pytest.mark.parametrize(
    ("identifier", "uri"),
    [
        (ISCO + "2221", ISCO + "2221"),
        ("https://data.europa.eu/esco/isco/C2221", ISCO + "2221"),
        ("2221", ISCO + "2221"),
        ("C2221", ISCO + "2221"),
        ("222", ISCO + "222"),
        ("9999", None),
        ("nurse", None),
        ("", None),
    ],
)
def test_uri_of_an_identifier(isco: Taxonomy, identifier: str, uri: str | None) -> None:
    """Codes and either way to write a URI are understood."""
    assert isco.find_uri(identifier) == uri


def test_uri_of_an_occupations_code(
    load_esco: Callable[[dict[str, str]], Taxonomy], esco_files: dict[str, str]
) -> None:
    """Codes of ESCO's occupations; that of a unit group means the group."""
    taxonomy = load_esco(esco_files)
    assert taxonomy.find_uri("2221.1.1") == "http://data.europa.eu/esco/occupation/icu"
    assert taxonomy.find_uri("2222.1") == "http://data.europa.eu/esco/occupation/midwife"
    assert taxonomy.find_uri("2221") == ISCO + "2221"
