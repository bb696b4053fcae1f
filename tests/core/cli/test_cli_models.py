"""`jobmatch models`, `jobmatch evaluate labelling|judged-titles`: lists, promotions, roll backs, words for errors."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch_core.encoders import TITLES, shipped_encoder
from jobmatch_core.errors import LabellingError, ModelError, SettingsError
from jobmatch_core.labelling.label_source import opened_labels
from jobmatch_core.matching.match_models import model_in_use
from jobmatch_core.matching.tower import TowerConfig
from jobmatch_core.matching.two_towers import TwoTowers
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from jobmatch_core.training import linker_retraining
from tests.core.labelling.made_judgments import judgment, pair

Cli = Callable[..., Result]


@pytest.fixture
def model(jobmatch_home: Path) -> str:
    """Store towers."""
    report = {"labels": {"snapshot": "s", "sha256": "0", "trained": 8, "held_out": 2, "later": 0, "left_out": 0}}
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(jobmatch_home / "models" / "towers-1", report)
    return "towers-1"


def test_list_promote_roll_back(cli: Cli, model: str, jobmatch_home: Path) -> None:
    """What is in use is marked; the latest counts until somebody has promoted; a roll back leads there."""
    listed = json.loads(cli("models", "list", "--json").stdout)
    assert [(each["kind"], each["model"], each["in_use"]) for each in listed["models"]] == [
        ("towers", model, True), ("towers", "untrained", False), ("linking", "shipped", True),
    ]  # fmt: skip
    change = json.loads(cli("models", "promote", "untrained", "--who", "ann", "--why", "calm", "--json").stdout)
    assert (change["before"], change["after"], change["who"], change["why"]) == (model, "untrained", "ann", "calm")
    assert model_in_use(Settings(jobmatch_home)) == "untrained"
    assert "In use for towers: towers-1 (before: untrained)" in cli("models", "rollback", "--who", "bob").stdout
    shown = cli("models", "list", "--history").stdout
    for words in ("8 labels of s", "comes with jobmatch", "rolled back: untrained -> towers-1", "calm", "bob"):
        assert words in shown


def test_freeze_the_labels_of_now(cli: Cli, jobmatch_home: Path) -> None:
    """Without any it is said that there are none; then they are there by the name that is printed."""
    with pytest.raises(LabellingError, match="no judgments yet to be frozen"):
        cli("train", "snapshot")
    with opened_labels() as store:
        store.record_all([judgment("+"), judgment("-", of=pair("p2"))])
    frozen = json.loads(cli("train", "snapshot", "--json").stdout)
    assert frozen["classes"] == {"positive": 1, "negative": 1}
    assert (jobmatch_home / "snapshots" / frozen["snapshot"] / "manifest.json").exists()


def test_what_cannot_be_done(cli: Cli, model: str) -> None:
    """It is said why."""
    with pytest.raises(ModelError, match="there are towers-1, untrained"):
        cli("models", "promote", "gone")
    with pytest.raises(ModelError, match="nothing to roll back"):
        cli("models", "rollback", "--kind", "linking")
    with pytest.raises(SettingsError, match="no policy 'second-opinion' to simulate"):
        cli("evaluate", "labelling", "--policy", "second-opinion")


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
