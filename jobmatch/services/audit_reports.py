"""Reports of audits of opened models; nothing is stored."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar

import numpy as np

from jobmatch_core import __version__
from jobmatch_core.audit.gendered_forms import GenderedForms
from jobmatch_core.audit.judged_errors import JudgedTitle, judged_errors
from jobmatch_core.audit.matching_audit import MatchingSubject, Order, audit_matching
from jobmatch_core.audit.report import MATCHING, TITLES, AuditReport
from jobmatch_core.audit.title_audit import audit_titles
from jobmatch_core.audit.twins import Cue, profile_cues
from jobmatch_core.entities import Freelancer, Progress, Project, no_progress
from jobmatch_core.linking import Linker
from jobmatch_core.marketplace.marketplace_store import MarketplaceManifest, MarketplaceStore
from jobmatch_core.retrieval.finder import MatchModel
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import Taxonomy

_Record = TypeVar("_Record")


@dataclass(frozen=True)
class MarketSample:
    """Projects and freelancers of a marketplace, and the cues of their twins."""

    manifest: MarketplaceManifest  # of the marketplace
    cues: tuple[Cue, ...]  # in the words of its taxonomy
    projects: tuple[Project, ...]  # the latest ones
    freelancers: tuple[Freelancer, ...]  # drawn by chance
    seed: int  # of the draw and the audit

    @classmethod
    def of(
        cls, settings: Settings, name: str, taxonomy: Taxonomy, *, projects: int, freelancers: int, seed: int
    ) -> "MarketSample":
        """Draw from a marketplace with its taxonomy; raises MarketplaceError if it is missing or damaged."""
        store = MarketplaceStore.open(settings)
        market = store.load(name)
        drawn = _sample(tuple(market.freelancers), freelancers, seed)
        cues = tuple(profile_cues(GenderedForms.of(taxonomy), taxonomy))
        return cls(store.manifest(name), cues, tuple(market.projects)[-projects:], drawn, seed)


def title_report(
    linker: Linker,
    forms: GenderedForms,
    *,
    judged: Sequence[JudgedTitle] = (),
    per_language: int,
    seed: int,
    progress: Progress = no_progress,
) -> AuditReport:
    """Audit a linker without own names; raises LinkingError if its taxonomy has no names in two forms."""
    results = audit_titles(linker, forms.title_twins(), per_language=per_language, seed=seed, progress=progress)
    return AuditReport(
        TITLES,
        linker.version,
        linker.taxonomy.id,
        linker.taxonomy.manifest.source_hash,
        _now(),
        __version__,
        seed,
        titles=tuple(results),
        per_language=per_language,
        errors=tuple(judged_errors(linker, forms, judged, progress=progress)) if judged else (),
    )


def matching_report(
    model: MatchModel, name: str, order: Order | None, sample: MarketSample, *, progress: Progress = no_progress
) -> AuditReport:
    """Audit a model under a name, which identifies it with its second stage; raises MatchingError: too few records."""
    subject = MatchingSubject(model, order, sample.projects, sample.freelancers)
    results = audit_matching(subject, sample.cues, seed=sample.seed, progress=progress)
    hashes = json.dumps(sample.manifest.hashes, sort_keys=True)
    return AuditReport(
        MATCHING,
        name,
        sample.manifest.name,
        hashlib.sha256(hashes.encode()).hexdigest(),
        _now(),
        __version__,
        sample.seed,
        projects=len(sample.projects),
        freelancers=len(sample.freelancers),
        cues=tuple(results),
    )


def _sample(records: Sequence[_Record], most: int, seed: int) -> tuple[_Record, ...]:
    rows = np.random.default_rng(seed).permutation(len(records))[:most]
    return tuple(records[row] for row in sorted(rows.tolist()))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
