"""The page 'Audit': empty, a run and its end, stored audits with all their figures, before and after, downloads."""

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from jobmatch.services import audit_runs as audit_runs_module
from jobmatch.services.audit_runs import AuditRun, AuditRuns, TitlesAudit, audit_runs
from jobmatch.services.auditing import AuditService, MatchingAudit
from jobmatch_core.audit.audit_store import AuditStore
from jobmatch_core.audit.judged_errors import GroupErrors
from jobmatch_core.audit.report import AuditReport
from jobmatch_core.audit.twin_examples import RankExample, TitleExample
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.marketplace.marketplace_store import MarketplaceStore
from jobmatch_core.metrics.comparisons import Interval
from jobmatch_core.settings import Settings
from tests.core.audit.test_report import REPORT, TITLES
from tests.made_marketplace import marketplace
from tests.pages.conftest import TINY_ID
from tests.pages.observed import texts

Open = Callable[..., AppTest]
EVIL = "**a** <b>x</b> :red[r]"
PROFILES = replace(
    REPORT,
    cues=(
        replace(REPORT.cues[0], examples=(RankExample("Shop", "f7", EVIL, "Anna.", "Paul.", 2, 31),)),
        *REPORT.cues[1:],
    ),
)
FORMS = replace(
    TITLES,
    titles=(replace(TITLES.titles[0], examples=(TitleExample("готвач", "готвачка", "cook", "", 0.4),)),),
    errors=(
        GroupErrors("all", "", 40, Interval(40, 0.75, 0.6, 0.9), Interval(40, 0.1, 0.02, 0.2), 0.12),
        GroupErrors("language", "", 12),
        GroupErrors("form", "feminine form", 5),
    ),
)


@pytest.fixture
def audit(app: AppTest) -> Open:
    """Open the page, with parameters in the address."""

    def opened(**parameters: str) -> AppTest:
        app.switch_page("pages/audit/audit.py")
        app.query_params.update(parameters)
        return app.run()

    return opened


@pytest.fixture(autouse=True)
def _no_runs() -> Iterator[None]:
    """Forget the runs of other tests."""
    audit_runs_module._over.cache_clear()  # type: ignore[attr-defined]
    yield
    audit_runs_module._over.cache_clear()  # type: ignore[attr-defined]


@pytest.fixture
def ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let audits end before `start` returns; those of titles store `TITLES`."""

    def store(service: AuditService, *_what: object, **_more: object) -> AuditReport:
        AuditStore(service._settings).save(TITLES)
        return TITLES

    monkeypatch.setattr(AuditService, "titles", store)
    start = AuditRuns.start

    def start_and_wait(runs: AuditRuns, what: TitlesAudit | MatchingAudit, who: str) -> AuditRun:
        run = start(runs, what, who)
        run.background.wait(30)
        return run

    monkeypatch.setattr(AuditRuns, "start", start_and_wait)


def table(app: AppTest, column: str) -> list[dict[Any, Any]]:
    """Return the rows of the first table with a column."""
    return next(each.value.to_dict("records") for each in app.dataframe if column in each.value)


def store(home: Path, *reports: AuditReport) -> list[str]:
    """Store audits; return their keys."""
    return [AuditStore(Settings(home)).save(report) for report in reports]


def test_a_cold_start_says_what_will_be_here(audit: Open) -> None:
    """No audit, no marketplace: the linker can be audited at once."""
    app = audit()
    assert not app.exception
    assert "No audit is stored yet" in texts(app)
    assert not app.button(key="audit_start").disabled
    app.session_state["audit_what"] = "freelancers"
    app.run()
    assert not app.exception
    assert "There is no marketplace yet" in texts(app)
    assert "audit_start" not in [button.key for button in app.button]


@pytest.mark.usefixtures("ended")
def test_an_audit_is_started_and_its_findings_are_shown(audit: Open) -> None:
    """Of the taxonomy and the sample that were chosen."""
    app = audit()
    app.number_input(key="audit_per_language").set_value(30).run()
    app.button(key="audit_start").click().run()
    assert not app.exception
    run = audit_runs().latest
    assert run is not None
    assert (run.what, run.who) == (TitlesAudit(TINY_ID, 30), "me")
    assert "Worst finding: titles in Bulgarian" in texts(app).replace("\\", "")


def test_a_run_shows_its_progress_and_can_be_stopped(audit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a session that did not start it; a second one cannot start; a stopped one stores nothing."""

    def audited(_service: AuditService, *_what: object, progress: Progress = no_progress) -> AuditReport:
        while True:
            progress(3, 12)

    monkeypatch.setattr(AuditService, "titles", audited)
    run = audit_runs().start(TitlesAudit(TINY_ID), EVIL)
    app = audit()
    assert not app.exception
    assert "Started by" in texts(app)
    assert EVIL not in texts(app)
    assert "audit_start" not in [button.key for button in app.button]
    app.button(key="audit_stop").click().run()
    assert run.stopping
    shown = texts(app)  # it may have stopped before the page was drawn
    run.background.wait(30)
    shown += texts(app.run())
    assert not app.exception
    assert "Stopped; nothing was stored." in shown
    assert "No audit is stored yet" in texts(app)


def test_the_error_of_a_run_is_shown(audit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """To those who saw it running; the form is there again."""

    def audited(_service: AuditService, *_what: object, progress: Progress = no_progress) -> AuditReport:
        while not stop:
            progress(0, 1)
        raise LinkingError("This taxonomy has no name in two forms.")

    stop: list[bool] = []
    monkeypatch.setattr(AuditService, "titles", audited)
    run = audit_runs().start(TitlesAudit(TINY_ID), "me")
    app = audit()
    stop.append(True)
    run.background.wait(30)
    app.run()
    assert "no name in two forms" in app.error[0].value
    assert not app.button(key="audit_start").disabled


def test_an_audit_of_profiles_in_plain_words(audit: Open, home: Path) -> None:
    """The worst first, with who is selected and the examples; texts of users are not read as Markdown."""
    store(home, PROFILES)
    app = audit()
    assert not app.exception
    shown = texts(app).replace("\\", "")
    assert "Worst finding: forms" in shown
    assert "1 of 3 findings is below 0.97" in shown
    assert "TalentCLEF 2026" in shown
    assert "No protected attribute of a real person is known here" in shown
    assert "complian" not in shown.casefold()
    assert [row["Verdict"] for row in table(app, "Verdict")] == ["differs", "alike", "may differ by design"]
    assert table(app, "Chance")[0]["Second to first"] == "0.500 (0.400 to 0.600)"
    assert [row["Chance"] for row in table(app, "Chance")] == ["beyond", "within", "within"]
    [example] = table(app, "First version")
    assert (example["First version"], example["Second version"]) == ("Anna.", "Paul.")
    assert example["Ranks"] == "2 and 31"


def test_an_audit_of_titles_in_plain_words(audit: Open, home: Path) -> None:
    """Links by language, examples, and errors on judged titles, or that there are too few."""
    store(home, FORMS)
    app = audit()
    assert not app.exception
    assert table(app, "Same link")[0]["Same link"] == 50.0
    [example] = table(app, "Feminine")
    assert (example["Feminine"], example["linked to "]) == ("готвачка", "nothing")
    assert [row["First answer right"] for row in table(app, "Too sure")] == [
        "75.0% (60.0% to 90.0%)",
        "too few to say",
        "too few to say",
    ]
    assert table(app, "Too sure")[0]["Too sure"] == "+0.100 (+0.020 to +0.200)"
    assert "audit_before" not in [each.key for each in app.selectbox]


def test_without_judged_titles_it_says_how_to_get_some(audit: Open, home: Path) -> None:
    """An older audit has no examples either."""
    store(home, TITLES)
    shown = texts(audit())
    assert "Nobody judged titles of this taxonomy one by one" in shown
    assert "or an earlier release made this audit" in shown


def test_before_and_after(audit: Open, home: Path) -> None:
    """A drop is named; audits of other samples are compared with a warning."""
    worse = replace(
        REPORT,
        created="2026-11-29T00:00:00+00:00",
        cues=(replace(REPORT.cues[0], overlap=Interval(5, 0.9, 0.9, 0.9)), *REPORT.cues[1:]),
    )
    other = replace(worse, projects=9, created="2026-11-30T00:00:00+00:00")
    before, after, another = store(home, REPORT, worse, other)
    app = audit(audit=after, before=before)
    assert not app.exception
    shown = texts(app).replace("\\", "")
    assert "**1 lost more than 0.02**, the most: names: rank-biased overlap 0.990 before, 0.900 after" in shown
    assert "like for like" not in shown
    assert table(app, "Change")[0]["What"] == "names"
    app.selectbox(key="audit_shown").set_value(another).run()
    assert "cannot be compared like for like: their samples differ" in texts(app)


def test_an_audit_is_removed_after_a_question(audit: Open, home: Path) -> None:
    """An address that names one that is gone says so."""
    store(home, REPORT)
    app = audit()
    app.button(key="audit_remove").click().run()
    assert "leaves the evidence pack" in texts(app)
    app.button(key="audit_removal_confirmed").click().run()
    assert not app.exception
    assert "No audit is stored yet" in texts(app)
    store(home, TITLES)
    assert "not stored here any more" in texts(audit(audit="20260101000000-00000000"))


def test_a_damaged_audit_is_named_and_keeps_the_pack_whole(audit: Open, home: Path) -> None:
    """The others are shown; the evidence pack waits until it is removed."""
    store(home, REPORT)
    (AuditStore(Settings(home)).folder / "20260101000000-00000000.json").write_text("{", "utf-8")
    app = audit()
    assert not app.exception
    assert "remove" in app.error[0].value
    assert "Worst finding" in texts(app)
    assert app.get("download_button")[0].proto.disabled


@pytest.mark.thorough
def test_the_market_and_model_that_were_chosen(audit: Open, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the second stage by default, as on 'Find freelancers'."""
    asked: list[object] = []
    monkeypatch.setattr(AuditRuns, "start", lambda _runs, what, _who: asked.append(what))
    MarketplaceStore.open(Settings(home)).save("made", marketplace().blocks(), origin={}, generated=True)
    app = audit(what="freelancers")
    app.number_input(key="audit_projects").set_value(7).run()
    app.button(key="audit_start").click().run()
    assert not app.exception
    assert asked == [MatchingAudit("made", "untrained", True, 7, 1000)]


def test_downloads(home: Path) -> None:
    """What the buttons give: the pack has its three files, the table a row for each finding."""
    from jobmatch.services.evidence import collected_evidence
    from jobmatch_core.audit.evidence_pack import packed

    store(home, REPORT)
    with zipfile.ZipFile(io.BytesIO(packed(collected_evidence(Settings(home))))) as archive:
        assert sorted(archive.namelist()) == [
            "evidence/evidence.csv",
            "evidence/evidence.html",
            "evidence/evidence.json",
        ]
        content = json.loads(archive.read("evidence/evidence.json"))
    facts = [fact for section in content["sections"] for fact in section["facts"]]
    assert sum(fact["fact"] == "below the floor" for fact in facts) == 1
