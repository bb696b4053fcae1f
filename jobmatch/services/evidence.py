"""The facts of an evidence pack, from what a home stores."""

from collections.abc import Iterator
from dataclasses import asdict
from datetime import UTC, datetime

from jobmatch_core import __version__
from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.audit.evidence_pack import Evidence, EvidencePack, EvidenceSection
from jobmatch_core.audit.report import UNKNOWN, error_sentences, findings
from jobmatch_core.io.text_files import json_text
from jobmatch_core.labelling.label_stats import label_stats
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.model_store.model_spec import ModelKind
from jobmatch_core.model_store.registry import BUILT_IN, Registry
from jobmatch_core.retraining.promotion import ModelCard, cards
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore

_PURPOSE = (
    Evidence("jobmatch", "version", __version__),
    Evidence(
        "jobmatch", "purpose", "links job titles to occupations, and orders freelancers for projects; people decide"
    ),
)
_LONGEST = 2000  # characters of a fact


def collected_evidence(settings: Settings) -> EvidencePack:
    """Collect what is stored about models, data, audits and decisions.

    Raises JobMatchError if something stored is damaged, or the label store cannot be read.
    """
    models = [card for kind in BUILT_IN for card in cards(kind, settings)]
    sections = (
        EvidenceSection(
            "1. General description and intended purpose",
            (*_PURPOSE, *_used(models)),
            (
                "Who provides and who deploys the system, and for which decisions it is used.",
                "The hardware and the other software that it works with.",
            ),
        ),
        EvidenceSection(
            "2. Data, their licences and hashes",
            tuple(_data(settings)),
            (
                "How your data were collected, and on which legal basis; licences of data that you imported.",
                "How far the data represent the people on whom the system is used.",
            ),
        ),
        EvidenceSection(
            "2. Training",
            tuple(_training(models)),
            () if any(not card.built_in for card in models) else ("No model was trained in this home.",),
        ),
        EvidenceSection(
            "3. Performance, by group, and limits", tuple(_audits(settings)), (*UNKNOWN, *_audit_gaps(settings))
        ),
        EvidenceSection(
            "4. Human oversight: who decided what",
            tuple(_decisions(settings)),
            ("Who is responsible for oversight, how they are trained, and how people can object to a result.",),
        ),
        EvidenceSection(
            "5. Risk management", (), ("The risks to people, their assessment, and what is done about each of them.",)
        ),
        EvidenceSection(
            "6. Changes between versions",
            tuple(_changes(settings)),
            () if Registry(settings).history() else ("No model was promoted or rolled back.",),
        ),
        EvidenceSection(
            "7. Standards, declaration of conformity and monitoring after release",
            (),
            (
                "The standards applied, and the EU declaration of conformity.",
                "The plan for monitoring after release; where the server's logs are kept, and for how long.",
            ),
        ),
    )
    return EvidencePack(datetime.now(UTC).isoformat(timespec="seconds"), __version__, sections)


def _used(models: list[ModelCard]) -> Iterator[Evidence]:
    for card in models:
        if card.in_use:
            yield Evidence(card.name, f"{card.kind} in use", card.fault or card.created or "shipped with jobmatch")


def _data(settings: Settings) -> Iterator[Evidence]:
    for manifest in TaxonomyStore.open(settings).installed():
        yield Evidence(manifest.id, "taxonomy, attribution", manifest.attribution)
        yield Evidence(manifest.id, "SHA-256 of its sources", manifest.source_hash)
    for market in MarketplaceStore.open(settings).installed():
        kind = "synthetic marketplace" if market.generated else "marketplace"
        yield Evidence(market.name, f"{kind}, origin", _text(market.origin))
        yield Evidence(market.name, "counts", _text(market.counts))
        yield Evidence(market.name, "SHA-256 of its files", _text(market.hashes))


def _training(models: list[ModelCard]) -> Iterator[Evidence]:
    for card in models:
        if card.built_in:
            continue
        yield Evidence(card.name, "trained", card.created)
        if card.labels:
            yield Evidence(card.name, "labels", f"snapshot {card.labels.snapshot}, SHA-256 {card.labels.sha256}")
        if card.report:
            yield Evidence(card.name, "report", _text(card.report))


def _audits(settings: Settings) -> Iterator[Evidence]:
    for report in AuditStore(settings).latest():
        yield Evidence(report.name, "audited", f"{report.created}, data {report.data_hash}")
        for finding in findings(report):
            yield Evidence(report.name, "below the floor" if finding.below_floor else "finding", finding.sentence)
        for sentence in error_sentences(report):
            yield Evidence(report.name, "errors on judged titles", sentence)


def _audit_gaps(settings: Settings) -> Iterator[str]:
    audits = AuditStore(settings).latest()
    if not audits:
        yield "No audit is stored; run `jobmatch audit`."
    if not any(report.errors for report in audits):
        yield "Errors by language and group: no audit has judged titles."


def _decisions(settings: Settings) -> Iterator[Evidence]:
    for change in Registry(settings).history():
        yield Evidence(change.after, f"{change.action} by {change.who}", f"{change.at} {change.why}".strip())
    if settings.may_have_labels:
        from db.label_store import LabelStore  # the databases' libraries take a third of a second

        with LabelStore.open(settings.label_store) as store:
            tallies = label_stats(store.tallies())
        for kind in tallies.kinds:
            yield Evidence("judgments", f"counts of {kind.kind}", _text(asdict(kind)))


def _changes(settings: Settings) -> Iterator[Evidence]:
    for kind in ModelKind:
        for change in Registry(settings).history(kind):
            yield Evidence(str(kind), f"{change.before or 'none'} -> {change.after}", f"{change.action}, {change.at}")


def _text(value: object) -> str:
    text = json_text(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… (whole in the model's report.json)"
