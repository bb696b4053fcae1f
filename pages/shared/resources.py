"""Taxonomies, linkers, the label store, scores and models, shared by all sessions."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TypeVar, cast
from zoneinfo import ZoneInfo

from db.label_store import LabelStore
from jobmatch.access.principal import annotator_names as names_of
from jobmatch.services.background_call import Background
from jobmatch.services.linking import linking_service
from jobmatch.services.promoting import NotAudited, PromotionAudit
from jobmatch.services.promoting import promotion_audit as audited
from jobmatch_core.benchmarks.datasets.tasks import installed_benchmarks
from jobmatch_core.benchmarks.scoreboard.overlap import Overlap, measure_overlap
from jobmatch_core.benchmarks.scoreboard.results import QueryOutcome, Result, ResultStore, Stored
from jobmatch_core.benchmarks.scoreboard.workrb_results import Imported, WorkRBStore
from jobmatch_core.entities import PairKind, Progress
from jobmatch_core.judgment_tallies import VotedPair
from jobmatch_core.labelling.agreement import AgreementReport, agreement_report
from jobmatch_core.labelling.labels import label_of
from jobmatch_core.labelling.workload import Workload, workloads
from jobmatch_core.linking import Linker
from jobmatch_core.linking.example_titles import example_titles as answered_titles
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining.promotion import ModelCard, cards
from jobmatch_core.retrieval.match_models import ModelChoice, model_choices
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.tables import Manifest
from pages.shared.cache import cached

T = TypeVar("T")

LISTING_SECONDS = 30  # so that imports from the command line show up


@cached(lambda: "", most=5, seconds=LISTING_SECONDS)
def installed() -> list[Manifest]:
    """Return the installed taxonomies."""
    return TaxonomyStore.open(Settings.from_environment()).installed()


def taxonomy(taxonomy_id: str) -> Taxonomy:
    """Load a taxonomy."""
    return linking_service().taxonomy(taxonomy_id)


def _linker_version(linker: Linker) -> object:
    manifest = linker.taxonomy.manifest
    return manifest.id, manifest.created, linker.version


@cached(_linker_version, most=20)
def example_titles(linker: Linker) -> list[str]:
    """Return example titles that a linker links with confidence, regardless of the accepted titles."""
    return answered_titles(linker.with_own_names([]))


def label_store() -> LabelStore:
    """Return the label store; raises LabelStoreError if it cannot be opened."""
    return linking_service().labels()


@cached(lambda: "", most=5, seconds=LISTING_SECONDS)
def annotator_names() -> dict[str, str]:
    """Return the names of people who signed in and of programs, by their keys."""
    if not Settings.from_environment().may_have_labels:
        return {}
    return names_of(label_store().access)


@cached(lambda kind, zone: (kind, zone, label_store().count()), most=4)
def measuring_agreement(kind: PairKind, zone: str) -> "Background[AgreementReport]":
    """Measure the annotators' agreement on pairs of a kind."""
    # the number of judgments identifies them, because they are only ever added
    store = label_store()
    return Background(
        lambda progress: agreement_report(store.verdict_columns(kind), store.judgments_of, ZoneInfo(zone))
    )


@cached(lambda kind, source: (kind, source, label_store().count()), most=4)
def labelled_pairs(kind: PairKind, source: str) -> list[VotedPair]:
    """Return the pairs of a source that have a label, positive or negative."""
    return [pair for pair in label_store().voted_pairs(kind, source) if label_of(pair.votes) is not None]


@cached(lambda kind: (kind, label_store().count()), most=4, seconds=LISTING_SECONDS)
def annotators_work(kind: PairKind) -> list[Workload]:
    """Return each annotator's workload on pairs of a kind."""
    return workloads(label_store().verdict_columns(kind), datetime.now(UTC))


@cached(lambda: "", most=5, seconds=LISTING_SECONDS)
def stored_results() -> Stored:
    """Return all scores measured here."""
    return ResultStore.open(Settings.from_environment()).stored()


@cached(lambda: "", most=5, seconds=LISTING_SECONDS)
def workrb_results() -> Imported:
    """Return all scores imported from WorkRB."""
    return WorkRBStore.open(Settings.from_environment()).stored()


def with_outcomes(result: Result) -> Result:
    """Return a stored result with the outcomes of its queries; raises DataFileError if they are damaged."""
    return replace(result, outcomes=_outcomes(result))


@cached(
    lambda result: (result.task, result.dataset, result.system, result.ranking, str(result.seconds)),
    most=8,  # of one system on one dataset, up to some 5,000 queries
)
def _outcomes(result: Result) -> tuple[QueryOutcome, ...]:
    return ResultStore.open(Settings.from_environment()).outcomes(result)


def _overlaps_key(task: str, taxonomy_id: str) -> object:
    benchmarks = installed_benchmarks(task, taxonomy_id, Settings.from_environment())
    created = [manifest.created for manifest in installed() if manifest.id == taxonomy_id]
    return task, tuple(benchmark.name for benchmark in benchmarks), taxonomy_id, *created


@cached(_overlaps_key, most=5)
def overlaps(task: str, taxonomy_id: str) -> "Background[list[Overlap]]":
    """Measure the lexical overlap of a task's installed datasets, for a task that ranks a taxonomy with its names."""
    settings = Settings.from_environment()

    def measure(progress: Progress) -> list[Overlap]:
        benchmarks = list(installed_benchmarks(task, taxonomy_id, settings))
        measured = []
        for benchmark in benchmarks:
            measured.append(measure_overlap(benchmark.read()))
            progress(len(measured), len(benchmarks))
        return measured

    return Background(measure)


@cached(lambda: "", most=5, seconds=LISTING_SECONDS)
def match_models() -> list[ModelChoice]:
    """Return the models for finding freelancers."""
    return model_choices(Settings.from_environment())


@cached(lambda kind: kind, most=5, seconds=LISTING_SECONDS)
def model_cards(kind: ModelKind) -> list[ModelCard]:
    """Return the cards of all models of a kind; one is marked as in use."""
    return cards(kind, Settings.from_environment())


@cached(
    lambda kind, name: (kind, name, Registry(Settings.from_environment()).promoted(kind)),
    most=2,
    seconds=LISTING_SECONDS,  # the audit itself is stored; another one runs after a training
)
def promotion_audit(kind: ModelKind, name: str) -> "Background[PromotionAudit | NotAudited]":
    """Audit a model and the one in use with the same twins."""
    return Background(lambda progress: audited(kind, name, linking_service(), progress=progress))


def forget_models() -> None:
    """Clear the lists of models, after a training, a promotion or a rollback."""
    model_cards.clear()
    match_models.clear()


def describing(key: tuple[object, ...], open_it: Callable[[Progress], T]) -> "Background[T]":
    """Open a model of descriptions, or measure effects, in the background; *key* identifies the result."""
    return cast("Background[T]", _describing(key, open_it))


@cached(
    lambda key, open_it: key,
    most=8,  # compared models, and skill names; those of a full ESCO take 30 MB
)
def _describing(key: tuple[object, ...], open_it: Callable[[Progress], object]) -> "Background[object]":
    return Background(open_it)


def explained(key: tuple[object, ...], explain: Callable[[], T]) -> T:
    """Return the explanation of a posting; *key* identifies the result."""
    return cast(T, _explained(key, explain))


@cached(lambda key, explain: key, most=64)
def _explained(key: tuple[object, ...], explain: Callable[[], object]) -> object:
    return explain()
