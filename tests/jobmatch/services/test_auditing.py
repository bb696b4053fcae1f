"""Audits audit what people are shown: a model in the order of its own ranker."""

from collections.abc import Sequence
from pathlib import Path

import pytest

import jobmatch
from jobmatch.services import audit_reports
from jobmatch.services.auditing import AuditService, MatchingAudit
from jobmatch.services.linking import LinkingService
from jobmatch_core.audit.matching_audit import MatchingSubject
from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.ranking.ranker import RANKER_FILE, Ranker, shipped_ranker
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.retrieval.test_finder import store_market

OWN = Ranker({"category": 2.0}, "mine")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A home with a marketplace, and towers with a ranker of their own."""
    settings = Settings(tmp_path)
    store_market(settings)
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(
        settings.models / "mine", {}, write=lambda folder: OWN.save(folder / RANKER_FILE)
    )
    return settings


@pytest.mark.first_case
@pytest.mark.parametrize(("model", "ranker"), [("mine", OWN), ("untrained", shipped_ranker())])
def test_a_model_is_audited_with_its_own_ranker(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, model: str, ranker: Ranker
) -> None:
    """Not with the one that comes with jobmatch, unless it has none."""
    subjects: list[MatchingSubject] = []

    def keep(subject: MatchingSubject, _cues: Sequence[object], **_settings: object) -> list[object]:
        subjects.append(subject)
        return []

    monkeypatch.setattr(audit_reports, "audit_matching", keep)
    AuditService(LinkingService(settings)).matching(MatchingAudit("market", model))
    assert [getattr(subject.order, "__self__", None) for subject in subjects] == [ranker]


@pytest.mark.parametrize(("model", "ranker"), [("mine", OWN), ("untrained", shipped_ranker())])
def test_a_finder_of_the_python_api_has_it_too(settings: Settings, model: str, ranker: Ranker) -> None:
    """As on the pages."""
    assert jobmatch.open_finder("market", model, settings=settings).ranker == ranker
