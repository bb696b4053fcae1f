"""Promotion and rollback of models, and their cards, read from folders of any release."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.io.records import record_of
from jobmatch_core.io.text_files import read_json
from jobmatch_core.linking.candidates import feature_names
from jobmatch_core.linking.index import ENCODER, LEXICAL
from jobmatch_core.linking.linking_model import load_linking_model
from jobmatch_core.metrics.comparisons import BeforeAfter
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import BUILT_IN, ModelChange, Registry
from jobmatch_core.retrieval.match_models import all_installed_models, model_in_use
from jobmatch_core.search.search_models import search_fault
from jobmatch_core.search.search_recipe import TaskFigures
from jobmatch_core.settings import Settings
from jobmatch_core.training.figures import LabelCounts
from jobmatch_core.training.ranker_report import RankerReport

REPORT_FILE = "report.json"

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class ModelCard:
    """Description of a model."""

    kind: ModelKind  # task of the model
    name: str  # name of its folder, or of the built-in model
    in_use: bool  # true if every page uses it
    built_in: bool = False  # true if it comes with jobmatch
    created: str = ""  # time of its training, ISO 8601; '' for the built-in model
    fault: str = ""  # why it cannot be used; '' if it can
    labels: LabelCounts | None = None  # numbers of a snapshot's labels by use; None without a snapshot
    comparison: BeforeAfter | None = None  # comparison with the model in use at that time, or None
    tasks: tuple[TaskFigures, ...] = ()  # data and figures of a search encoder's tasks
    ranker: RankerReport | None = None  # report of the second stage of towers; None for other models and older ones
    report: dict[str, Any] = field(default_factory=dict)  # content of its `report.json`


def cards(kind: ModelKind, settings: Settings) -> list[ModelCard]:
    """Return all models of a kind, the latest first and the built-in one last; exactly one is in use.

    If the promoted model is missing or unusable, the one in use is the fallback of the pages; search has no fallback,
    so there the promoted model stays in use.

    Raises ModelError if the history of promotions is damaged.
    """
    registry = Registry(settings)
    faults = _faults(kind, registry, settings)
    used = model_in_use(settings) if kind is ModelKind.TOWERS else registry.promoted(kind)
    stays = kind is ModelKind.SEARCH
    trained = [
        _card(kind, registry.folder(name), in_use=name == used and (stays or not fault), fault=fault)
        for name, fault in faults.items()
    ]
    if stays and used not in ("", BUILT_IN[kind], *faults):
        trained.append(ModelCard(kind, used, in_use=True, fault="its folder is gone"))
    return [*trained, ModelCard(kind, BUILT_IN[kind], not any(card.in_use for card in trained), built_in=True)]


def _faults(kind: ModelKind, registry: Registry, settings: Settings) -> dict[str, str]:
    if kind is ModelKind.TOWERS:
        return {model.word: model.fault for model in all_installed_models(settings)}
    return {name: fault_of(kind, name, settings) for name in registry.names(kind)}


def fault_of(kind: ModelKind, name: str, settings: Settings) -> str:
    """Return why a model cannot be used; '' if it can."""
    folder = Registry(settings).folder(name)
    if name == BUILT_IN[kind]:
        return ""
    if kind is ModelKind.TOWERS:
        return next((model.fault for model in all_installed_models(settings) if model.word == name), "")
    if kind is ModelKind.SEARCH:
        return search_fault(folder, settings)
    try:  # the pages' linker uses the built-in encoder
        load_linking_model(folder, shipped_encoder().name, tuple(feature_names([*LEXICAL, ENCODER])))
    except ModelError as error:
        return f"it is damaged or not compatible with this release ({error.__cause__})"
    return ""


def _card(kind: ModelKind, folder: Path, *, in_use: bool, fault: str) -> ModelCard:
    report = _report(folder / REPORT_FILE)
    made = datetime.fromtimestamp(folder.stat().st_mtime, UTC).isoformat(timespec="seconds")
    return ModelCard(
        kind=kind,
        name=folder.name,
        in_use=in_use,
        created=str(report.get("created") or made),
        fault=fault,
        labels=_part(report, "labels", LabelCounts),
        comparison=_part(report, "comparison", BeforeAfter),
        tasks=_part(report, "tasks", tuple[TaskFigures, ...]) or () if kind is ModelKind.SEARCH else (),
        ranker=_part(report, "ranker", RankerReport) if kind is ModelKind.TOWERS else None,
        report=report,
    )


def _report(path: Path) -> dict[str, Any]:
    # the model can be used without its report
    try:
        content = read_json(path)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


def _part(report: dict[str, Any], name: str, kind: type[_Record]) -> _Record | None:
    # None if another release wrote another format
    try:
        return record_of(kind, report[name], name) if report.get(name) else None
    except ValueError:
        return None


def promote(kind: ModelKind, name: str, settings: Settings, *, who: str, why: str = "") -> ModelChange:
    """Put a model into use.

    Raises ModelError if no complete model has that name and kind, it cannot be used, or it is in use already.
    """
    registry = Registry(settings)
    registry.check(kind, name)
    _check_usable(kind, name, settings)
    registry.keep_in_use(kind, model_in_use(settings) if kind is ModelKind.TOWERS else BUILT_IN[kind])
    return registry.promote(kind, name, who=who, why=why)


def roll_back(kind: ModelKind, settings: Settings, *, who: str, why: str = "") -> ModelChange:
    """Put the previous model back into use.

    Raises ModelError if there is no promotion to undo, or the previous model is missing or cannot be used.
    """
    registry = Registry(settings)
    if earlier := registry.before(kind):
        registry.check(kind, earlier)
        _check_usable(kind, earlier, settings)
    return registry.roll_back(kind, who=who, why=why)


def _check_usable(kind: ModelKind, name: str, settings: Settings) -> None:
    if fault := fault_of(kind, name, settings):
        raise ModelError(
            f"{name} cannot be put into use: {fault}. The current model stays in use. Repair or retrain this one; "
            f"`jobmatch models promote {BUILT_IN[kind]} --kind {kind}` uses the built-in model."
        )
