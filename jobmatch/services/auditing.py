"""Audits of a home's linkers and matching models, which are stored by date and model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jobmatch.services.audit_reports import MarketSample, matching_report, title_report
from jobmatch.services.judged_titles import decided_titles
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.audit.judged_errors import JudgedTitle
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.audit.title_audit import PER_LANGUAGE
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.match_models import load_match_model, load_ranker
from jobmatch_core.settings import Settings

N_PROJECTS, N_FREELANCERS = 50, 1000
SEED = 1


@dataclass(frozen=True, slots=True)
class MatchingAudit:
    """What to audit."""

    marketplace: str  # its name
    model: str = ""  # name of the towers, or untrained; by default those in use
    ranked: bool = True  # with the second stage, as on the pages
    projects: int = N_PROJECTS  # number of the latest projects
    freelancers: int = N_FREELANCERS  # number of freelancers, drawn by chance
    seed: int = SEED  # of all random choices


class AuditService:
    """Audits models, and keeps the reports in the home."""

    def __init__(self, linking: LinkingService) -> None:
        self._linking = linking
        self._settings: Settings = linking.settings

    def titles(
        self,
        options: LinkOptions,
        per_language: int = PER_LANGUAGE,
        *,
        judged: Sequence[JudgedTitle] = (),
        seed: int = SEED,
        progress: Progress = no_progress,
    ) -> AuditReport:
        """Audit a linker with the names of its taxonomy, and with titles that people decided on one by one.

        Titles that people accepted are not used to link. *judged* are further judged titles, such as coded ones.
        Progress counts languages, then judged titles.

        Raises:
            TaxonomyError, LinkingError: the taxonomy is missing, or has no names in two forms.
            JobMatchError: the linker cannot be opened with these options, or the label store cannot be read.
            SettingsError: the audit cannot be written.
        """
        linker = self._linking.open(replace(options, own_names=False), progress)
        report = title_report(
            linker,
            GenderedForms.of(linker.taxonomy),
            judged=[*decided_titles(self._linking, options.taxonomy), *judged],
            per_language=per_language,
            seed=seed,
            progress=progress,
        )
        AuditStore(self._settings).save(report)
        return report

    def matching(self, audit: MatchingAudit, *, progress: Progress = no_progress) -> AuditReport:
        """Audit towers with a marketplace, with or without the second stage.

        Raises:
            MarketplaceError, ModelError, TaxonomyError: the marketplace, the model or the taxonomy is missing.
            MatchingError: the marketplace is too small.
            SettingsError: the disk refuses.
        """
        sample = market_sample(self._linking, audit)
        report = model_report(self._settings, audit.model, sample, ranked=audit.ranked, progress=progress)
        AuditStore(self._settings).save(report)
        return report


def market_sample(linking: LinkingService, audit: MatchingAudit) -> MarketSample:
    """Draw the projects and freelancers of an audit; raises as `AuditService.matching`."""
    manifest = MarketplaceStore.open(linking.settings).manifest(audit.marketplace)
    return MarketSample.of(
        linking.settings,
        audit.marketplace,
        linking.taxonomy(manifest.taxonomy),
        projects=audit.projects,
        freelancers=audit.freelancers,
        seed=audit.seed,
    )


def model_report(
    settings: Settings, word: str, sample: MarketSample, *, ranked: bool = True, progress: Progress = no_progress
) -> AuditReport:
    """Audit a stored model, with its own second stage if *ranked*; raises as `AuditService.matching`."""
    model = load_match_model(word, settings)
    ranker = load_ranker(word, settings) if ranked else None
    name = f"{model.name} + ranker {ranker.digest}" if ranker else model.name
    return matching_report(model, name, ranker.scores if ranker else None, sample, progress=progress)
