"""`jobmatch audit` and the audit before `jobmatch models promote`."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import Result

from jobmatch.services import promoting
from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.encoders.loading import TITLES, shipped_encoder
from jobmatch_core.errors import ModelError
from jobmatch_core.metrics.comparisons import Interval
from jobmatch_core.model_store.model_spec import UNTRAINED, ModelKind
from jobmatch_core.model_store.registry import Registry
from jobmatch_core.settings import Settings
from jobmatch_core.towers.tower_recipe import TowerConfig
from jobmatch_core.towers.two_towers import TwoTowers
from tests.core.audit.test_report import REPORT
from tests.core.retrieval.test_finder import store_market

Cli = Callable[..., Result]


@pytest.fixture
def settings(jobmatch_home: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """A home with a marketplace, and new towers whose audit shows a drop."""
    settings = Settings(jobmatch_home)
    store_market(settings)
    TwoTowers(shipped_encoder(), TITLES, TowerConfig(head=False)).save(settings.models / "new", {})
    Registry(settings).keep_in_use(ModelKind.TOWERS, UNTRAINED)

    def report(_settings: Settings, word: str, *_sample: object, **_rest: object) -> AuditReport:
        overlap = 0.99 if word == UNTRAINED else 0.9
        cue = replace(REPORT.cues[0], overlap=Interval(5, overlap, overlap, overlap))
        return replace(REPORT, subject=word, cues=(cue, *REPORT.cues[1:]))

    monkeypatch.setattr(promoting, "model_report", report)
    return settings


def test_a_drop_is_refused_until_it_is_accepted(cli: Cli, settings: Settings) -> None:
    """`--yes` is about figures and does not accept it."""
    with pytest.raises(ModelError, match=r"twins less equally .* 0\.990 before, 0\.900 after.*--accept-audit"):
        cli("models", "promote", "new", "--yes")
    assert Registry(settings).promoted(ModelKind.TOWERS) == UNTRAINED
    shown = cli("models", "promote", "new", "--accept-audit", "--why", "needed").stdout
    assert "Twins: the greatest change is that of names" in shown
    assert Registry(settings).history()[-1].why.startswith("needed; accepted: names")
    assert "In use for towers: untrained" in cli("models", "rollback").stdout


@pytest.mark.long
def test_coded_titles_are_counted(cli: Cli, tmp_path: Path) -> None:
    """By language, from a table; the audit is stored."""
    table = tmp_path / "coded.csv"
    rows = [f"Krankenschwester {number},2221,de" for number in range(30)]
    table.write_text("\n".join(["title,isco,language", *rows, "nurse,2221,en"]), "utf-8")
    words = ("audit", "titles", "--per-language", "1", "--coded", str(table), "--column", "title")
    report = json.loads(cli(*words, "--language", "language", "--json").stdout)
    groups = {(each["grouping"], each["group"]): each for each in report["errors"]}
    assert groups["language", "de"]["titles"] == 30
    assert groups["language", "de"]["right"]["mean"] == 1
    assert groups["language", "en"]["right"] is None
    [stored] = AuditStore(Settings.from_environment()).stored().reports.values()
    assert len(stored.errors) == len(report["errors"])
