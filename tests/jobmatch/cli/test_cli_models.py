"""`jobmatch models`: lists, promotions, roll backs, words for errors."""

import json
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.main import get_command
from typer.testing import Result

from db.label_store import LabelStore
from jobmatch.cli.main import app
from jobmatch.cli.models import USED_IN
from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.errors import LabellingError, ModelError
from jobmatch_core.metrics.comparisons import UNKNOWN, BeforeAfter, FigureChange, Part
from jobmatch_core.retrieval.match_models import model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.titles.encoder import shipped_folder
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.labelling.made_judgments import judgment, pair
from tests.tiny_transformer import save_transformer

Cli = Callable[..., Result]


@pytest.fixture
def model(jobmatch_home: Path) -> str:
    """Store towers."""
    report = {"labels": {"snapshot": "s", "sha256": "0", "trained": 8, "held_out": 2, "later": 0, "left_out": 0}}
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(jobmatch_home / "models" / "towers-1", report)
    return "towers-1"


def test_list_promote_roll_back(cli: Cli, model: str, jobmatch_home: Path) -> None:
    """The model in use is marked; by default it is the latest; a rollback restores that."""
    listed = json.loads(cli("models", "list", "--json").stdout)
    assert [(each["kind"], each["model"], each["in_use"]) for each in listed["models"]] == [
        ("towers", model, True),
        ("towers", "untrained", False),
        ("linking", "shipped", True),
        ("search", "search", True),
    ]
    change = json.loads(cli("models", "promote", "untrained", "--who", "ann", "--why", "calm", "--json").stdout)
    assert (change["before"], change["after"], change["who"], change["why"]) == (model, "untrained", "ann", "calm")
    assert model_in_use(Settings(jobmatch_home)) == "untrained"
    assert "In use for towers: towers-1 (before: untrained)" in cli("models", "rollback", "--who", "bob").stdout
    shown = cli("models", "list", "--history").stdout
    for words in ("8 labels of s", "shipped with jobmatch", "rolled back: untrained -> towers-1", "calm", "bob"):
        assert words in shown


def test_every_word_for_a_model(cli: Cli, model: str, jobmatch_home: Path) -> None:
    """Shipped models and those of the home, with kind and options."""
    shutil.copytree(shipped_folder(), jobmatch_home / "models" / "mine")
    words = json.loads(cli("models", "list", "--json").stdout)["words"]
    assert {(each["word"], each["kind"], each["source"]) for each in words} == {
        (model, "towers", "home"),
        ("untrained", "towers", "jobmatch"),
        ("shipped", "linking", "jobmatch"),
        *((word, "descriptions", "jobmatch") for word in ("jdan", "mean", "max", "document")),
        ("mine", "encoder", "home"),
        ("search", "search", "jobmatch"),
        ("titles", "encoder", "jobmatch"),
        ("tf-idf", "letters", "jobmatch"),
    }
    assert all(each["options"] == list(USED_IN[each["kind"]]) for each in words)
    shown = cli("models", "list").stdout
    assert all(each["word"] in shown for each in words)
    assert "link --encoder" in shown


def test_the_options_that_take_models_exist() -> None:
    """Each is an option of its command."""
    for line in {line for lines in USED_IN.values() for line in lines}:
        *words, last = line.split()
        command: Any = get_command(app)
        for word in words if last.startswith("--") else [*words, last]:
            command = command.commands[word]
        assert not last.startswith("--") or any(last in each.opts for each in command.params), line


def test_freeze_the_labels_of_now(cli: Cli, jobmatch_home: Path) -> None:
    """Without labels a message says so; a snapshot is stored under the printed name."""
    with pytest.raises(LabellingError, match="no judgments to freeze yet"):
        cli("train", "snapshot")
    with LabelStore.open(Settings.from_environment().label_store) as store:
        store.record_all([judgment("+"), judgment("-", of=pair("p2"))])
    frozen = json.loads(cli("train", "snapshot", "--json").stdout)
    assert frozen["classes"] == {"positive": 1, "negative": 1}
    assert (jobmatch_home / "snapshots" / frozen["snapshot"] / "manifest.json").exists()


def test_what_cannot_be_done(cli: Cli, model: str) -> None:
    """The error says why."""
    with pytest.raises(ModelError, match="there are towers-1, untrained"):
        cli("models", "promote", "gone")
    with pytest.raises(ModelError, match="to roll back"):
        cli("models", "rollback", "--kind", "linking")


def store_compared(home: Path, name: str, low: float, high: float) -> None:
    """Store towers that were measured on a large set, and on two pairs."""
    parts = (
        Part("judgments", "Judged pairs", 2, "pairs", (FigureChange("auc", 2, 1.0, 1.0, *UNKNOWN),)),
        Part(
            "benchmark", "The frozen benchmark", 103, "projects", (FigureChange("map", 103, 0.4, 0.4 + low, low, high),)
        ),
    )
    report = {"comparison": asdict(BeforeAfter("untrained", name, parts))}
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(home / "models" / name, report)


def test_what_got_worse_is_named_and_needs_a_yes(
    cli: Cli, jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused without a terminal; otherwise a confirmation or --yes is needed."""
    store_compared(jobmatch_home, "worse", -0.08, -0.02)
    cli("models", "promote", "untrained")
    for words in ((), ("--json",)):
        with pytest.raises(ModelError, match=r"is worse .* in 1 figure: map \(The frozen benchmark\).*--yes"):
            cli("models", "promote", "worse", *words)
    terminal = SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("jobmatch.cli.models.sys", terminal)
    monkeypatch.setattr("typer.confirm", lambda question: False)
    with pytest.raises(ModelError, match="Nothing was promoted"):
        cli("models", "promote", "worse")
    assert model_in_use(Settings(jobmatch_home)) == "untrained"
    shown = " ".join(cli("models", "promote", "worse", "--yes").stdout.split())
    assert "worse: worse on The frozen benchmark (103 projects): map 0.400 -> 0.320" in shown
    assert "worse: map, The frozen benchmark: 0.400 -> 0.320 (95% of the difference: -0.080 to -0.020)" in shown
    assert model_in_use(Settings(jobmatch_home)) == "worse"


def test_what_is_better_is_promoted_at_once(cli: Cli, jobmatch_home: Path) -> None:
    """With the verdict."""
    store_compared(jobmatch_home, "new", 0.02, 0.08)
    cli("models", "promote", "untrained")
    assert "new: better on The frozen benchmark" in " ".join(cli("models", "promote", "new").stdout.split())
    assert model_in_use(Settings(jobmatch_home)) == "new"


@pytest.mark.thorough
@pytest.mark.usefixtures("own_linker_home")
def test_an_encoder_of_ones_own_is_added(cli: Cli, tmp_path: Path) -> None:
    """It stands in the list, and an option takes its name."""
    save_transformer(tmp_path / "ours")
    said = " ".join(cli("models", "add", "ours", str(tmp_path / "ours")).stdout.split())
    assert said.startswith("Added ours. Options that take it: link --encoder")
    listed = json.loads(cli("models", "list", "--json").stdout)["words"]
    assert ("ours", "encoder", "home") in [(each["word"], each["kind"], each["source"]) for each in listed]
    (tmp_path / "posting.txt").write_text("We are looking for a cook.", "utf-8")
    described = json.loads(cli("describe", str(tmp_path / "posting.txt"), "--model", "ours", "--json").stdout)
    assert described["sentences"]


def test_an_encoder_of_ones_own_is_removed(cli: Cli, tmp_path: Path, jobmatch_home: Path) -> None:
    """After a yes, and with the names of the models that need it; nothing else can be removed."""
    save_transformer(tmp_path / "ours")
    cli("models", "add", "ours", str(tmp_path / "ours"))
    over = jobmatch_home / "models" / "over"
    over.mkdir()
    (over / "config.json").write_text('{"tower": {}, "backbone": "ours"}', "utf-8")
    with pytest.raises(ModelError, match="add --yes to remove it"):
        cli("models", "remove", "ours")
    assert (jobmatch_home / "models" / "ours").is_dir()
    removed = json.loads(cli("models", "remove", "ours", "--yes", "--json").stdout)
    assert removed == {"removed": "ours", "needed_by": ["over"]}
    assert not (jobmatch_home / "models" / "ours").exists()
    with pytest.raises(ModelError, match="There is no encoder 'over'"):
        cli("models", "remove", "over", "--yes")
    assert over.is_dir()
