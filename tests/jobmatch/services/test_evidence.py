"""The facts that a home has for an evidence pack."""

from dataclasses import replace

from jobmatch.services.auditing import AuditService, MatchingAudit
from jobmatch.services.evidence import collected_evidence
from jobmatch.services.linking import LinkingService
from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.audit.judged_errors import GroupErrors
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from tests.core.audit.test_report import TITLES
from tests.made_marketplace import marketplace
from tests.made_taxonomy import install, skilled_taxonomy


def test_an_empty_home_has_gaps() -> None:
    """Every section has a gap, except what comes with jobmatch."""
    pack = collected_evidence(Settings.from_environment())
    assert all(section.gaps for section in pack.sections)
    assert {fact.subject for fact in pack.sections[0].facts} >= {"jobmatch", UNTRAINED}
    assert "No audit is stored; run `jobmatch audit`." in pack.sections[3].gaps
    assert "Errors by language and group: no audit has judged titles." in pack.sections[3].gaps


def test_audits_and_promotions_are_facts() -> None:
    """With who decided."""
    settings = Settings.from_environment()
    install(skilled_taxonomy(), settings.home)
    MarketplaceStore.open(settings).save(
        "made", marketplace().blocks(), origin={"taxonomy": "skilled-1"}, generated=True
    )
    AuditService(LinkingService(settings)).matching(MatchingAudit("made", UNTRAINED, projects=1))
    Registry(settings).promote(ModelKind.TOWERS, UNTRAINED, who="Ada", why="first")
    pack = collected_evidence(settings)
    facts = [fact for section in pack.sections for fact in section.facts]
    assert any("rankings overlap by" in fact.value for fact in facts)
    assert any(fact.fact == "promoted by Ada" for fact in facts)
    AuditStore(settings).save(replace(TITLES, errors=(GroupErrors("form", "feminine form", 5),)))
    errors = [fact.value for fact in collected_evidence(settings).sections[3].facts if "judged" in fact.fact]
    assert errors == ["feminine form, 5 judged titles: too few to say."]
    assert not any("No audit" in gap for section in pack.sections for gap in section.gaps)
