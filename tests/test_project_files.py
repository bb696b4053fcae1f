"""What tells strangers about the project: citation, security, issues, licences, and the package's own description."""

import re
import tomllib
from pathlib import Path

import pytest
import yaml

from jobmatch_core import __version__

ROOT = Path(__file__).parents[1]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
README = (ROOT / "README.md").read_text("utf-8")
LICENCES = (ROOT / "docs" / "licences.md").read_text("utf-8")
WEIGHTS = (".safetensors", ".json")


def test_the_citation_is_of_this_version() -> None:
    """With the licence of the package, and what the format needs."""
    assert (CITATION["version"], CITATION["license"]) == (__version__, PROJECT["license"])
    assert all(CITATION[field] for field in ("cff-version", "message", "title", "authors"))
    assert [author["name"] for author in CITATION["authors"]] == [author["name"] for author in PROJECT["authors"]]


def test_the_five_papers_are_cited() -> None:
    """The first author and the year of each, as in the README's table."""
    named = {f"{paper['authors'][0]['family-names']} et al. ({paper['year']})" for paper in CITATION["references"]}
    [table] = re.findall(r"^## The papers\n(.*?)^## ", README, re.DOTALL | re.MULTILINE)
    assert named == set(re.findall(r"(\w+ et al\. \(\d{4}\))", table))
    assert len(named) == 5
    assert all(paper["title"] and paper["type"] for paper in CITATION["references"])


@pytest.mark.parametrize("form", sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")), ids=lambda path: path.stem)
def test_issue_templates(form: Path) -> None:
    """Each has a head that the site of the repository reads, and questions."""
    _, head, body = form.read_text("utf-8").split("---\n", 2)
    assert yaml.safe_load(head).keys() >= {"name", "about", "labels"}
    assert body.count("**") >= 6


def test_every_shipped_model_has_its_licence() -> None:
    """Each folder and file of learned weights is on the page."""
    folders = {path.parent for path in (ROOT / "jobmatch_core").rglob("*.safetensors")}
    fitted = {
        path
        for name in ("linking/*.json", "ranking/*.json")
        for path in (ROOT / "jobmatch_core").glob(name)
        if path.suffix in WEIGHTS
    }
    shipped = {path.relative_to(ROOT).as_posix() for path in folders | fitted}
    assert len(shipped) >= 7
    assert [name for name in sorted(shipped) if f"`{name}`" not in LICENCES] == []


def test_sources_of_the_model_card_are_on_the_page() -> None:
    """A source that the card of the title encoder adds is added to the page, with the same licence."""
    card = (ROOT / "jobmatch_core" / "titles" / "jobmatch-titles" / "README.md").read_text("utf-8")
    for word in (
        "SOC 2020",
        "NOC 2016",
        "ANZSCO 2022",
        "Tabiya",
        "NCO 2015",
        "SINCO",
        "CBO 2002",
        "NTREX-128",
        "Tatoeba",
    ):
        assert word in card
        assert word in LICENCES
    licences = {"Open Government Licence v3", "Open Government Licence - Canada", "CC BY-SA 4.0", "CC BY 2.0 FR"}
    assert all(licence in card and licence in LICENCES for licence in licences)


def test_what_has_no_licence_says_so() -> None:
    """Three sources of postings, the vacancy titles and the index of ISCO-08."""
    assert LICENCES.count("**none stated**") == 3
    assert LICENCES.count("**no licence stated**") == 2


def test_the_package_says_where_it_runs() -> None:
    """On the releases of Python that were tried, the oldest first; the README is the long description."""
    named = [each.rpartition(" ")[2] for each in PROJECT["classifiers"] if "Python :: 3." in each]
    assert named == ["3.11", "3.13", "3.14"]
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert PROJECT["readme"] == "README.md"


@pytest.mark.thorough
def test_what_would_be_uploaded_is_checked() -> None:
    """By CI, in an environment of its own, with a pinned twine."""
    steps = (ROOT / ".ci" / "run").read_text("utf-8")
    assert re.search(r"install --quiet twine==[\d.]+\n", steps)
    assert 'twine" check --strict' in steps
