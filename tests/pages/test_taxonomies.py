from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.services.searching import SearchingService
from jobmatch_core.search_events import SearchKind
from jobmatch_core.taxonomy.readers import READERS
from tests.pages.observed import texts

CUSTOM = b"concept_id,language,preferred,alternatives,parent,description\nchef,en,chef,head chef,3434,Leads.\n"


@pytest.fixture(autouse=True)
def indexed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[SearchKind, str]]:
    """The search indexes that the page asks for; none is built."""
    indexed: list[tuple[SearchKind, str]] = []
    monkeypatch.setattr(SearchingService, "opening", lambda self, *source: indexed.append(source))
    return indexed


def section(app: AppTest, name: str) -> AppTest:
    """Open a section of the page."""
    app.session_state["section"] = name
    return app.run()


def browse(app: AppTest, **state: str) -> AppTest:
    """Open the tree of the tiny taxonomy."""
    app.session_state["taxonomy"] = "tiny-1"
    for key, value in state.items():
        app.session_state[f"browse_{key}"] = value
    return section(app, "browse")


def import_upload(app: AppTest, *files: tuple[str, bytes]) -> AppTest:
    """Upload files and press Import."""
    section(app, "import")
    app.file_uploader(key="import_files").set_value([(name, data, "text/csv") for name, data in files]).run()
    return app.button(key="import_start").click().run()


def test_installed_taxonomies_are_shown_with_their_attribution(taxonomies: AppTest) -> None:
    """A card has the counts and the attribution that the source requires."""
    app = taxonomies.run()
    assert not app.exception
    assert "International Labour Organization" in texts(app)
    assert "Tiny 1" in texts(app)
    assert "**12** occupations" in texts(app)
    assert [badge.value for badge in app.markdown if "In use" in badge.value] == [
        ":blue-badge[:material/check: In use]"
    ]


def test_the_bundled_taxonomy_cannot_be_removed(taxonomies: AppTest) -> None:
    """Only imported taxonomies have the button."""
    app = taxonomies.run()
    keys = {button.key for button in app.button}
    assert "remove_tiny-1" in keys
    assert "remove_isco-08" not in keys


def test_removing_a_taxonomy_asks_first(taxonomies: AppTest, home: Path) -> None:
    """The first click opens a confirmation, which the browser test confirms."""
    app = taxonomies.run()
    app.button(key="remove_tiny-1").click().run()
    assert not app.exception
    assert app.button(key="remove_confirmed").label == "Remove"
    assert [button.key for button in app.button if button.proto.type == "primary"] == ["remove_cancelled"]
    assert (home / "taxonomies" / "tiny-1").exists()


def test_browse_starts_with_the_major_groups(taxonomies: AppTest) -> None:
    """The last entry holds occupations without a code."""
    app = browse(taxonomies)
    assert not app.exception
    assert "Professionals" in app.button(key="group_2").label
    assert app.button(key="group_none").label == "Without an ISCO-08 code (1)"


def test_browse_walks_down_to_an_occupation(taxonomies: AppTest) -> None:
    """From major to unit group, the address holds the group."""
    app = browse(taxonomies)
    for code in ("2", "22", "222", "2221"):
        app.button(key=f"group_{code}").click().run()
    assert list(app.dataframe(key="choose group 2221").value["Occupation"]) == ["nurse"]
    assert app.query_params["group"] == "2221"


def test_an_occupation_is_shown_with_its_names(taxonomies: AppTest) -> None:
    """The selected occupation is drawn and is in the address."""
    app = browse(taxonomies, occupation="nurse")
    assert "## nurse" in texts(app)
    assert "Cares for patients." in texts(app)
    assert "Krankenschwester" in set(app.dataframe[-1].value["Name"])
    app.run()
    assert app.query_params["occupation"] == "nurse"


def test_occupations_without_a_code_can_be_reached(taxonomies: AppTest) -> None:
    """An occupation outside ISCO-08 has its own entry."""
    app = browse(taxonomies)
    app.button(key="group_none").click().run()
    assert list(app.dataframe(key="choose group ").value["Occupation"]) == ["juggler"]


def test_search_finds_names_in_any_language(taxonomies: AppTest) -> None:
    """The hits show the matched name; case does not matter; the closest one opens, and a group ends the search."""
    app = browse(taxonomies)
    app.text_input(key="browse_search").set_value("kRANKENsch").run()
    found = app.dataframe(key="choose search kRANKENsch").value
    assert found.to_dict("records") == [{"Occupation": "nurse", "Matched name": "Krankenschwester (German)"}]
    assert "## nurse" in texts(app)
    app.button(key="group_2").click().run()
    assert not app.text_input(key="browse_search").value
    assert "## nurse" not in texts(app)
    app.text_input(key="browse_search").set_value("zzz").run()
    assert "No occupation name contains these letters" in texts(app)
    assert "search" in [link.proto.page for link in app.get("page_link")]


def test_the_hierarchy_stands_beside_an_occupation(taxonomies: AppTest) -> None:
    """A searched or addressed occupation shows its groups with counts, and its neighbours."""
    app = browse(taxonomies, occupation="nurse")
    labels = [app.button(key=f"group_{code}").label for code in ("2", "22", "222")]
    assert [label.split("(")[-1] for label in labels] == ["4)", "1)", "1)"]
    assert "2221 Nursing professionals (1)" in texts(app)
    assert list(app.dataframe(key="choose group 2221").value["Occupation"]) == ["nurse"]


def test_groups_say_how_many_occupations_they_hold(taxonomies: AppTest) -> None:
    """Counts appear at each level, also zero."""
    app = browse(taxonomies)
    assert app.button(key="group_2").label == "**2** Professionals (4)"
    assert app.button(key="group_1").label == "**1** Managers (0)"


@pytest.mark.parametrize(
    ("parameter", "value", "said"),
    [
        ("taxonomy", "esco-9", "The taxonomy esco\\-9 is not installed here"),
        ("group", "9999", "There is no ISCO-08 group 9999"),
        ("occupation", "x1", "There is no occupation 'x1'"),
    ],
)
def test_an_unknown_id_in_the_address_is_named(taxonomies: AppTest, parameter: str, value: str, said: str) -> None:
    """This holds for each parameter, also alone."""
    taxonomies.query_params[parameter] = value
    app = taxonomies.run()
    assert not app.exception
    assert said.replace("\\", "") in texts(app)


def test_wrong_addresses_are_answered_in_words(taxonomies: AppTest) -> None:
    """Unknown groups and occupations are reported in a message."""
    app = browse(taxonomies, group="../etc", occupation="<b>nobody</b>")
    assert not app.exception
    assert "There is no ISCO-08 group ../etc" in texts(app)
    assert "There is no occupation '<b>nobody</b>'" in texts(app)


def test_an_uploaded_taxonomy_is_imported_and_indexed(
    taxonomies: AppTest, home: Path, indexed: list[tuple[SearchKind, str]]
) -> None:
    """Titles can be linked to it right after the import, and the index of the search is built in the background."""
    app = import_upload(taxonomies, ("ours.csv", CUSTOM))
    assert not app.exception
    assert "Imported **ours 1**: 1 occupation" in texts(app)
    assert [path.name.split("+")[0] for path in (home / "indexes").glob("ours-1*")] == ["ours-1"]
    assert set(indexed) == {(SearchKind.OCCUPATIONS, "ours-1")}
    assert not app.get("file_uploader")
    app.button(key="import_another").click().run()
    assert not app.file_uploader(key="import_files").value
    section(app, "installed")
    assert "ours 1" in texts(app)


def test_the_page_takes_no_path_of_the_server(taxonomies: AppTest) -> None:
    """A user of the page cannot read files of the server, and is asked for nothing before the upload."""
    app = section(taxonomies, "import")
    assert not app.text_input
    app.file_uploader(key="import_files").set_value([("ours.csv", CUSTOM, "text/csv")]).run()
    assert not app.exception
    assert {each.key for each in app.text_input} == {"import_name", "import_version"}


def test_a_foreign_file_is_not_shown(taxonomies: AppTest) -> None:
    """The error does not quote a file that is no taxonomy."""
    app = import_upload(taxonomies, ("passwd.csv", b"root:x:0:0:root:/root:/bin/bash\nsecret:x:1:1\n"))
    assert "are missing, and none look like codes and names" in app.error[0].value.replace("\\", "")
    assert "root" not in app.error[0].value


@pytest.mark.thorough
def test_uploaded_esco_files_are_imported_together(taxonomies: AppTest, home: Path) -> None:
    """Several ESCO files make one taxonomy; the version is required, and repeated rows are reported."""
    nurse = "http://data.europa.eu/esco/o/1,2221,nurse,,Cares.\n"
    occupations = f"conceptUri,iscoGroup,preferredLabel,altLabels,description\n{nurse}{nurse}"
    groups = "conceptUri,code,preferredLabel\nhttp://data.europa.eu/esco/isco/C2221,2221,Nursing professionals\n"
    app = import_upload(
        taxonomies, ("occupations_en.csv", occupations.encode()), ("ISCOGroups_en.csv", groups.encode())
    )
    assert "give the version that you downloaded" in app.error[0].value
    app.text_input(key="import_version").set_value("1.2.1").run()
    app.button(key="import_start").click().run()
    assert not app.exception
    assert (home / "taxonomies" / "esco-1.2.1").exists()
    assert "1 concept occurs more than once in the files" in app.info[0].value


def test_a_broken_taxonomy_changes_nothing(taxonomies: AppTest, home: Path) -> None:
    """The error names the file, and the store is unchanged."""
    before = sorted(path.name for path in (home / "taxonomies").iterdir())
    app = import_upload(taxonomies, ("broken.csv", b"a,b\n1,2\n"))
    assert not app.exception
    assert "broken.csv" in app.error[0].value.replace("\\", "")
    assert sorted(path.name for path in (home / "taxonomies").iterdir()) == before


def test_several_files_that_are_not_esco_are_refused(taxonomies: AppTest) -> None:
    """Only one CSV of another taxonomy is allowed."""
    app = import_upload(taxonomies, ("a.csv", CUSTOM), ("b.csv", CUSTOM))
    assert "no taxonomy is recognised in these 2 files" in texts(app)


@pytest.mark.thorough
def test_a_list_of_codes_and_names_is_imported(taxonomies: AppTest, home: Path) -> None:
    """The columns are detected and reported."""
    rows = '\ufeff"id";"persona"\n"6245";"Carpenter, joiner"\n"6246";"Nurse"\n"6527";"Baker"\n'
    app = import_upload(taxonomies, ("personas.csv", rows.encode()))
    assert not app.exception
    assert "Imported **personas 1" in texts(app)
    assert "3 occupations" in texts(app)
    assert "code from 'id', name from 'persona'" in app.info[0].value.replace("\\", "")
    assert (home / "taxonomies" / "personas-1").exists()


@pytest.mark.thorough
def test_a_format_that_is_no_table_has_no_columns(taxonomies: AppTest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file of another reader is imported without a look for columns."""
    csv = READERS["csv"]
    thesaurus = replace(
        csv, recognised=lambda source: [source] * (source.suffix == ".skos"), endings=("skos",), is_table=False
    )
    monkeypatch.delitem(READERS, "csv")
    for name, reader in {"thesaurus": thesaurus, "csv": csv}.items():  # tried in this order
        monkeypatch.setitem(READERS, name, reader)
    app = import_upload(taxonomies, ("jobs.skos", CUSTOM))
    assert not app.exception
    assert not app.error
    assert "Imported **jobs 1" in texts(app)


def test_columns_of_a_list_can_be_chosen(taxonomies: AppTest) -> None:
    """As with --columns, another column of names and its language can be selected."""
    section(taxonomies, "import")
    content = "SOC,Title,Titel\n2231,Midwife,Hebamme\n5434,Chef,Koch\n"
    app = taxonomies.file_uploader(key="import_files").set_value([("soc.csv", content.encode(), "text/csv")]).run()
    boxes = {box.label: box for box in app.selectbox}
    boxes["Codes"].set_value("SOC")
    boxes["Names"].set_value("Titel")
    boxes["Language of the names"].set_value("de")
    app.button(key="import_start").click().run()
    assert not app.exception
    assert "code from 'SOC', name from 'Titel'" in app.info[0].value.replace("\\", "")
    assert "taken for" not in texts(app)


@pytest.mark.thorough
def test_columns_of_a_list_without_a_header(taxonomies: AppTest) -> None:
    """Columns have the importer's names, and the first row is data."""
    section(taxonomies, "import")
    content = "1111;Krankenschwester\n5120;Koch\n7112;Maurer\n"
    app = taxonomies.file_uploader(key="import_files").set_value([("ours.csv", content.encode(), "text/csv")]).run()
    boxes = {box.label: box for box in app.selectbox}
    assert boxes["Codes"].options == ["column 1", "column 2"]
    boxes["Codes"].set_value("column 1")
    boxes["Names"].set_value("column 2")
    app.button(key="import_start").click().run()
    assert not app.exception
    assert not app.error
    assert "3 occupations" in texts(app)


def test_the_separator_of_a_list_is_that_of_its_columns(taxonomies: AppTest) -> None:
    """Preview and import have the same columns."""
    section(taxonomies, "import")
    content = "SOC~Title, short\n2231~Midwife, head\n5434~Chef, sous\n"
    app = taxonomies.file_uploader(key="import_files").set_value([("soc.csv", content.encode(), "text/csv")]).run()
    boxes = {box.label: box for box in app.selectbox}
    boxes["Separator"].set_value("~").run()
    boxes = {box.label: box for box in app.selectbox}
    assert boxes["Names"].options == ["SOC", "Title, short"]
