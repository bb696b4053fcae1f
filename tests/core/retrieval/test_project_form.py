"""Forms of projects, with the tiny taxonomy's skills."""

import pytest

from jobmatch_core.errors import MatchingError
from jobmatch_core.retrieval.project_reader import FormSkills, ProjectForm, ProjectReader, followed, form_of
from tests.made_taxonomy import skilled_taxonomy

TEXT = """Programm für eine Werkstatt
Für unser Team suchen wir jemanden, der mit Bytes-Hämmern und Seiten-Sieben vertraut ist.
Von Vorteil: Felder-Falten, Bytes-Hämmern"""


@pytest.fixture(scope="module")
def reader() -> ProjectReader:
    """Read forms."""
    return ProjectReader(skilled_taxonomy())


def test_skills_are_found_in_a_text(reader: ProjectReader) -> None:
    """Those under a heading of extras are a bonus; one is named once."""
    assert reader.mentioned(TEXT) == FormSkills(("Bytes-Hämmern", "Seiten-Sieben"), ("Felder-Falten",))
    assert reader.mentioned(" \n") == FormSkills()


def test_a_form_becomes_a_project(reader: ProjectReader) -> None:
    """Chips count, not the text: in any language, each skill once, unknown ones as themselves."""
    skills = FormSkills(("hammering bytes", "Hochstapeln"), ("Bytes-Hämmern", "Felder-Falten"))
    project = reader.form(ProjectForm("", TEXT, "2512", skills))
    assert (project.title, project.language, project.family) == ("Programm für eine Werkstatt", "de", "25")
    assert project.description.startswith("Für unser Team")
    assert [skill.key for skill in project.mandatory] == ["http://skills/0-0", "text:hochstapeln"]
    assert [skill.key for skill in project.bonus] == ["http://skills/3-4"]
    assert project.category_name != "2512"


def test_a_title_of_its_own(reader: ProjectReader) -> None:
    """Then the first line is text like the others."""
    project = reader.form(ProjectForm(" Neues\tProgramm ", TEXT, "", FormSkills()))
    assert project.title == "Neues Programm"
    assert project.description.startswith("Programm für eine Werkstatt\nFür unser Team")
    assert (project.category, project.category_name, project.family_name) == ("", "", "")


def test_a_title_alone_is_enough(reader: ProjectReader) -> None:
    """A form without title and text is refused."""
    assert reader.form(ProjectForm("Wanted: coder", "", "", FormSkills())).title == "Wanted: coder"
    with pytest.raises(MatchingError, match="no text"):
        reader.form(ProjectForm(" ", "\n", "", FormSkills(("Python",))))


def test_a_copy_reads_the_same(reader: ProjectReader) -> None:
    """A project through a form and back, but for what a form has not."""
    skills = FormSkills(("hammering bytes",), ("folding fields",))
    text = "Role: coder\nWe are a small firm.\nThere is work for a year."
    project = reader.form(ProjectForm("A program", text, "2512", skills))
    assert project.job_title == "coder"
    assert reader.form(form_of(project)) == project


@pytest.mark.parametrize(
    ("chosen", "after", "expected"),
    [
        (FormSkills(("a", "b")), FormSkills(("a", "b", "c")), FormSkills(("a", "b", "c"))),
        (FormSkills(("a", "mine")), FormSkills(("b",)), FormSkills(("mine",))),
        (FormSkills(("a",)), FormSkills(("a", "b")), FormSkills(("a",))),
        (FormSkills(("a", "b")), FormSkills((), ("b",)), FormSkills((), ("b",))),
        (FormSkills(("b",), ("a",)), FormSkills(("a", "b")), FormSkills(("b",), ("a",))),
    ],
    ids=["named anew", "no longer named", "removed by hand stays away", "moved in the text", "moved by hand stays"],
)
def test_chips_follow_the_text(chosen: FormSkills, after: FormSkills, expected: FormSkills) -> None:
    """What was done by hand stays; the text named a and b before."""
    assert followed(chosen, FormSkills(("a", "b")), after) == expected
