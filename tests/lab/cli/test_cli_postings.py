"""`python -m lab evaluate faithfulness|postings`: what they print."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.descriptions.postings import example_postings
from tests.core.descriptions.made_postings import made_postings
from tests.jobmatch.cli.conftest import Ended

Run = Callable[..., Result]


@pytest.mark.usefixtures("use_linker_home")
def test_postings_are_linked_three_ways(cli: Run, run_main: Callable[..., Ended], tmp_path: Path) -> None:
    """With codes of the bundled taxonomy; without any it is said which option helps."""
    path = tmp_path / "hahu.csv"
    text = example_postings()[2].posting.description.replace('"', "")
    path.write_text(f'ID,title,description,esco_code\n1,Bakers,"{text}",7512\n', "utf-8")
    words = ("evaluate", "postings", path, "--taxonomy", "isco-08")
    found = json.loads(cli(*words, "--codes", "isco-08", "--json").stdout)
    assert [each["by"] for each in found["results"]] == ["title", "description", "both"]
    assert found["results"][0]["mrr"] == 1
    path.write_text("ID,title,description,esco_code\n1,Bakers,x,0.0\n", "utf-8")
    assert "--codes" in run_main(*words, "--codes", "isco-08").err


def test_faithfulness(cli: Run, tmp_path: Path) -> None:
    """Attention beside random weights and the length of sentences."""
    rows = [json.dumps({"title": each.title, "description": each.description}) for each in made_postings(40)]
    (tmp_path / "postings.jsonl").write_text("\n".join(rows), "utf-8")
    measured = ("evaluate", "faithfulness", tmp_path / "postings.jsonl", "--n", 5)
    found = json.loads(cli(*measured, "--json").stdout)
    assert {each["weight"] for each in found["results"]} >= {"rollout", "random", "sentence length"}
    assert "sentence length" in cli(*measured).stdout
