"""Files of judgments as OpenRefine exports them."""

from pathlib import Path

import pytest

from jobmatch.services.link_decisions import LinkDecision
from jobmatch.services.openrefine_file import read_decisions
from jobmatch_core.errors import DataFileError
from jobmatch_core.taxonomy import Taxonomy
from tests.made_taxonomy import skilled_taxonomy

CODER = "http://jobs/2512"


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    """Six occupations."""
    return skilled_taxonomy()


def read(tmp_path: Path, taxonomy: Taxonomy, text: str, name: str = "titles.csv") -> list[LinkDecision]:
    """Return the decisions of a file."""
    (tmp_path / name).write_text(text, "utf-8")
    return read_decisions(tmp_path / name, taxonomy)


def test_each_judgment(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """`matched` and `new` decide, `none` and an empty title do not; what is said twice counts once."""
    text = (
        f"place,title,judgment,id\nUlm,dev,matched,{CODER}\nBonn,dev,matched,{CODER}\n"
        f"Ulm, wizard ,new,\nUlm,clerk,none,\nUlm,,matched,{CODER}\n"
    )
    assert read(tmp_path, taxonomy, text) == [LinkDecision("dev", CODER), LinkDecision("wizard", None)]


def test_without_judgments(tmp_path: Path, taxonomy: Taxonomy) -> None:
    """A row with an id is matched; tabs separate, as in OpenRefine's TSV."""
    text = f"title\tid\ndev\t{CODER}\nclerk\t\n"
    assert read(tmp_path, taxonomy, text, "titles.tsv") == [LinkDecision("dev", CODER)]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("title,uri\ndev,x\n", "line 1: there is no column 'id', only title, uri"),
        (f"title,id,judgment\ndev,{CODER},mached\n", "line 2: judgment is 'mached'; expected matched, new or none"),
        (f"title,id\ndev,{CODER}\ndev,http://jobs/1\n", "line 3: there is no occupation 'http://jobs/1' in skilled-1"),
        ("title,id,judgment\ndev,,matched\n", "line 2: there is no occupation '' in skilled-1"),
    ],
)
def test_what_cannot_be_read(tmp_path: Path, taxonomy: Taxonomy, text: str, problem: str) -> None:
    """The message names the line."""
    with pytest.raises(DataFileError) as caught:
        read(tmp_path, taxonomy, text)
    assert problem in str(caught.value)
