"""Training jobs: files with typed fields, and what a damaged one says."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch.services.run_status import RunStatus
from jobmatch.services.training_job import (
    JOBS,
    JdanJob,
    LinkingJob,
    SearchJob,
    TitleEncoderJob,
    TowersJob,
    TrainingJob,
    read_job,
    run_job,
)
from jobmatch_core.errors import LabellingError, SettingsError

EVERY = [
    TowersJob("towers.toml", "out", "titles", False, "Märkte", "2026-11-21", "untrained", False, True),
    TowersJob("towers.toml"),
    LinkingJob("2026-11-21", "esco-1.1.1", "out"),
    TitleEncoderJob("both.toml", "out", "hub:x", False, "data"),
    JdanJob("titles.toml", "out", "a+b", True, "data", 7),
    SearchJob("clicks.toml", "out", "titles", True, "data", "search", "hub:x"),
]


@pytest.mark.parametrize("job", EVERY, ids=lambda job: job.kind)
def test_a_job_is_read_as_it_was_written(job: TrainingJob, tmp_path: Path) -> None:
    """With its kind; a job with a recipe reads its copy."""
    file = job.write(tmp_path)
    assert (file.name, json.loads(file.read_text("utf-8"))["kind"]) == ("job.json", job.kind)
    assert read_job(file) == job
    recipe = getattr(job, "recipe", None)
    if recipe is None:
        assert job.with_recipe_in(tmp_path) is job
        return
    (tmp_path / recipe).write_text("# mine", "utf-8")
    (tmp_path / "run").mkdir()
    copied = replace(job, recipe=str(tmp_path / recipe)).with_recipe_in(tmp_path / "run")  # type: ignore[call-arg]
    assert copied == replace(job, recipe=str(tmp_path / "run" / recipe))  # type: ignore[call-arg]
    assert (tmp_path / "run" / recipe).read_text("utf-8") == "# mine"


def test_every_kind_is_written() -> None:
    """By the test above."""
    assert {type(job) for job in EVERY} == set(JOBS.values())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "not a training job"),
        ("[]", "'kind' must be one of towers, linking"),
        ('{"kind": ["towers"], "recipe": "x"}', "'kind' must be one of"),
        ('{"kind": "posting"}', "'kind' must be one of"),
        ('{"kind": "towers"}', "recipe"),
        ('{"kind": "linking", "snapshot": "s", "words": "rm"}', "words"),
        ('{"kind": "linking", "snapshot": 7}', "snapshot"),
        ('{"kind": "jdan", "recipe": "x", "seed": true}', "seed"),
    ],
)
def test_what_is_no_job(content: str, says: str, tmp_path: Path) -> None:
    """The error names the field, and no status is written."""
    file = tmp_path / "job.json"
    file.write_text(content, "utf-8")
    with pytest.raises(SettingsError, match=says):
        run_job(file, print)
    assert list(tmp_path.iterdir()) == [file]


def test_a_job_that_is_not_there(tmp_path: Path) -> None:
    """The error names the file."""
    with pytest.raises(SettingsError, match=r"job\.json cannot be read"):
        read_job(tmp_path / "job.json")


def test_a_failure_is_reported_beside_the_job(jobmatch_home: Path, tmp_path: Path) -> None:
    """With the message of the raised error."""
    lines: list[str] = []
    with pytest.raises(LabellingError, match="gone"):
        run_job(LinkingJob("gone").write(tmp_path), lines.append)
    status = RunStatus.read(tmp_path)
    assert status is not None
    assert (status.state, "gone" in status.error, len(lines)) == ("failed", True, 1)
