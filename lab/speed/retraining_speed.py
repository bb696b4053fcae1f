"""Duration from a thousand new judgments to a promoted model, on a generated marketplace."""

import os
import time
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from jobmatch_core.demo.annotators import ANNOTATORS, judgments, pairs_to_judge
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.labelling.snapshot import Snapshots, open_snapshot
from jobmatch_core.marketplace.demo.generator import install_demo
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.gauges import timed
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining.tower_retraining import retrain_towers
from jobmatch_core.retrieval.match_models import model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerRecipe
from jobmatch_core.training.figures import Watch

_UNTIL = date(2026, 1, 5)


@dataclass(frozen=True, slots=True)
class RetrainingSpeed:
    """Measured durations."""

    judgments: int
    # projects, freelancers: numbers of the marketplace
    projects: int
    freelancers: int
    cores: int  # number of cores available to this process
    freeze_s: float  # seconds of freezing the snapshot
    retrain_s: float  # seconds of reading, training, and the comparison with the model in use
    train_s: float  # seconds of the epochs alone
    promote_s: float  # seconds of the promotion
    total_s: float  # from the judgments to the model in use
    cpu_s: float  # processor time of all that
    held_out_auc: tuple[float, float] | None  # of the labels put aside, before and after


def measure_retraining(recipe: TowerRecipe, count: int, *, progress: Progress = no_progress) -> RetrainingSpeed:
    """Make a demo marketplace and judgments in a temporary home, freeze, train, compare and promote.

    Args:
        recipe: as `recipes/towers/retrain.toml`.
    """
    with ExitStack() as cleanup:
        settings = Settings(Path(cleanup.enter_context(TemporaryDirectory())))
        install_demo(settings)
        market = MarketplaceStore.open(settings).load("demo")
        given = judgments(market, pairs_to_judge(market, count), ANNOTATORS[0], _UNTIL)
        cpu = time.process_time()
        freeze_s, stored = timed(lambda: Snapshots(settings).freeze(given))
        out = settings.models / "retrained"
        in_use = model_in_use(settings)
        retrain_s, report = timed(
            lambda: retrain_towers(
                recipe,
                market,
                out,
                labels=open_snapshot(stored.name, settings),
                against=in_use,
                settings=settings,
                watch=Watch(progress=progress),
            )
        )
        registry = Registry(settings)
        promote_s, _ = timed(lambda: registry.promote(ModelKind.TOWERS, out.name, who="bench"))
        changes = (
            [change for part in report.comparison.parts[:1] for change in part.changes] if report.comparison else []
        )
        return RetrainingSpeed(
            judgments=len(given),
            projects=len(market.projects),
            freelancers=len(market.freelancers),
            cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
            freeze_s=freeze_s,
            retrain_s=retrain_s,
            train_s=report.seconds,
            promote_s=promote_s,
            total_s=freeze_s + retrain_s + promote_s,
            cpu_s=time.process_time() - cpu,
            held_out_auc=(changes[0].before, changes[0].after) if changes else None,
        )
