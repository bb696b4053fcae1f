"""Audits of a home's linkers and matching models."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np

from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core import __version__
from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.audit.matching_audit import MatchingSubject, audit_matching
from jobmatch_core.audit.report import MATCHING, TITLES, AuditReport
from jobmatch_core.audit.report_files import AuditStore
from jobmatch_core.audit.title_audit import PER_LANGUAGE, audit_titles
from jobmatch_core.audit.twins import profile_cues
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.retrieval.match_models import load_match_model, load_ranker
from jobmatch_core.settings import Settings

N_PROJECTS, N_FREELANCERS = 50, 1000
SEED = 1
RANKED = " + ranker"  # in the name of a subject
_Record = TypeVar("_Record")


@dataclass(frozen=True, slots=True)
class MatchingAudit:
    """What to audit.

    Attributes:
        marketplace: its name.
        model: name of the towers, or untrained; by default those in use.
        ranked: with the second stage, as on the pages.
        projects: number of the latest projects.
        freelancers: number of freelancers, drawn by chance.
        seed: of all random choices.
    """

    marketplace: str
    model: str = ""
    ranked: bool = True
    projects: int = N_PROJECTS
    freelancers: int = N_FREELANCERS
    seed: int = SEED


class AuditService:
    """Audits models, and keeps the last report of each in the home."""

    def __init__(self, linking: LinkingService) -> None:
        self._linking = linking
        self._settings: Settings = linking.settings

    def titles(
        self,
        options: LinkOptions,
        per_language: int = PER_LANGUAGE,
        *,
        seed: int = SEED,
        progress: Progress = no_progress,
    ) -> AuditReport:
        """Audit a linker with the names of its taxonomy; titles that people accepted are not used.

        Raises:
            TaxonomyError, LinkingError: the taxonomy is missing, or has no names in two forms.
            JobMatchError: the linker cannot be opened with these options.
        """
        linker = self._linking.open(replace(options, own_names=False), progress)
        twins = GenderedForms.of(linker.taxonomy).title_twins()
        results = audit_titles(linker, twins, per_language=per_language, seed=seed, progress=progress)
        report = AuditReport(
            TITLES,
            linker.version,
            linker.taxonomy.id,
            linker.taxonomy.manifest.source_hash,
            _now(),
            __version__,
            seed,
            titles=tuple(results),
        )
        AuditStore(self._settings).save(report)
        return report

    def matching(self, audit: MatchingAudit, *, progress: Progress = no_progress) -> AuditReport:
        """Audit towers with a marketplace, with or without the second stage.

        Raises:
            MarketplaceError, ModelError, TaxonomyError: the marketplace, the model or the taxonomy is missing.
            MatchingError: the marketplace is too small.
        """
        store = MarketplaceStore.open(self._settings)
        manifest = store.manifest(audit.marketplace)
        taxonomy = self._linking.taxonomy(manifest.taxonomy)
        model = load_match_model(audit.model, self._settings)
        market = store.load(audit.marketplace)
        subject = MatchingSubject(
            model,
            load_ranker(audit.model, self._settings).scores if audit.ranked else None,
            tuple(market.projects)[-audit.projects :],
            _sample(tuple(market.freelancers), audit.freelancers, audit.seed),
        )
        cues = profile_cues(GenderedForms.of(taxonomy), taxonomy)
        results = audit_matching(subject, cues, seed=audit.seed, progress=progress)
        hashes = json.dumps(manifest.hashes, sort_keys=True)
        report = AuditReport(
            MATCHING,
            f"{model.name}{RANKED if audit.ranked else ''}",
            audit.marketplace,
            hashlib.sha256(hashes.encode()).hexdigest(),
            _now(),
            __version__,
            audit.seed,
            projects=len(subject.projects),
            freelancers=len(subject.freelancers),
            cues=tuple(results),
        )
        AuditStore(self._settings).save(report)
        return report


def _sample(records: Sequence[_Record], most: int, seed: int) -> tuple[_Record, ...]:
    rows = np.random.default_rng(seed).permutation(len(records))[:most]
    return tuple(records[row] for row in sorted(rows.tolist()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
