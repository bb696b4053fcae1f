"""`python -m lab evaluate judged-titles`: what they print."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.retraining import linker_retraining
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore

Cli = Callable[..., Result]


@pytest.mark.long
@pytest.mark.usefixtures("use_linker_home")
def test_judged_titles(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table and JSON, of every state."""
    monkeypatch.setattr(linker_retraining, "_BENCHMARK_NAMES", 20)
    monkeypatch.setattr(linker_retraining, "_ANCHORS", 20)
    taxonomy = TaxonomyStore.open().load(BUNDLED_ID)
    rows = [f"{taxonomy.name(number, 'en')},{taxonomy.uris[number]}" for number in taxonomy.occupation_numbers[:9]]
    path = tmp_path / "titles.csv"
    path.write_text("\n".join(["vacancyTitle,conceptUri", *(row.replace(", ", " ") for row in rows)]), "utf-8")
    words = ("evaluate", "judged-titles", path, "--judged", 4, "--taxonomy", BUNDLED_ID)
    found = json.loads(cli(*words, "--json").stdout)
    assert [each["state"] for each in found["results"]] == ["before", "own names", "retrained", "both"]
    assert "own names" in cli(*words).stdout
