"""Production rates of a sample: what is measured, stopping, errors, and the target precision of an error."""

from dataclasses import replace
from pathlib import Path

import pytest

from jobmatch.services.linking import LinkingService
from jobmatch.services.production_rate import (
    FEWEST_TITLES,
    CodedSample,
    ProductionReport,
    ProductionStudy,
    coded_sample,
    link_command,
    target_precision,
)
from jobmatch_core.benchmarks.production.coded_titles import CodedColumns
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError, TaxonomyError
from jobmatch_core.linking import open_linker
from jobmatch_core.metrics.calibration import PrecisionPoint
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID

COLUMNS = CodedColumns("title", "isco")
JOBS = {"Cook": "5120", "Bäcker": "7512", "Nurse": "2221", "Waiters": "5131"}


@pytest.fixture(scope="module")
def service(linker_home: Path) -> LinkingService:
    """Return the service of a home with the bundled taxonomy."""
    return LinkingService(Settings(linker_home))


def sample(service: LinkingService) -> CodedSample:
    """Return the four jobs, each five times, without a code in one more row."""
    rows = [{"title": title, "isco": code} for title, code in JOBS.items()] * 5
    return coded_sample(service, [*rows, {"title": "Head of Vibes", "isco": ""}], COLUMNS, BUNDLED_ID, "jobs.csv")


def test_a_sample_is_measured(service: LinkingService) -> None:
    """The linker comes first; finest figures are those of unit groups, records have one row for each figure."""
    report = ProductionStudy(sample(service), service, ["char_tf_idf"]).run()
    assert report is not None
    assert report.sample.coded.left_out == 1
    assert [(figure.coder, figure.digits) for figure in report.finest] == [
        ("linker", 4),
        ("equal names", 4),
        ("char_tf_idf", 4),
    ]
    assert [figure.digits for figure in report.totals[::3]] == [4, 3, 2, 1]
    assert report.by_language == []
    records = list(report.records())
    assert len(records) == len(report.figures) == 12
    assert (records[0]["titles"], records[0]["coded_at_10_percent_wrong"]) == (20, report.finest[0].rates[-1].rate)


@pytest.mark.thorough
def test_few_deeper_codes_do_not_stand_for_the_sample(service: LinkingService) -> None:
    """The finest level is the deepest that enough titles have a code of."""
    rows = [{"title": title, "isco": code[:2]} for title, code in JOBS.items()] * 5
    coded = coded_sample(service, [*rows, {"title": "Cook", "isco": "5120"}], COLUMNS, BUNDLED_ID, "jobs.csv")
    report = ProductionStudy(coded, service, []).run()
    assert report is not None
    assert {figure.digits for figure in report.totals} == {4, 3, 2, 1}
    assert [(figure.digits, figure.titles) for figure in report.finest] == [(2, 21), (2, 21)]


def test_the_command_that_links_with_a_precision() -> None:
    """The precision is rounded up; languages are left out where all count."""
    assert link_command("esco-1.0.3", 0.912341) == "jobmatch link --precision 0.91235 --taxonomy esco-1.0.3"
    assert link_command("t", 0.9, ("de", "fr")) == "jobmatch link --precision 0.9 --taxonomy t --languages de,fr"


@pytest.mark.thorough
def test_a_stopped_study_keeps_whole_coders(service: LinkingService) -> None:
    """Stopped while names are read it has the linker and the dictionary; stopped at once, nothing."""

    class Stopped(ProductionStudy):
        def run(self, progress: Progress = no_progress) -> ProductionReport | None:
            return super().run(lambda done, total: self.stop() if self.doing.startswith("Reading") else None)

    report = Stopped(sample(service), service, ["char_tf_idf"]).run()
    assert report is not None
    assert [figure.coder for figure in report.finest] == ["linker", "equal names"]
    study = ProductionStudy(sample(service), service)
    study.stop()
    assert study.run() is None


def test_too_few_titles(service: LinkingService) -> None:
    """The message has both numbers; a missing taxonomy is an error, too."""
    with pytest.raises(DataFileError, match=rf"jobs.csv: only 1 row has .* in 'isco'; {FEWEST_TITLES} are the fewest"):
        coded_sample(service, [{"title": "Cook", "isco": "5120"}] + [{}] * 30, COLUMNS, BUNDLED_ID, "jobs.csv")
    with pytest.raises(TaxonomyError):
        coded_sample(service, [], COLUMNS, "none-1", "jobs.csv")


def test_the_precision_of_a_score(linker_home: Path) -> None:
    """With that target precision the linker links unit groups from the score on, as little above it as possible."""
    calibration = open_linker(settings=Settings(linker_home)).calibration
    for score in (0.5, 0.8, 0.9):
        precision = target_precision(calibration, score)
        assert precision is not None
        reached = calibration.at_precision(precision)
        assert min(reached.threshold, reached.unit_threshold) >= score
    assert target_precision(calibration, float("inf")) is None


def test_the_precision_of_a_score_counts_linked_occupations(linker_home: Path) -> None:
    """A linked occupation codes its unit group, so both thresholds must reach the score."""
    calibration = replace(
        open_linker(settings=Settings(linker_home)).calibration,
        curve=(PrecisionPoint(0.8, 0.95, 0.2), PrecisionPoint(0.5, 0.9, 0.4)),
        unit_curve=(PrecisionPoint(0.9, 0.95, 0.2), PrecisionPoint(0.7, 0.9, 0.4)),
    )
    assert target_precision(calibration, 0.45) == 0.9
    assert target_precision(calibration, 0.6) == 0.95
    assert target_precision(replace(calibration, curve=()), 0.6) is None


def test_the_precision_among_those_of_a_page(linker_home: Path) -> None:
    """The least of the given ones that is strict enough; None if all are too low."""
    calibration = replace(
        open_linker(settings=Settings(linker_home)).calibration,
        curve=(PrecisionPoint(0.8, 0.955, 0.2), PrecisionPoint(0.5, 0.9, 0.4)),
        unit_curve=(PrecisionPoint(0.8, 0.955, 0.2), PrecisionPoint(0.5, 0.9, 0.4)),
    )
    assert target_precision(calibration, 0.45, (0.8, 0.9, 0.91, 0.95, 0.96)) == 0.8
    assert target_precision(calibration, 0.6, (0.8, 0.9, 0.91, 0.95, 0.96)) == 0.91
    assert target_precision(calibration, 0.85, (0.8, 0.9)) is None
