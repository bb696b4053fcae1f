"""Retraining of the towers on labels, to a model that can be promoted."""

from dataclasses import replace
from pathlib import Path

from jobmatch_core.labelling.snapshot_store import NamedSnapshot
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.before_after import BeforeAfter
from jobmatch_core.model_store.training_figures import LabelCounts
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
    """Train towers by a recipe on a marketplace's past and a snapshot's labels, and measure the effect.

    Args:
        recipe: recipe; its `start` is the start model, its `share_test` the benchmark, which is not trained on.
        marketplace: the whole marketplace.
        out: the model's folder, which must not exist yet.
        labels: snapshot to learn from beside the marketplace's interactions.
        against: name of the model to compare with, for `load_match_model` ('' for the one in use); None for none.
        settings: location of the models; from the environment by default.
        resume: continue an interrupted training of the same recipe and data.
        watch: callbacks for stages and progress.

    Raises:
        JobMatchError: `train_towers` fails; there are no training labels; a named model does not exist, or cannot be
            used.
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
