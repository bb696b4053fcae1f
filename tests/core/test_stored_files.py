"""Files of release 0.1.0 are read, and written again byte for byte, except for later additions."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jobmatch_core.benchmarks.retrieval.matching_experiment import matching_runs
from jobmatch_core.benchmarks.retrieval.run_store import RunStore
from jobmatch_core.benchmarks.scoreboard.results import ResultStore
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text
from jobmatch_core.io.user_store import TextStore
from jobmatch_core.labelling.snapshot import load_manifest
from jobmatch_core.linking.calibration import PRECISION, SURE, Calibration
from jobmatch_core.linking.linking_model import HeadMoves, LinkingModel, load_linking_model, save_linking_model
from jobmatch_core.linking.posting_linker import PostingWeights
from jobmatch_core.linking.stored_list import ListCard
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retrieval.freelancer_index import IndexState
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy.tables import Manifest
from jobmatch_core.titles.occupation_names import HeldOutFigures
from jobmatch_core.training.figures import EpochFigures
from lab.experiments.description_runs import description_runs

STORED = Path(__file__).parents[1] / "data" / "stored_files"
DATASET = "demo"
_OF_CALIBRATIONS = {  # thresholds of unit groups, the curves that they are chosen by, and the trust in equal names
    "unit_threshold": SURE,
    "curve": [],
    "unit_curve": [],
    "exact_name": None,
    "name_trust": None,
    "classifier": None,
}
ADDED = {
    "calibration": _OF_CALIBRATIONS | {"precision": PRECISION},
    "linking_model": _OF_CALIBRATIONS,
    "snapshot": {"origins": {}},
    "snapshot_format_1": {"origins": {}},
    "list": {
        "options": {"precision": PRECISION, "context": {"columns": []}, "also": ""},
        "ownership": {"owner": "", "shared": False},
    },
}


def snapshot(old: Path, new: Path) -> None:
    """Copy a snapshot's manifest."""
    new.write_text(json_text(asdict(load_manifest(old.parent)), indent=2, ensure_ascii=False), "utf-8")


def history(old: Path, new: Path) -> None:
    """Copy the history of promotions."""
    *rows, last = Registry(Settings(old.parents[1])).history()
    Registry(Settings(new.parents[1]))._add(rows, last)


def figures(old: Path, new: Path) -> None:
    """Copy a result."""
    found = ResultStore(old.parents[3]).figures("melo", "deu_q_de_c_de", "ours")
    assert found is not None
    ResultStore(new.parents[3]).save(found)


def runs(store: Callable[[Settings], RunStore[object]]) -> Callable[[Path, Path], None]:
    """Return how to copy the runs of an experiment."""

    def copy(old: Path, new: Path) -> None:
        for run in store(Settings(old.parents[2])).runs(DATASET):
            store(Settings(new.parents[2])).add(DATASET, run)

    return copy


def linking_model(old: Path, new: Path) -> None:
    """Copy a linking model's configuration; the weights are made here."""
    calibration = Calibration(("char", "word"), (0.5, 1.5), -1.0, 0.4, {})
    moves = HeadMoves(("uri:cook",), np.ones((1, 2), dtype=np.float32))
    text = old.read_bytes()
    old.unlink()
    old.parent.rmdir()
    save_linking_model(old.parent, LinkingModel(calibration, moves), "enc", {})
    old.write_bytes(text)
    found = load_linking_model(old.parent, "enc", calibration.features)
    new.parent.rmdir()
    save_linking_model(new.parent, found, "enc", {})


COPIES: dict[str, tuple[str, Callable[[Path, Path], None]]] = {
    "taxonomy": ("manifest.json", lambda old, new: Manifest.load(old.parent).save(new.parent)),
    "marketplace": ("manifest.json", lambda old, new: MarketplaceManifest.load(old.parent).save(new.parent)),
    "snapshot": ("manifest.json", snapshot),
    "snapshot_format_1": ("manifest.json", snapshot),
    "history": ("promoted/history.json", history),
    "figures": ("melo/deu_q_de_c_de/ours/figures.json", figures),
    "matching_runs": (f"evaluations/matching/{DATASET}.json", runs(matching_runs)),
    "description_runs": (f"evaluations/descriptions/{DATASET}.json", runs(description_runs)),
    "index_state": ("state.json", lambda old, new: _saved(IndexState.load(old.parent), new.parent)),
    "calibration": ("calibration.json", lambda old, new: Calibration.load(old).save(new.parent)),
    "posting_weights": ("weights.json", lambda old, new: PostingWeights.load(old).save(new)),
    "linking_model": ("model/config.json", linking_model),
    "list": ("list.json", lambda old, new: ListCard.load(old.parent).save(new.parent)),
    "text": (f"{'t' * 22}.json", lambda old, new: _written(new, TextStore(old.parent).read(old.stem))),
    "epochs": (
        "figures.json",
        lambda old, new: _written(new, [asdict(each) for each in read_record(old, tuple[EpochFigures, ...])]),
    ),
    "held_out": ("before.json", lambda old, new: _written(new, asdict(read_record(old, HeldOutFigures)))),
}


def _saved(state: IndexState | None, folder: Path) -> None:
    assert state is not None
    state.save(folder)


def _written(path: Path, value: object) -> None:
    path.write_text(json_text(value), "utf-8")


@pytest.mark.parametrize("name", COPIES)
def test_an_old_file_is_read_and_written_alike(tmp_path: Path, name: str) -> None:
    """Nothing is lost; later additions have their defaults."""
    place, copy = COPIES[name]
    old, new = tmp_path / "old" / place, tmp_path / "new" / place
    for each in (old, new):
        each.parent.mkdir(parents=True)
    old.write_bytes((STORED / f"{name}.json").read_bytes())
    copy(old, new)
    stored, written = (STORED / f"{name}.json").read_text("utf-8"), new.read_text("utf-8")
    if name in ADDED:
        assert json.loads(written) == _merged(json.loads(stored), ADDED[name])
    else:
        assert written == stored


def _merged(old: dict[str, Any], added: dict[str, Any]) -> dict[str, Any]:
    """Return a table with what was added to it, or to its tables."""
    return old | {name: old.get(name, {}) | more if isinstance(more, dict) else more for name, more in added.items()}


def test_every_stored_file_is_looked_at() -> None:
    """Each stored file has a test."""
    assert {path.stem for path in STORED.iterdir()} == set(COPIES)
