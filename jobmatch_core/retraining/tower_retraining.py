"""Retraining of both stages on labels, with a comparison on held-out judgments and the benchmark."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.entities import FloatArray, Progress, no_progress
from jobmatch_core.labelling.snapshot import NamedSnapshot
from jobmatch_core.marketplace.marketplace import Marketplace
from jobmatch_core.metrics.comparisons import BeforeAfter, Part, changes_of
from jobmatch_core.metrics.judgment_metrics import JudgedPairs, auc_change
from jobmatch_core.model_store.model_spec import UNTRAINED
from jobmatch_core.ranking.ranker import RANKER_FILE
from jobmatch_core.retraining.list_comparison import BothStages, ListTest, list_part
from jobmatch_core.retraining.ranker_evidence import RankerMaterial
from jobmatch_core.retraining.ranker_retraining import RefittedStage, refit_second_stage
from jobmatch_core.retraining.tower_labels import TowerLabels, judged_pairs, tower_labels, with_labels
from jobmatch_core.retrieval.match_models import load_match_model, load_ranker
from jobmatch_core.search.position_bias import WeightedChoice
from jobmatch_core.settings import Settings
from jobmatch_core.text.locales import language_name
from jobmatch_core.towers.document_pairs import DocumentPairs, temporal_split
from jobmatch_core.towers.documents import Document, freelancer_document, project_document
from jobmatch_core.towers.matcher import DocumentEncoder
from jobmatch_core.towers.matching_metrics import MatchingJudgments, MatchingOutcome, measure
from jobmatch_core.towers.tower_recipe import TowerRecipe, TowerReport
from jobmatch_core.towers.tower_training import Completion, train_towers
from jobmatch_core.towers.two_towers import TwoTowers
from jobmatch_core.training.figures import LabelCounts, Watch

LESS_IS_BETTER = ("negatives_at_100",)
_BY_LANGUAGE = ("category_at_10", "skills_at_10", "positives_at_100", "coverage_at_10")
_FEWEST_OF_A_LANGUAGE = 5  # projects


@dataclass(frozen=True)
class TowerTest:
    """Test data."""

    benchmark: Marketplace | None  # the latest projects, with all freelancers; None if none are held out
    freelancers: Sequence[Document]  # documents of all freelancers
    # the projects' documents and the judged pairs of both kinds, see `retraining.tower_labels`
    held_out_projects: Sequence[Document]
    held_out: JudgedPairs
    later_projects: Sequence[Document]
    later: JudgedPairs


def compare_towers(
    before: DocumentEncoder, after: DocumentEncoder, test: TowerTest, *, progress: Progress = no_progress
) -> BeforeAfter:
    """Compare the model in use with a new one; *progress* is called with models encoded and in total."""
    measured = []
    for number, model in enumerate((before, after)):
        progress(number, 2)
        measured.append(_measured(model, test))
    progress(2, 2)
    old, new = measured
    parts = [
        _judged_part("Judged pairs of projects that were put aside", test.held_out, old.held_out, new.held_out),
        _judged_part("Judged pairs of the latest projects", test.later, old.later, new.later),
    ]
    if old.benchmark is not None and new.benchmark is not None:
        parts.append(_benchmark_part(old.benchmark, new.benchmark))
        parts += _language_parts(old.benchmark, new.benchmark)
    return BeforeAfter(before.name, after.name, tuple(parts))


@dataclass(frozen=True)
class _Measured:
    held_out: NDArray[np.float64]
    later: NDArray[np.float64]
    benchmark: MatchingOutcome | None


def _measured(model: DocumentEncoder, test: TowerTest) -> _Measured:
    freelancers = model.encode(test.freelancers)
    return _Measured(
        _pair_scores(model, test.held_out_projects, freelancers, test.held_out),
        _pair_scores(model, test.later_projects, freelancers, test.later),
        _outcome(model, test.benchmark, freelancers) if test.benchmark else None,
    )


def _pair_scores(
    model: DocumentEncoder, projects: Sequence[Document], freelancers: FloatArray, pairs: JudgedPairs
) -> NDArray[np.float64]:
    """Return the cosine of each pair, encoding only their projects."""
    if not len(pairs):
        return np.empty(0)
    rows, places = np.unique(pairs.projects, return_inverse=True)
    vectors = model.encode([projects[row] for row in rows])
    scores = (vectors[places] * freelancers[pairs.freelancers]).sum(axis=1)
    return np.asarray(scores, dtype=np.float64)


def _outcome(model: DocumentEncoder, benchmark: Marketplace, freelancers: FloatArray) -> MatchingOutcome:
    pairs = DocumentPairs.of(benchmark)
    coverage = benchmark.truth.coverage() if benchmark.truth else None
    judgments = MatchingJudgments.of(pairs.projects, pairs.freelancers, pairs.interactions, coverage)
    return measure(model.encode(pairs.projects) @ freelancers.T, judgments)


def _judged_part(name: str, pairs: JudgedPairs, before: NDArray[np.float64], after: NDArray[np.float64]) -> Part:
    change = auc_change(pairs, before, after) if len(pairs) else None
    return Part("judgments", name, len(pairs), "pairs", (change,) if change else ())


def _benchmark_part(before: MatchingOutcome, after: MatchingOutcome) -> Part:
    changes = changes_of(before.values, after.values, less_is_better=LESS_IS_BETTER)
    return Part("benchmark", "The frozen benchmark", len(before.languages), "projects", changes)


def _language_parts(before: MatchingOutcome, after: MatchingOutcome) -> Iterator[Part]:
    # most projects first, with one figure of each family
    languages = np.array(before.languages)
    for language, (count, _) in before.by_language().items():
        chosen = languages == language
        if count < _FEWEST_OF_A_LANGUAGE:
            continue
        old, new = ({name: outcome.values[name][chosen] for name in _BY_LANGUAGE} for outcome in (before, after))
        yield Part("language", language_name(language), count, "projects", changes_of(old, new))


def retrain_towers(
    recipe: TowerRecipe,
    marketplace: Marketplace,
    out: Path,
    *,
    labels: NamedSnapshot | None = None,
    bulk: bool = False,
    against: str | None = None,
    searches: Sequence[WeightedChoice] = (),
    settings: Settings | None = None,
    resume: bool = True,
    watch: Watch | None = None,
) -> TowerReport:
    """Train towers by a recipe on a marketplace's past and a snapshot's labels, with a second stage, and measure both.

    Args:
        recipe: recipe; `start` is the start model, `share_test` the share of the benchmark.
        marketplace: the whole marketplace.
        out: the model's folder, which must not exist yet.
        labels: snapshot to train on, besides the marketplace's interactions.
        bulk: also train on bulk decisions; they are never used for measurement.
        against: model to compare with, for `load_match_model` ('' for the one in use); None for no comparison.
        searches: results opened in searches for the marketplace's freelancers, for the second stage.

    Raises JobMatchError if `train_towers` fails, there are no training labels, or a model is missing or unusable.
    """
    watch = watch or Watch()
    watch.stage("Reading projects and freelancers")
    past, later = temporal_split(marketplace, recipe.share_test) if recipe.share_test else (marketplace, None)
    sorted_out = tower_labels(labels.snapshot.labels if labels else (), past, later, bulk=bulk)
    material = with_labels(past, sorted_out) if labels else past
    start = load_match_model(recipe.start, settings) if recipe.start not in ("", UNTRAINED) else None

    stage_material = RankerMaterial.of(material, past.interactions, sorted_out.train, searches)

    def complete(after: TwoTowers) -> Completion:
        stage = refit_second_stage(stage_material, after, partial(_trained, recipe, start), watch)
        comparison = None
        if against is not None:
            watch.stage("Comparing with the model in use")
            before = BothStages(load_match_model(against, settings), load_ranker(against, settings))
            measured = compare_towers(before.encoder, after, _test(past, later, sorted_out), progress=watch.progress)
            lists = list_part(before, BothStages(after, stage.ranker), _list_test(past, later, sorted_out, stage))
            comparison = replace(measured, after=out.name, parts=_with_list(measured.parts, lists))
        return Completion(stage.report, partial(_write_ranker, stage), comparison)

    watch.stage("Training")
    return train_towers(
        recipe,
        material,
        out,
        start=start,
        labels=_counts(labels, sorted_out, bulk) if labels else None,
        complete=complete,
        resume=resume,
        progress=watch.progress,
        losses=watch.losses,
    )


def _trained(recipe: TowerRecipe, start: TwoTowers | None, part: Marketplace) -> TwoTowers:
    # from random weights, because the start model may have seen the projects left out
    fresh = TwoTowers(start.encoder, start.backbone, start.config, seed=recipe.seed) if start else None
    with TemporaryDirectory() as folder:
        out = Path(folder) / recipe.name
        train_towers(recipe, part, out, start=fresh)
        return TwoTowers.load(out, start.encoder if start else None)


def _write_ranker(stage: RefittedStage, folder: Path) -> None:
    if stage.report.adopted:
        stage.ranker.save(folder / RANKER_FILE)


def _with_list(parts: Sequence[Part], lists: Part) -> tuple[Part, ...]:
    judged = [part for part in parts if part.kind == "judgments"]
    return (*judged, lists, *(part for part in parts if part.kind != "judgments"))


def _list_test(past: Marketplace, later: Marketplace | None, labels: TowerLabels, stage: RefittedStage) -> ListTest:
    looked_at = [label for label in labels.train if label.looked_at]
    labels_to_test = (*looked_at, *labels.held_out, *labels.later)
    ids = {label.pair.left for label in labels_to_test}
    projects = [*past.projects, *(later.projects if later else ())]
    return ListTest(
        benchmark=later,
        projects=[project for project in projects if project.id in ids],
        freelancers=tuple(past.freelancers),
        labels=labels_to_test,
        unseen=frozenset(label.pair.left for label in (*labels.held_out, *labels.later)),
        after=stage.judged,
    )


def _counts(labels: NamedSnapshot, sorted_out: TowerLabels, bulk: bool) -> LabelCounts:
    return LabelCounts(
        snapshot=labels.name,
        sha256=labels.snapshot.manifest.sha256,
        trained=len(sorted_out.train),
        held_out=len(sorted_out.held_out),
        later=len(sorted_out.later),
        left_out=sorted_out.left_out,
        looked_at=sorted_out.n_looked_at,
        bulk=sorted_out.n_bulk,
        bulk_used=bulk,
    )


def _test(past: Marketplace, later: Marketplace | None, labels: TowerLabels) -> TowerTest:
    newer = later or past  # without later projects, there are no later labels
    return TowerTest(
        benchmark=later,
        freelancers=[*map(freelancer_document, past.freelancers)],
        held_out_projects=[*map(project_document, past.projects)],
        held_out=judged_pairs(labels.held_out, past),
        later_projects=[*map(project_document, newer.projects)],
        later=judged_pairs(labels.later, newer),
    )
