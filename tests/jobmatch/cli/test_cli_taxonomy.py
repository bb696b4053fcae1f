"""`jobmatch taxonomy`: import, index, list, show and remove."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import Result

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.io.tables import write_table

Cli = Callable[..., Result]
INDEX = f"tiny-1+{shipped_encoder().name}"
NURSES = "http://data.europa.eu/esco/isco/C2221"


def answer(cli: Cli, *words: str | Path) -> dict[str, Any]:
    """Return the one JSON object that a command prints."""
    return dict(json.loads(cli("taxonomy", *words, "--json").stdout))


@pytest.fixture
def esco_folder(tmp_path: Path) -> Path:
    """Write ESCO in miniature: two occupations in two languages, a skill, a relation and a parent."""
    uri = "http://data.europa.eu/esco/occupation/"
    files = {
        "occupations_en.csv": "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description,code\n"
        f'Occupation,{uri}1,2221,specialist nurse,"clinical nurse\nnurse specialist",Cares.,2221.1\n'
        f"Occupation,{uri}2,2222,midwife,,Helps.,2222.1\n",
        "occupations_de.csv": "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description,code\n"
        f"Occupation,{uri}2,2222,Hebamme,Geburtshelferin,,2222.1\n",
        "skills_en.csv": "conceptUri,skillType,preferredLabel,altLabels\nskill:1,knowledge,midwifery,\n",
        "occupationSkillRelations.csv": f"occupationUri,relationType,skillType,skillUri\n{uri}2,essential,x,skill:1\n",
    }
    folder = tmp_path / "ESCO dataset - v1.1.1"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).write_text(content, "utf-8")
    return folder


def test_import_of_one_csv(cli: Cli, own_linker_home: Path, tiny_csv: Path) -> None:
    """Id, name, version and counts; the index is built, and titles can be linked."""
    manifest = answer(cli, "import", tiny_csv)
    assert (manifest["id"], manifest["name"], manifest["version"]) == ("tiny-1", "tiny", "1")
    assert manifest["counts"]["occupations"] == 3
    assert manifest["languages"] == ["de", "en", "fr"]
    assert (own_linker_home / "indexes" / INDEX / "stamp.json").is_file()
    linked = json.loads(cli("link", "Ärztin", "--taxonomy", "tiny-1", "--json").stdout)
    assert linked["taxonomy"] == "tiny-1"
    best = linked["results"][0]["candidates"][0]
    assert (best["uri"], best["name"], best["isco"]) == ("doctor", "medical doctor", "2211")
    assert best["evidence"] == {"name": "Arzt/Ärztin", "language": "de", "source": "taxonomy"}


def test_import_for_people(cli: Cli, own_linker_home: Path, tiny_csv: Path) -> None:
    """The manifest and the next command."""
    shown = cli("taxonomy", "import", tiny_csv, "--name", "Our jobs", "--version", "2026.1").stdout
    assert "Our jobs" in shown
    assert 'Next: jobmatch link "Krankenschwester" --taxonomy our-jobs-2026.1' in shown


@pytest.mark.thorough
def test_import_of_esco(cli: Cli, own_linker_home: Path, esco_folder: Path) -> None:
    """The version is that of the folder's name; the attribution is stored."""
    manifest = answer(cli, "import", esco_folder)
    assert (manifest["id"], manifest["version"]) == ("esco-1.1.1", "1.1.1")
    assert "ESCO classification of the European Commission" in manifest["attribution"]
    counts = manifest["counts"]
    assert (counts["occupations"], counts["skills"], counts["relations"]) == (2, 1, 1)
    linked = json.loads(cli("link", "Geburtshelferin", "--taxonomy", "esco-1.1.1", "--json").stdout)
    assert linked["results"][0]["candidates"][0]["name"] == "midwife"


@pytest.mark.thorough
def test_import_reports_repeated_rows(cli: Cli, own_linker_home: Path, esco_folder: Path) -> None:
    """After the import and whenever the taxonomy is shown."""
    file = esco_folder / "occupations_de.csv"
    file.write_text(file.read_text("utf-8") + file.read_text("utf-8").splitlines()[1] + "\n", "utf-8")
    note = "1 concept occurs more than once in the files with the same content, so each counts once."
    assert note in " ".join(cli("taxonomy", "import", esco_folder).stdout.split())
    assert note in " ".join(cli("taxonomy", "show", "esco-1.1.1").stdout.split())


def test_import_without_a_version_asks_for_it(
    run_main: Callable[..., Any], own_linker_home: Path, esco_folder: Path
) -> None:
    """If neither the folder's name nor its content has one, nothing is installed."""
    ended = run_main("taxonomy", "import", esco_folder.rename(esco_folder.with_name("esco")))
    assert (ended.code, ended.out) == (2, "")
    assert "--version" in ended.err
    assert not list((own_linker_home / "taxonomies").glob("esco*"))


def test_import_twice_is_refused(run_main: Callable[..., Any], tiny_id: str, tiny_csv: Path) -> None:
    """The error says what to do, and nothing changes."""
    ended = run_main("taxonomy", "import", tiny_csv, "--json")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        f"jobmatch: {tiny_id} is installed already; remove it first, give another name or version, or replace it.\n"
    )


def test_replace_puts_the_new_one_in_its_place(cli: Cli, tiny_id: str, tiny_csv: Path) -> None:
    """The index is built again, so that a new name is found."""
    tiny_csv.write_text(tiny_csv.read_text("utf-8").replace("pastry cook", "pastry cook|patissier supreme"), "utf-8")
    before = answer(cli, "show", tiny_id)["source_hash"]
    assert answer(cli, "import", tiny_csv, "--replace")["source_hash"] != before
    linked = json.loads(cli("link", "patissier supreme", "--taxonomy", tiny_id, "--json").stdout)
    assert linked["results"][0]["candidates"][0]["evidence"]["name"] == "patissier supreme"


def test_a_refused_import_leaves_the_installed_one(run_main: Callable[..., Any], tiny_id: str, tiny_csv: Path) -> None:
    """A broken file with --replace is an error, and the installed taxonomy still links."""
    tiny_csv.write_text("concept_id,language\nx,en\n", "utf-8")
    ended = run_main("taxonomy", "import", tiny_csv, "--replace")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith("jobmatch: tiny.csv, line 1: the column 'preferred'")
    assert run_main("link", "baker", "--taxonomy", tiny_id, "--json").code == 0


def test_markup_in_a_name_is_shown_as_it_is(cli: Cli, own_linker_home: Path, tmp_path: Path) -> None:
    """`[red]` is text, not a colour, and `[/]` is not an error: in links, lists and occupations."""
    source = tmp_path / "odd.csv"
    source.write_text(
        "concept_id,language,preferred,alternatives,parent,description\nx,en,[red]cook[/],,,Sees [b]red[/].\n", "utf-8"
    )
    cli("taxonomy", "import", source, "--name", "Odd [red]ones[/]")
    assert "[red]cook[/] (English)" in cli("link", "cook", "--taxonomy", "odd-red-ones-1").stdout
    assert "Odd [red]ones[/]" in cli("taxonomy", "list").stdout
    shown = cli("taxonomy", "show", "odd-red-ones-1", "--occupation", "x").stdout
    assert "[red]cook[/] (x)" in shown
    assert "Sees [b]red[/]." in shown


def test_list(cli: Cli, tiny_id: str) -> None:
    """All installed taxonomies, with the bundled one."""
    listed = answer(cli, "list")["taxonomies"]
    assert [manifest["id"] for manifest in listed] == ["isco-08", tiny_id]
    assert listed[0]["counts"]["occupations"] == 436
    table = cli("taxonomy", "list").stdout
    assert "isco-08" in table
    assert "tiny-1" in table
    assert "436" in table


def test_the_bundled_taxonomy_is_always_listed(cli: Cli, jobmatch_home: Path) -> None:
    """Also in an empty home."""
    assert not jobmatch_home.exists()
    assert [manifest["id"] for manifest in answer(cli, "list")["taxonomies"]] == ["isco-08"]


@pytest.mark.usefixtures("use_linker_home")
def test_show_a_taxonomy(cli: Cli) -> None:
    """Its manifest."""
    manifest = answer(cli, "show", "isco-08")
    assert (manifest["name"], manifest["counts"]["occupations"]) == ("ISCO-08", 436)
    assert manifest["languages"] == ["de", "en", "es", "fr", "it", "nl", "pl", "pt"]
    assert "International Labour Organization" in cli("taxonomy", "show", "isco-08").stdout


@pytest.mark.usefixtures("use_linker_home")
def test_show_an_occupation(cli: Cli) -> None:
    """Its name, code, description, path and all names."""
    found = answer(cli, "show", "isco-08", "--occupation", NURSES, "--language", "de")
    assert list(found) == ["uri", "code", "name", "description", "isco_path", "names", "skills", "narrower"]
    assert (found["uri"], found["code"]) == (NURSES, "2221")
    assert [step["code"] for step in found["isco_path"]] == ["2", "22", "222", "2221"]
    assert {"language": "de", "text": found["name"], "preferred": True} in found["names"]
    assert found["description"]
    shown = cli("taxonomy", "show", "isco-08", "--occupation", NURSES).stdout.splitlines()
    assert shown[0] == "Nursing professionals (2221)"
    assert shown[1].startswith("2 Professionals > 22 ")
    assert any("Krankenschwester" in line for line in shown)


def test_show_the_skills_of_an_occupation(cli: Cli, own_linker_home: Path, esco_folder: Path) -> None:
    """For ESCO."""
    cli("taxonomy", "import", esco_folder)
    uri = "http://data.europa.eu/esco/occupation/2"
    [skill] = answer(cli, "show", "esco-1.1.1", "--occupation", uri)["skills"]
    assert skill == {"uri": "skill:1", "name": "midwifery", "essential": True}
    assert "midwifery" in cli("taxonomy", "show", "esco-1.1.1", "--occupation", uri).stdout


def test_remove_takes_the_indexes_too(cli: Cli, own_linker_home: Path, tiny_id: str) -> None:
    """Both folders are removed; those of the bundled taxonomy stay."""
    assert (own_linker_home / "indexes" / INDEX).is_dir()
    assert answer(cli, "remove", tiny_id) == {"removed": tiny_id}
    for kind in ("taxonomies", "indexes"):
        assert {path.name.partition("+")[0] for path in (own_linker_home / kind).iterdir()} == {"isco-08"}


def test_remove_for_people(cli: Cli, tiny_id: str) -> None:
    """One line."""
    assert cli("taxonomy", "remove", tiny_id).stdout == "Removed tiny-1.\n"


def test_index_builds_what_is_missing(cli: Cli, own_linker_home: Path, tiny_id: str) -> None:
    """A lost index is built with the same calibration; a current one is not built again."""
    stamp = own_linker_home / "indexes" / INDEX / "stamp.json"
    first = answer(cli, "index", tiny_id)
    stamp.unlink()
    assert answer(cli, "index", tiny_id) == first
    assert first["taxonomy"] == tiny_id
    fitted = {
        "features",
        "weights",
        "none",
        "threshold",
        "held_out",
        "unit_threshold",
        "curve",
        "unit_curve",
        "precision",
        "exact_name",
        "name_trust",
        "classifier",
    }
    assert set(first["calibration"]) == fitted
    built = stamp.stat().st_mtime_ns
    assert cli("taxonomy", "index", tiny_id).stdout == "The index of tiny-1 is ready.\n"
    assert stamp.stat().st_mtime_ns == built


@pytest.mark.thorough
def test_import_of_a_list_with_semicolons(cli: Cli, own_linker_home: Path, tmp_path: Path) -> None:
    """A list of codes and names in a national CSV format, with other column names."""
    path = tmp_path / "personas.csv"
    path.write_text('\ufeff"id";"persona"\n"6245";"Carpenter, joiner"\n"6246";"Nurse"\n"6527";"Baker"\n', "utf-8")
    manifest = answer(cli, "import", path)
    assert (manifest["id"], manifest["counts"]["occupations"], manifest["languages"]) == ("personas-1", 3, ["en"])
    assert manifest["notes"][0] == "Read as a list of codes and names: code from 'id', name from 'persona'."
    linked = json.loads(cli("link", "nurse", "--taxonomy", "personas-1", "--json").stdout)
    assert linked["results"][0]["candidates"][0]["uri"] == "6246"


@pytest.mark.thorough
def test_import_of_a_workbook_by_its_columns(
    cli: Cli, run_main: Callable[..., Any], own_linker_home: Path, tmp_path: Path
) -> None:
    """The error names a missing column and the existing ones; nothing is imported."""
    path = tmp_path / "soc.xlsx"
    titles = {"2231": "Hebamme", "5434": "Koch", "2136": "Programmierer"}
    write_table(path, [{"SOC": code, "Title": title, "ISCO08": "2222"} for code, title in titles.items()])
    ended = run_main("taxonomy", "import", str(path), "--columns", "code=Code,name=Title")
    assert ended.code == 2
    assert "soc.xlsx, line 1: there is no column 'Code'; it has SOC, Title, ISCO08" in ended.err
    columns = "code=SOC,name=Title,isco=ISCO08"
    manifest = answer(cli, "import", path, "--columns", columns, "--language", "de-AT", "--name", "Jobs")
    assert (manifest["id"], manifest["languages"]) == ("jobs-1", ["de"])
    shown = answer(cli, "show", "jobs-1", "--occupation", "2231", "--language", "de")
    assert (shown["name"], shown["code"], shown["isco_path"][-1]["code"]) == ("Hebamme", "2231", "2222")


def test_options_of_tables_with_a_folder(run_main: Callable[..., Any], esco_folder: Path) -> None:
    """They are refused."""
    ended = run_main("taxonomy", "import", str(esco_folder), "--separator", ";")
    assert ended.code == 2
    assert "can be chosen only for a table, and " in ended.err
