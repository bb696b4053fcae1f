"""From labels to towers that can be promoted: what is learned from, what is kept to measure with, what changed."""

from dataclasses import replace
from pathlib import Path

from jobmatch_core.labelling.snapshot_store import NamedSnapshot
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.before_after import BeforeAfter
from jobmatch_core.model_store.label_counts import LabelCounts
from jobmatch_core.model_store.watch import Watch
from jobmatch_core.retraining.tower_comparison import TowerTest, compare_towers
from jobmatch_core.retraining.tower_labels import TowerLabels, judged_pairs, tower_labels, with_labels
from jobmatch_core.retrieval.match_models import UNTRAINED, load_match_model
from jobmatch_core.settings import Settings
from jobmatch_core.towers.documents import freelancer_document, project_document
from jobmatch_core.towers.temporal_split import temporal_split
from jobmatch_core.towers.tower_recipe import TowerRecipe
from jobmatch_core.towers.tower_report import TowerReport
from jobmatch_core.towers.tower_training import train_towers
from jobmatch_core.towers.two_towers import TwoTowers


def retrain_towers(
    recipe: TowerRecipe,
    marketplace: Marketplace,
    out: Path,
    *,
    labels: NamedSnapshot | None = None,
    against: str | None = None,
    settings: Settings | None = None,
    resume: bool = True,
    watch: Watch | None = None,
) -> TowerReport:
    """Train towers by a recipe on a marketplace's past and a snapshot's labels, and measure what that changed.

    Args:
        recipe: its `start` is the model to go on from, its `share_test` the benchmark, on which nothing is trained.
        marketplace: all of it.
        out: the model's folder, which must not exist yet.
        labels: judgments to learn from beside the marketplace's interactions.
        against: the model to compare with, as `load_match_model` takes it ('' for the one in use); None for none.
        settings: where models lie; from the environment where not given.
        resume: go on with an interrupted training of the same recipe and data.
        watch: who is told how it gets on.

    Raises:
        JobMatchError: what `train_towers` raises; no label can be learned from; there is no model of a name that is
            given, or it cannot be used.
    """
    watch = watch or Watch()
    watch.stage("Reading projects and freelancers")
    past, later = temporal_split(marketplace, recipe.share_test) if recipe.share_test else (marketplace, None)
    sorted_out = tower_labels(labels.snapshot.labels if labels else (), past, later)
    material = with_labels(past, sorted_out) if labels else past
    start = load_match_model(recipe.start, settings) if recipe.start not in ("", UNTRAINED) else None

    def compare(after: TwoTowers) -> BeforeAfter:
        watch.stage("Comparing with the model in use")
        before = load_match_model(against or "", settings)
        measured = compare_towers(before, after, _test(past, later, sorted_out), progress=watch.progress)
        return replace(measured, after=out.name)

    watch.stage("Training")
    return train_towers(
        recipe, material, out, start=start, labels=_counts(labels, sorted_out) if labels else None,
        compare=None if against is None else compare, resume=resume, progress=watch.progress, losses=watch.losses,
    )  # fmt: skip


def _counts(labels: NamedSnapshot, sorted_out: TowerLabels) -> LabelCounts:
    return LabelCounts(
        snapshot=labels.name,
        sha256=labels.snapshot.manifest.sha256,
        trained=len(sorted_out.train),
        held_out=len(sorted_out.held_out),
        later=len(sorted_out.later),
        left_out=sorted_out.left_out,
    )


def _test(past: Marketplace, later: Marketplace | None, labels: TowerLabels) -> TowerTest:
    newer = later or past  # where no projects are later, none of their labels are there either
    return TowerTest(
        benchmark=later,
        freelancers=[freelancer_document(each) for each in past.freelancers],
        held_out_projects=[project_document(each) for each in past.projects],
        held_out=judged_pairs(labels.held_out, past),
        later_projects=[project_document(each) for each in newer.projects],
        later=judged_pairs(labels.later, newer),
    )
