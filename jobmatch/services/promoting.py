"""Promotion of models, before which the one in use and the new one are audited with the same twins."""

from dataclasses import asdict, dataclass
from pathlib import Path

from jobmatch.services.audit_reports import title_report
from jobmatch.services.auditing import SEED, MatchingAudit, market_sample, model_report
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.audit.report_comparison import MOST_LOST, FindingChange, finding_changes
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import JobMatchError, ModelError
from jobmatch_core.io.folders import make_folder, write_text_whole
from jobmatch_core.io.records import read_record
from jobmatch_core.io.text_files import json_text, read_json
from jobmatch_core.linking.linking_model import load_linking_model
from jobmatch_core.linking.store import with_linking_model
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind, model_stamp
from jobmatch_core.model_store.registry import BUILT_IN, ModelChange, Registry
from jobmatch_core.model_store.saved_model import REPORT_FILE
from jobmatch_core.retraining import promotion
from jobmatch_core.retrieval.match_models import model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore

AUDITED = (ModelKind.TOWERS, ModelKind.LINKING)
PROJECTS, FREELANCERS, PER_LANGUAGE = 20, 100, 10  # a sample of seconds; the page 'Audit' takes larger ones
_FORMAT = 1
_FOLDER = (
    "promotion_audits"  # under `Settings.evaluations`; a file in a model's folder would make that the latest model
)


@dataclass(frozen=True, slots=True)
class PromotionAudit:
    """Audits of two models with the same twins."""

    # model, in_use: the new model, and the one in use
    model: str
    in_use: str
    stamps: tuple[int, int]  # when both were stored
    data: tuple[str, str]  # marketplace or taxonomy, and when it was stored
    # before, after: the audits of the model in use, and of the new one
    before: AuditReport
    after: AuditReport
    format: int = _FORMAT

    @property
    def changes(self) -> list[FindingChange]:
        """All changes, the greatest loss first."""
        return finding_changes(self.before, self.after)

    @property
    def drops(self) -> list[FindingChange]:
        """The changes that have to be accepted."""
        return [change for change in self.changes if change.is_drop]


@dataclass(frozen=True, slots=True)
class NotAudited:
    """Why there is no audit; '' for models that no twins are made for."""

    reason: str

    @property
    def drops(self) -> list[FindingChange]:
        """None: nothing is known."""
        return []


def promotion_audit(
    kind: ModelKind, name: str, linking: LinkingService, *, progress: Progress = no_progress
) -> PromotionAudit | NotAudited:
    """Audit the model in use and a new one with the same twins; an audit of these two that is stored is read.

    Errors do not keep a model from being promoted, since that may be the way out of a damaged one.
    """
    settings = linking.settings
    try:
        in_use = _in_use(kind, settings)
        if kind not in AUDITED or name in (in_use, BUILT_IN[kind]):
            return NotAudited("")
        data = _data(kind, name, settings)
        if data is None:
            return NotAudited("There is no marketplace to audit it with.")
        stamps = model_stamp(in_use, settings, kind), model_stamp(name, settings, kind)
        stored = stored_audit(name, settings)
        if stored and (stored.in_use, stored.stamps, stored.data) == (in_use, stamps, data):
            return stored
        reports = (_towers if kind is ModelKind.TOWERS else _linkers)(in_use, name, data[0], linking, progress)
        audit = PromotionAudit(name, in_use, stamps, data, *reports)
    except JobMatchError as error:
        return NotAudited(str(error))
    _store(audit, settings)
    return audit


def promote(
    kind: ModelKind,
    name: str,
    linking: LinkingService,
    *,
    who: str,
    why: str = "",
    accept_audit: bool = False,
    progress: Progress = no_progress,
) -> ModelChange:
    """Put a model into use, unless its audit shows a drop that nobody accepted.

    The history has who decides and why, to which accepted drops are added.

    Raises ModelError if there is a drop, no complete model has that name and kind, it cannot be used, or it is in use.
    """
    Registry(linking.settings).check(kind, name)
    drops = promotion_audit(kind, name, linking, progress=progress).drops
    if drops and not accept_audit:
        raise ModelError(
            f"{name} treats twins less equally than the model in use: {drops_in_words(drops)}. More than "
            f"{MOST_LOST:.2f} is lost, so nothing was promoted; accept that with --accept-audit."
        )
    accepted = f"accepted: {drops_in_words(drops)}" if drops else ""
    return promotion.promote(kind, name, linking.settings, who=who, why="; ".join(filter(None, (why, accepted))))


def drops_in_words(drops: list[FindingChange]) -> str:
    """Return the drops as a list in one line."""
    return "; ".join(change.sentence for change in drops)


def stored_audit(name: str, settings: Settings) -> PromotionAudit | None:
    """Return the last audit before a promotion of a model; None without one that can be read."""
    try:
        return read_record(_path(name, settings), PromotionAudit, formats=(_FORMAT,))
    except (OSError, ValueError):
        return None


def _store(audit: PromotionAudit, settings: Settings) -> None:
    path = _path(audit.model, settings)
    try:
        make_folder(path.parent)
        write_text_whole(path, json_text(asdict(audit), ensure_ascii=False, indent=1))
    except OSError as error:
        raise ModelError(f"The audit of {audit.model} could not be stored ({error.strerror or error}).") from error


def _path(name: str, settings: Settings) -> Path:
    return settings.evaluations / _FOLDER / f"{name}.json"


def _in_use(kind: ModelKind, settings: Settings) -> str:
    return model_in_use(settings) if kind is ModelKind.TOWERS else Registry(settings).promoted(kind) or BUILT_IN[kind]


def _data(kind: ModelKind, name: str, settings: Settings) -> tuple[str, str] | None:
    """Return the marketplace or taxonomy that a model was trained with, else the first one, and when it was stored."""
    trained_with = _trained_with(kind, Registry(settings).folder(name))
    if kind is ModelKind.TOWERS:
        markets = {market.name: market.created for market in MarketplaceStore.open(settings).installed()}
        chosen = trained_with if trained_with in markets else next(iter(markets), None)
        return None if chosen is None else (chosen, markets[chosen])
    taxonomies = {manifest.id: manifest.created for manifest in TaxonomyStore.open(settings).installed()}
    chosen = trained_with if trained_with in taxonomies else BUNDLED_ID
    return chosen, taxonomies.get(chosen, "")


def _trained_with(kind: ModelKind, folder: Path) -> str:
    try:
        report = read_json(folder / REPORT_FILE)
    except (OSError, ValueError):
        return ""
    named = report.get("marketplace" if kind is ModelKind.TOWERS else "taxonomy") if isinstance(report, dict) else ""
    return named if isinstance(named, str) else ""


def _towers(
    in_use: str, name: str, marketplace: str, linking: LinkingService, progress: Progress
) -> tuple[AuditReport, AuditReport]:
    sample = market_sample(linking, MatchingAudit(marketplace, projects=PROJECTS, freelancers=FREELANCERS))
    before, after = (model_report(linking.settings, word, sample, progress=progress) for word in (in_use, name))
    return before, after


def _linkers(
    _in_use: str, name: str, taxonomy: str, linking: LinkingService, progress: Progress
) -> tuple[AuditReport, AuditReport]:
    linker = linking.open(LinkOptions(taxonomy, own_names=False), progress)
    model = load_linking_model(
        Registry(linking.settings).folder(name), linker.encoder_name, linker.calibration.features
    )
    forms = GenderedForms.of(linker.taxonomy)
    before, after = (
        title_report(audited, forms, per_language=PER_LANGUAGE, seed=SEED, progress=progress)
        for audited in (linker, with_linking_model(linker, model))
    )
    return before, after
