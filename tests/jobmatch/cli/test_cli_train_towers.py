"""`jobmatch train towers`: what the command prints, and where it puts what."""

import json
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from typer.testing import CliRunner

from jobmatch.cli.train import app
from jobmatch.services.run_status import RunStatus
from jobmatch.services.training_job import TowersJob, read_job
from jobmatch_core.entities import (
    Freelancer,
    Interaction,
    Judgment,
    NamedSkill,
    Pair,
    PairKind,
    Project,
    Provenance,
    Verdict,
)
from jobmatch_core.errors import JobMatchError, LabellingError, MarketplaceError, SettingsError
from jobmatch_core.labelling.snapshot import Snapshots
from jobmatch_core.marketplace.marketplace import Need, RecordBlock
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retrieval.match_models import model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.towers.two_towers import TwoTowers

AT = datetime(2026, 11, 21, 9, tzinfo=UTC)

RECIPE = """
[tower]
width = 8
heads = 2
[sampling]
projects = 2
weak_negatives = 1
[training]
epochs = 2
"""


@pytest.fixture
def recipe(tmp_path: Path, jobmatch_home: Path) -> Path:
    """A small recipe, and a stored marketplace of ten projects, `tiny`."""
    jobs = [("nurse", "2221"), ("developer", "2512")]
    projects, freelancers, interactions = [], [], []
    for number in range(10):
        job, category = jobs[number % 2]
        skill = (NamedSkill(job, job),)
        day = f"2026-01-{number + 1:02}"
        projects.append(Project(f"p{number}", "en", job, job, "", "", "", category, "", skill, (), created=day))
        freelancers.append(Freelancer(f"f{number}", "en", job, "", "", "", "", category, "", skill))
        for other in range(number % 2, 10, 2):
            interactions.append(Interaction(f"p{number}", f"f{other}", other % 4 < 2, day))
    block = RecordBlock(
        projects, freelancers, interactions, needs=[Need((0,), ())] * 10, mastered=[(0,)] * 10, skills=("care",)
    )
    MarketplaceStore.open().save("tiny", [block], origin={}, generated=True)
    path = tmp_path / "small.toml"
    path.write_text(RECIPE, "utf-8")
    return path


def run(*words: str) -> str:
    """Run the command and return its standard output; standard error must be empty."""
    result = CliRunner().invoke(app, ["towers", *words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def test_json(recipe: Path, jobmatch_home: Path) -> None:
    """One object with the keys of docs/cli.md; the latest projects are held out, and `match` finds the model."""
    report = json.loads(run(str(recipe), "--marketplace", "tiny", "--json"))
    assert report["model"] == str(jobmatch_home / "models" / "small")
    assert sum(report["projects"]) == 8
    assert report["interactions"] == 50 - 2 * 5
    assert [len(report["epochs"]), report["generated"]] == [2, True]
    assert report["comparison"]["before"].startswith("untrained-")
    kinds = [part["kind"] for part in report["comparison"]["parts"]]
    assert kinds[:4] == ["judgments", "judgments", "list", "benchmark"]
    assert (report["ranker"]["adopted"], report["ranker"]["change"]) == (False, None)
    assert (report["labels"], report["start"]) == (None, "")
    assert set(report) == {
        "model",
        "recipe",
        "created",
        "start",
        "marketplace",
        "generated",
        "data_hash",
        "backbone",
        "versions",
        "projects",
        "freelancers",
        "interactions",
        "weights",
        "before",
        "epochs",
        "seconds",
        "peak_memory_mb",
        "labels",
        "comparison",
        "ranker",
    }
    assert TwoTowers.load(Path(report["model"])).config.width == 8


def test_figures_for_people(recipe: Path, tmp_path: Path) -> None:
    """A row per epoch, the place of the model, a generated marketplace; a second run does not overwrite it."""
    words = (str(recipe), "--marketplace", "tiny", "--out", str(tmp_path / "m"))
    shown = " ".join(run(*words).split())
    assert "on held-out projects" in shown
    assert "on 7 projects" in shown
    assert "verdict" in shown
    assert "tiny is generated" in shown
    assert "The list of freelancers: The shipped order stays: there are 0 projects" in shown
    assert (tmp_path / "m" / "report.json").exists()
    with pytest.raises(SettingsError, match="exists already"):
        run(*words)


def judge(jobmatch_home: Path, projects: range) -> str:
    """Freeze labels of a few projects with all freelancers; return the name of the snapshot."""
    keys = [(p, f) for p in projects for f in range(10)]
    said = [
        Judgment(
            str(UUID(int=100 * p + f)),
            Pair(PairKind.PROJECT_FREELANCER, "tiny", f"p{p}", f"f{f}"),
            Verdict.POSITIVE if p % 2 == f % 2 else Verdict.NEGATIVE,
            "ann",
            AT,
            Provenance("random"),
        )
        for p, f in keys
    ]
    return Snapshots(Settings(jobmatch_home)).freeze(said, AT).name


def test_labels_and_the_model_in_use(recipe: Path, jobmatch_home: Path) -> None:
    """Starts from the model in use, holds out projects, is not promoted, and is compared."""
    first = json.loads(run(str(recipe), "--marketplace", "tiny", "--no-compare", "--json"))
    assert first["comparison"] is None
    snapshot, status = judge(jobmatch_home, range(10)), jobmatch_home / "run"
    status.mkdir()
    words = (str(recipe), "--marketplace", "tiny", "--snapshot", snapshot, "--run", str(status), "--json")
    shown = run(*words, "--out", str(jobmatch_home / "models" / "second"))
    report = json.loads(shown[shown.index("{") :])
    assert (report["recipe"]["start"], report["start"].startswith("small-")) == ("small", True)
    labels = report["labels"]
    assert (labels["snapshot"], labels["later"], labels["left_out"]) == (snapshot, 20, 0)
    assert labels["trained"] + labels["held_out"] == 80
    assert labels["held_out"] % 10 == 0
    held_out, later, lists, benchmark = report["comparison"]["parts"][:4]
    assert (held_out["n"], later["n"], benchmark["n"]) == (labels["held_out"], 20, 2)
    judged = lists["changes"][0]
    assert (judged["figure"], judged["n"], lists["n"]) == ("judged_at_10", labels["held_out"] // 10 + 2, judged["n"])
    assert sum(report["projects"]) == 8 - labels["held_out"] // 10
    assert model_in_use(Settings(jobmatch_home)) == "small"
    told = RunStatus.read(status)
    assert told is not None
    assert (told.state, told.stage) == ("done", "Comparing with the model in use")
    asked = TowersJob(
        str(recipe),
        marketplace="tiny",
        snapshot=snapshot,
        out=str(jobmatch_home / "models" / "second"),
        keep_in_use=True,
    )
    assert read_job(status / "job.json") == asked
    assert len(told.losses) == told.losses[-1].step


def test_a_job_from_its_file(recipe: Path, jobmatch_home: Path, tmp_path: Path) -> None:
    """As the app starts it: the same result as the command; its progress is written beside it."""
    (tmp_path / "run").mkdir()
    job = TowersJob(str(recipe), out=str(tmp_path / "first"), marketplace="tiny", compare=False)
    result = CliRunner().invoke(app, ["job", str(job.write(tmp_path / "run")), "--json"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    first = json.loads(result.stdout[result.stdout.index("{") :])
    words = ("--marketplace", "tiny", "--no-compare", "--out", str(tmp_path / "second"), "--json")
    second = json.loads(run(str(recipe), *words))
    assert [first["model"], second["model"]] == [str(tmp_path / "first"), str(tmp_path / "second")]
    losses = [[each["loss"] for each in report["epochs"]] for report in (first, second)]
    assert losses[0] == losses[1]
    told = RunStatus.read(tmp_path / "run")
    assert told is not None
    assert told.state == "done"


def broken_off(*_: object, **__: object) -> None:
    """Interrupt a training."""
    raise KeyboardInterrupt


def test_nothing_unpromoted_comes_into_use(recipe: Path, jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model in use is recorded before there is a newer model."""
    status = jobmatch_home / "run"
    status.mkdir()
    monkeypatch.setattr("jobmatch_core.retraining.tower_retraining.retrain_towers", broken_off)
    words = ["towers", str(recipe), "--marketplace", "tiny", "--run", str(status)]
    assert CliRunner().invoke(app, words).exit_code
    assert Registry(Settings(jobmatch_home)).promoted(ModelKind.TOWERS) == "untrained"


def test_no_linking_model_either(own_linker_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same for linking models."""
    monkeypatch.setattr("jobmatch_core.retraining.linker_retraining.retrain_linker", broken_off)
    settings = Settings(own_linker_home)
    frozen = Snapshots(settings).freeze(
        [
            Judgment(
                str(UUID(int=1)),
                Pair(PairKind.TITLE_OCCUPATION, "isco-08", "x", "y"),
                Verdict.POSITIVE,
                "ann",
                AT,
                Provenance("random"),
            )
        ],
        AT,
    )
    assert CliRunner().invoke(app, ["linking", "--snapshot", frozen.name]).exit_code
    assert Registry(settings).promoted(ModelKind.LINKING) == "shipped"


def test_a_failure_is_told_to_the_run(recipe: Path, jobmatch_home: Path) -> None:
    """With the message that the command prints."""
    status = jobmatch_home / "run"
    status.mkdir(parents=True)
    snapshot = judge(jobmatch_home, range(8, 10))
    with pytest.raises(LabellingError, match="judge pairs of its older projects"):
        run(str(recipe), "--marketplace", "tiny", "--snapshot", snapshot, "--run", str(status))
    told = RunStatus.read(status)
    assert told is not None
    assert (told.state, "judge pairs of its older projects" in told.error) == ("failed", True)


def test_all_of_a_marketplace(recipe: Path, tmp_path: Path) -> None:
    """Without a test set."""
    recipe.write_text("share_test = 0\n" + RECIPE, "utf-8")
    report = json.loads(run(str(recipe), "--marketplace", "tiny", "--out", str(tmp_path / "m"), "--json"))
    assert sum(report["projects"]) == 10


@pytest.mark.parametrize(
    ("words", "kind"),
    [(("--marketplace", "none"), MarketplaceError), (("--marketplace", "tiny", "--backbone", "none"), JobMatchError)],
)
def test_what_is_not_there(recipe: Path, jobmatch_home: Path, words: tuple[str, ...], kind: type[Exception]) -> None:
    """The error names it, and nothing is written."""
    with pytest.raises(kind, match="none"):
        run(str(recipe), *words)
    assert not (jobmatch_home / "models").exists()
