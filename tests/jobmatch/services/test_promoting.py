"""Before a promotion, the model in use and the new one are audited with the same twins; a drop has to be accepted."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch.services import promoting
from jobmatch.services.audit_reports import MarketSample
from jobmatch.services.linking import LinkingService
from jobmatch.services.promoting import NotAudited, PromotionAudit, promote, promotion_audit, stored_audit
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.audit.report_comparison import MOST_LOST
from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.linking import open_linker
from jobmatch_core.linking.linking_model import LinkingModel, save_linking_model
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.comparisons import Interval
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.retraining import promotion
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.audit.test_report import REPORT
from tests.core.retrieval.test_finder import store_market
from tests.made_marketplace import marketplace
from tests.made_taxonomy import install, skilled_taxonomy

Overlaps = dict[str, float]  # by name of the model


@pytest.fixture
def linking(tmp_path: Path) -> LinkingService:
    """A home with two towers, the untrained ones in use, and no marketplace."""
    settings = Settings(tmp_path)
    for name in ("one", "other"):
        TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(settings.models / name, {})
    Registry(settings).keep_in_use(ModelKind.TOWERS, UNTRAINED)
    return LinkingService(settings)


@pytest.fixture
def overlaps(linking: LinkingService, monkeypatch: pytest.MonkeyPatch) -> Overlaps:
    """Add a marketplace; audits of models find these overlaps of the cue 'names', or fail for a missing model."""
    store_market(linking.settings)
    found: Overlaps = {}

    def report(_settings: Settings, word: str, _sample: MarketSample, **_rest: object) -> AuditReport:
        if word not in found:
            raise ModelError(f"{word} is damaged.")
        overlap = found.pop(word)  # each is audited once
        cue = replace(REPORT.cues[0], overlap=Interval(5, overlap, overlap, overlap))
        return replace(REPORT, subject=word, cues=(cue, *REPORT.cues[1:]))

    monkeypatch.setattr(promoting, "model_report", report)
    return found


def in_use(linking: LinkingService) -> str:
    """Return the name of the towers in use."""
    return Registry(linking.settings).promoted(ModelKind.TOWERS)


def test_a_drop_beyond_the_bound_has_to_be_accepted(linking: LinkingService, overlaps: Overlaps) -> None:
    """Nothing is promoted before; the acceptance is in the history; neither model is audited again."""
    overlaps |= {UNTRAINED: 0.99, "one": 0.99 - MOST_LOST - 0.001}
    with pytest.raises(
        ModelError, match=r"one treats twins less equally .* names: .* 0\.990 before, 0\.969.*--accept-audit"
    ):
        promote(ModelKind.TOWERS, "one", linking, who="Ada")
    assert in_use(linking) == UNTRAINED
    change = promote(ModelKind.TOWERS, "one", linking, who="Ada", why="more skills", accept_audit=True)
    assert change.why == "more skills; accepted: names: rank-biased overlap 0.990 before, 0.969 after"
    assert in_use(linking) == "one"


@pytest.mark.thorough
def test_a_smaller_loss_asks_nothing(linking: LinkingService, overlaps: Overlaps) -> None:
    """A gain asks nothing either."""
    overlaps |= {UNTRAINED: 0.99, "one": 0.99 - MOST_LOST + 0.001}
    assert promote(ModelKind.TOWERS, "one", linking, who="Ada").why == ""
    overlaps |= {"one": 0.9, "other": 1.0}
    assert promote(ModelKind.TOWERS, "other", linking, who="Ada", why="better").why == "better"


@pytest.mark.thorough
def test_rollbacks_need_no_audit(linking: LinkingService, overlaps: Overlaps) -> None:
    """Even to a model that was worse."""
    overlaps |= {UNTRAINED: 0.9, "one": 1.0}
    promote(ModelKind.TOWERS, "one", linking, who="Ada")
    promotion.roll_back(ModelKind.TOWERS, linking.settings, who="Ada")
    assert in_use(linking) == UNTRAINED


def test_an_audit_is_stored_until_a_model_changes(linking: LinkingService, overlaps: Overlaps) -> None:
    """With both reports; a model that was trained again is audited again."""
    overlaps |= {UNTRAINED: 0.99, "one": 0.98}
    audit = promotion_audit(ModelKind.TOWERS, "one", linking)
    assert isinstance(audit, PromotionAudit)
    assert stored_audit("one", linking.settings) == audit
    assert promotion_audit(ModelKind.TOWERS, "one", linking) == audit
    overlaps |= {UNTRAINED: 0.99, "one": 0.97}
    folder = linking.settings.models / "one"
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(folder, {"again": 1}, replace=True)
    again = promotion_audit(ModelKind.TOWERS, "one", linking)
    assert isinstance(again, PromotionAudit)
    assert [round(change.after.overlap.mean, 2) for change in again.changes if change.what == "names"] == [0.97]


@pytest.mark.usefixtures("overlaps")
def test_a_damaged_model_in_use_can_be_replaced(linking: LinkingService) -> None:
    """The reason why there is no audit is told."""
    assert promotion_audit(ModelKind.TOWERS, "one", linking) == NotAudited(f"{UNTRAINED} is damaged.")
    assert promote(ModelKind.TOWERS, "one", linking, who="Ada").after == "one"


def test_without_a_marketplace_there_is_no_audit(linking: LinkingService) -> None:
    """Shipped models and search encoders are not audited either."""
    assert promotion_audit(ModelKind.TOWERS, "one", linking) == NotAudited("There is no marketplace to audit it with.")
    assert promotion_audit(ModelKind.TOWERS, UNTRAINED, linking) == NotAudited("")
    assert promotion_audit(ModelKind.SEARCH, "any", linking) == NotAudited("")


@pytest.mark.long
def test_towers_are_audited_on_a_marketplace(linking: LinkingService) -> None:
    """Both with the same profiles; models that are equal have equal findings."""
    install(skilled_taxonomy(), linking.settings.home)
    MarketplaceStore.open(linking.settings).save(
        "made", marketplace().blocks(), origin={"taxonomy": "skilled-1"}, generated=True
    )
    audit = promotion_audit(ModelKind.TOWERS, "one", linking)
    assert isinstance(audit, PromotionAudit), audit
    assert audit.changes
    assert (audit.before.data_hash, audit.before.freelancers) == (audit.after.data_hash, audit.after.freelancers)
    assert audit.before.subject != audit.after.subject


@pytest.mark.long
def test_linking_models_are_audited_on_titles(linker_home: Path, tmp_path: Path) -> None:
    """A model whose threshold nothing reaches links no form, so that overlaps stay and the links go."""
    settings = Settings(Path(shutil.copytree(linker_home, tmp_path / "home")))
    linker = open_linker(settings=settings)
    model = LinkingModel(replace(linker.calibration, threshold=1.1, unit_threshold=1.1))
    save_linking_model(settings.models / "strict", model, linker.encoder_name, {"taxonomy": linker.taxonomy.id})
    audit = promotion_audit(ModelKind.LINKING, "strict", LinkingService(settings))
    assert isinstance(audit, PromotionAudit), audit
    assert audit.before.subject != audit.after.subject
    assert not audit.drops
    assert sum(result.masculine_linked for result in audit.after.titles) < len(audit.before.titles) / 10
