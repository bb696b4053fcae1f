"""Import of a company's own files, and the error of every invalid value."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from jobmatch_core.entities import Freelancer, Interaction, NamedSkill, Place, Project
from jobmatch_core.errors import DataFileError
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.marketplace.marketplace_columns import OPTIONAL, REQUIRED, read_mapping
from jobmatch_core.marketplace.marketplace_import import MarketplaceFiles, import_blocks
from jobmatch_core.taxonomy import Taxonomy
from tests.made_taxonomy import skilled_taxonomy

PROJECTS = "id,language,title,mandatory,created\np1,de,Neue Seite,Bytes-Hämmern; Löten ,2026-01-31\n"
FREELANCERS = "id,language,title,skills\nf1,en,coder,hammering bytes;soldering\nf2,ja,プログラマー,\n"
INTERACTIONS = "project,freelancer,positive,date\np1,f1,yes,2026-02-01\np1,f2,0,\n"
Write = Callable[..., MarketplaceFiles]


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    """Return the tiny taxonomy with skills."""
    return skilled_taxonomy()


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Return a function that writes the three files as CSV, optionally with other content."""

    def files(mapping: dict[str, dict[str, str]] | None = None, **contents: str) -> MarketplaceFiles:
        for kind, content in {
            "projects": PROJECTS,
            "freelancers": FREELANCERS,
            "interactions": INTERACTIONS,
            **contents,
        }.items():
            (tmp_path / f"{kind}.csv").write_text(content, "utf-8")
        paths = [tmp_path / f"{kind}.csv" for kind in ("projects", "freelancers", "interactions")]
        return MarketplaceFiles(*paths, mapping=mapping)

    return files


def read(files: MarketplaceFiles, taxonomy: Taxonomy) -> Marketplace:
    """Import a marketplace into memory."""
    return Marketplace.of_blocks("ours", import_blocks(files, taxonomy))


def test_markup_becomes_text(write: Write, taxonomy: Taxonomy) -> None:
    """In titles and in prose."""
    projects = (
        "id,language,title,job_title,description\n"
        'p1,en,R&amp;D <b>site</b>,**Coder**,"<ul><li>C#</li><li>a < b</li></ul>"\n'
    )
    freelancers = (
        "id,language,title,description,experience\nf1,en,<i>coder</i>,## Me,\nf2,en,coder,5 * 3,<p>1&nbsp;year</p>\n"
    )
    ours = read(write(projects=projects, freelancers=freelancers), taxonomy)
    project, (first, second) = ours.projects[0], ours.freelancers
    assert (project.title, project.job_title, project.description) == ("R&D site", "Coder", "• C#\n• a < b")
    assert (first.title, first.description) == ("coder", "Me")
    assert (second.description, second.experience) == ("5 * 3", "1 year")


def test_csv(write: Write, taxonomy: Taxonomy) -> None:
    """All three files with required columns only; a skill has the same key in both languages."""
    ours = read(write(), taxonomy)
    hammering, solder = NamedSkill("http://skills/0-0", "Bytes-Hämmern"), NamedSkill("text:loten", "Löten")
    assert ours.projects == (
        Project("p1", "de", "Neue Seite", "", "", "", "", "", "", (hammering, solder), (), created="2026-01-31"),
    )
    assert ours.freelancers[0] == Freelancer(
        "f1",
        "en",
        "coder",
        "",
        "",
        "",
        "",
        "",
        "",
        (NamedSkill(hammering.key, "hammering bytes"), NamedSkill("text:soldering", "soldering")),
    )
    assert ours.freelancers[1] == Freelancer("f2", "ja", "プログラマー", "", "", "", "", "", "", ())
    assert ours.interactions == (
        Interaction("p1", "f1", True, "2026-02-01"),
        Interaction("p1", "f2", False, ""),
    )
    assert ours.truth is None
    assert not ours.generated


def test_all_fields(write: Write, taxonomy: Taxonomy) -> None:
    """Places, dates and rates; ISCO-08 groups without a name get one."""
    fields: dict[str, Any] = {
        "id": "f1",
        "language": "de-AT",
        "title": "Koder",
        "experience": "Zeile 1\nZeile 2",
        "description": "x, y",
        "family": "25",
        "family_name": "IT",
        "category": "2512",
        "category_name": "",
        "country": "at",
        "latitude": 48.2,
        "longitude": -16,
        "skills": "a;b;A",
        "available_from": "2026-11-30 08:00",
        "day_rate": "500",
    }
    assert set(fields) == {*REQUIRED["freelancers"], *OPTIONAL["freelancers"]}
    content = pd.DataFrame([fields]).to_csv(index=False)
    [freelancer] = read(
        write(freelancers=content, interactions="project,freelancer,positive\np1,f1,\n"), taxonomy
    ).freelancers
    assert freelancer == Freelancer(
        "f1",
        "de",
        "Koder",
        "x, y",
        "Zeile 1\nZeile 2",
        "25",
        "IT",
        "2512",
        taxonomy.group_name("2512", "de"),
        (NamedSkill("text:a", "a"), NamedSkill("text:b", "b")),
        "AT",
        Place(48.2, -16.0),
        "2026-11-30",
        500.0,
    )


def test_a_category_of_ones_own(write: Write, taxonomy: Taxonomy) -> None:
    """Its name is its key."""
    ours = read(write(projects="id,language,title,category\np1,fr,Site,Développement web\n"), taxonomy)
    assert ours.projects[0].category == ours.projects[0].category_name == "Développement web"


def test_parquet_and_jsonl(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """Lists of skills, numeric ids, dates and missing values."""
    pd.DataFrame(
        {
            "id": [1.0, 2.0],
            "language": ["en", "he"],
            "title": ["Site", None],
            "mandatory": [["hammering bytes", None], None],
            "created": [pd.Timestamp("2026-03-01"), pd.NaT],
            "latitude": [1.5, float("nan")],
            "longitude": [2, None],
        }
    ).to_parquet(tmp_path / "p.parquet")
    rows = [
        {"id": 7, "language": "ar", "title": "مصمم", "skills": ["تصميم", "טיפוגרפיה"]},
        {"id": "8", "language": "zh", "title": "数据分析师", "day_rate": 300, "skills": "数据分析;统计"},
    ]
    (tmp_path / "f.jsonl").write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    ours = read(MarketplaceFiles(tmp_path / "p.parquet", tmp_path / "f.jsonl"), taxonomy)
    assert [project.id for project in ours.projects] == ["1", "2"]
    assert [skill.key for skill in ours.projects[0].mandatory] == ["http://skills/0-0"]
    assert (ours.projects[0].created, ours.projects[0].place) == ("2026-03-01", Place(1.5, 2.0))
    assert (ours.projects[1].title, ours.projects[1].mandatory, ours.projects[1].place) == ("", (), None)
    assert [freelancer.title for freelancer in ours.freelancers] == ["مصمم", "数据分析师"]
    assert [skill.text for skill in ours.freelancers[0].skills] == ["تصميم", "טיפוגרפיה"]
    assert [skill.text for skill in ours.freelancers[1].skills] == ["数据分析", "统计"]
    assert ours.freelancers[1].day_rate == 300
    assert ours.interactions == ()


@pytest.mark.parametrize("yes", ["yes", "TRUE", "1", "1.0", "positive"])
@pytest.mark.parametrize("no", ["no", "False", "0", "0.0", "-1", "negative"])
def test_answers(write: Write, taxonomy: Taxonomy, yes: str, no: str) -> None:
    """In several words; interactions without an answer are left out."""
    answers = f"project,freelancer,positive\np1,f1,{yes}\np1,f2,{no}\np1,f2,\n"
    assert [interaction.positive for interaction in read(write(interactions=answers), taxonomy).interactions] == [
        True,
        False,
    ]


def test_columns_with_other_names(write: Write, taxonomy: Taxonomy, tmp_path: Path) -> None:
    """A TOML file maps columns; ignored columns are listed."""
    (tmp_path / "columns.toml").write_text('[freelancers]\nid = "Profil"\ntitle = "Was er macht"\n', "utf-8")
    content = "Profil;language;Was er macht;title;email\nf1;de;Koch;Herr;x@y\nf2;de;Bäcker;;\n"
    files = write(mapping=read_mapping(tmp_path / "columns.toml"), freelancers=content)
    assert [freelancer.title for freelancer in read(files, taxonomy).freelancers] == ["Koch", "Bäcker"]
    assert files.left_out() == {"freelancers": ("title", "email"), "projects": (), "interactions": ()}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[people]\nid = 'x'\n", r"people is not a section \[projects\], \[freelancers\], \[interactions\]"),
        ("[projects]\nname = 'x'\n", "projects have no field 'name'; the fields are id, language, title, job_title"),
        ("[projects]\nid = 3\n", "have no field 'id'"),
        ("projects = 'x'\n", "projects is not a section"),
        ("[projects\n", "expected TOML"),
    ],
)
def test_mappings_that_cannot_be(tmp_path: Path, content: str, message: str) -> None:
    """They are refused."""
    path = tmp_path / "columns.toml"
    path.write_text(content, "utf-8")
    with pytest.raises(DataFileError, match=message):
        read_mapping(path)


def test_a_mapping_that_is_missing(tmp_path: Path) -> None:
    """The error names it."""
    with pytest.raises(DataFileError, match=r"columns\.toml: expected TOML"):
        read_mapping(tmp_path / "columns.toml")


def test_a_mapped_column_that_is_missing(write: Write, taxonomy: Taxonomy) -> None:
    """Also of an optional field."""
    with pytest.raises(DataFileError, match=r"the column 'Text' \(for description\) is missing; found id, "):
        read(write(mapping={"projects": {"description": "Text"}}), taxonomy)


@pytest.mark.parametrize(
    ("kind", "content", "message"),
    [
        ("projects", "id,title\np1,x\n", r"projects\.csv: the column 'language' is missing; found id, title"),
        ("projects", "id,language,title\n", r"projects\.csv: the file has no rows"),
        ("projects", "id,language,title\n,en,x\n", "row 2: id is empty"),
        ("projects", "id,language,title\np1,,x\n", "row 2: language is empty"),
        ("projects", "id,language,title\np1,klingon,x\n", "row 2: 'klingon' is not a language known here"),
        ("projects", "id,language,title\n1,en,x\n2,en,x\n1,en,y\n", "row 4: the id '1' occurs twice .first in row 2"),
        ("projects", "id,language,title,created\np1,en,x,31.1.2026\n", "created is '31.1.2026'; expected a date"),
        ("projects", "id,language,title,country\np1,en,x,Germany\n", "country is 'GERMANY'; expected a code of two"),
        ("projects", "id,language,title,latitude\np1,en,x,50\n", "latitude and longitude must both be given"),
        ("projects", "id,language,title,latitude,longitude\np1,en,x,91,0\n", "expected a number from -90 to 90"),
        ("freelancers", "id,language,title\nf1,en,x\nf1,en,x\n", "row 3: the id 'f1' occurs twice"),
        ("freelancers", "id,language,title,day_rate\nf1,en,x,4OO\n", "day_rate is '4OO'; expected a number from 0"),
        ("freelancers", "id,language,title,day_rate\nf1,en,x,-1\n", "day_rate is '-1'"),
        ("freelancers", "id,language,title,day_rate\nf1,en,x,inf\n", "day_rate is 'inf'"),
        ("interactions", "project,freelancer\np1,f1\n", "the column 'positive' is missing"),
        ("interactions", "project,freelancer,positive\np1,f1,maybe\n", "positive is 'maybe'; expected yes or no"),
        ("interactions", "project,freelancer,positive\np1,f1,1\np9,f1,1\n", "row 3: there is no project 'p9' in"),
        ("interactions", "project,freelancer,positive\np1,f9,1\n", "row 2: there is no freelancer 'f9' in freelancers"),
        ("interactions", "project,freelancer,positive\n,f1,1\n", "row 2: project is empty"),
    ],
)
def test_faults_are_told(write: Write, taxonomy: Taxonomy, kind: str, content: str, message: str) -> None:
    """With the file, the row, and the expected values."""
    with pytest.raises(DataFileError, match=message):
        read(write(**{kind: content}), taxonomy)


def test_skills_that_are_no_texts(tmp_path: Path, write: Write, taxonomy: Taxonomy) -> None:
    """Lists of objects are refused."""
    path = tmp_path / "f.jsonl"
    path.write_text('{"id": 1, "language": "en", "title": "x", "skills": [{"name": "y"}]}\n', "utf-8")
    with pytest.raises(DataFileError, match="skills has an item that is not text"):
        read(MarketplaceFiles(write().projects, path), taxonomy)


def test_rows_are_counted_over_batches(write: Write, taxonomy: Taxonomy) -> None:
    """The row number of an error counts all batches."""
    rows = [f"p{number},en,x" for number in range(1, 1501)]
    content = "\n".join(["id,language,title", *rows, "p7,en,x"])
    with pytest.raises(DataFileError, match=r"row 1502: the id 'p7' occurs twice \(first in row 8\)"):
        read(write(projects=content), taxonomy)


def test_progress(write: Write, taxonomy: Taxonomy) -> None:
    """Progress counts files."""
    seen: list[tuple[int, int]] = []
    list(import_blocks(write(), taxonomy, progress=lambda done, total: seen.append((done, total))))
    assert seen == [(0, 3), (1, 3), (2, 3), (3, 3)]


def test_a_missing_file(write: Write, taxonomy: Taxonomy, tmp_path: Path) -> None:
    """The error names it."""
    files = write()
    files.projects.unlink()
    with pytest.raises(DataFileError, match=r"projects\.csv: there is no such file"):
        read(files, taxonomy)
    with pytest.raises(DataFileError, match=r"projects\.csv: there is no such file"):
        files.left_out()
