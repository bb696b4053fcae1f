"""Models, runs and comparisons as trainings leave them in a home."""

import json
from dataclasses import asdict
from pathlib import Path

from jobmatch.services.run_status import RunState, RunStatus
from jobmatch.services.runs import TrainingRequest
from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.metrics.comparisons import BeforeAfter, FigureChange, Part
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from jobmatch_core.training.figures import LabelCounts

EVIL = "**a** <b>x</b> [z](http://a.org) :red[r]"
COUNTS = LabelCounts("2026-11-21-093000", "0" * 64, 8, 2, 1, 3)
COMPARISON = BeforeAfter(
    "untrained-x",
    "new",
    (
        Part(
            "judgments",
            "Judged pairs of projects that were put aside",
            6,
            "pairs",
            (FigureChange("auc", 6, 1.0, 1.0, -1.0, 1.0),),
        ),
        Part("judgments", "Judged pairs of the latest projects", 0, "pairs", ()),
        Part(
            "benchmark",
            "The frozen benchmark",
            100,
            "projects",
            (
                FigureChange("skills_at_10", 100, 0.5, 0.4, -0.15, -0.05),
                FigureChange("map", 100, 0.3, 0.2, -0.15, -0.05, gained=12, lost=41),
                FigureChange("category_at_10", 100, 0.3, 0.4, 0.05, 0.15),
            ),
        ),
        Part("language", "German", 3, "projects", (FigureChange("skills_at_10", 3, 0.5, 0.5, -1.0, 1.0),)),
    ),
)


def store_model(home: Path, name: str, **report: object) -> None:
    """Store untrained towers with a report."""
    folder = home / "models" / name
    told = {"created": "2026-11-21T09:00:00+00:00", "seconds": 65.0, "data_hash": "abc", **report}
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(folder, told)


def store_run(home: Path, status: RunStatus, log: str = "", recipe: str = "retrain") -> None:
    """Store the files of a training."""
    folder = home / "training" / "20261121-090000-000000"
    folder.mkdir(parents=True)
    asked = TrainingRequest("towers", "m", recipe, "demo", "", "", "ann")
    (folder / "run.json").write_text(json.dumps(asdict(asked)), "utf-8")
    status.write(folder)
    (folder / "log.txt").write_text(log, "utf-8")


def store_compared(home: Path, comparison: BeforeAfter) -> None:
    """Store towers with a comparison with those in use."""
    store_model(home, "new", comparison=asdict(comparison), labels=asdict(COUNTS), recipe={"name": EVIL, "seed": 1})


def status(state: RunState, **more: object) -> RunStatus:
    """Return a status of a run that took 65 seconds."""
    return RunStatus(state, "2026-11-21T09:00:00+00:00", "2026-11-21T09:01:05+00:00", **more)  # type: ignore[arg-type]
