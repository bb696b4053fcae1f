"""Production rates of coded titles: the linker beside other coders, and the target precision that an error needs."""

import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from math import ceil

from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.benchmarks.production.coded_titles import CodedColumns, CodedTitles, coded_titles
from jobmatch_core.benchmarks.production.coders import (
    DICTIONARY,
    LINKER,
    CodedNames,
    Coder,
    DictionaryCoder,
    LinkerCoder,
    NearestNameCoder,
)
from jobmatch_core.benchmarks.production.coding_report import CodingFigures, coding_figures
from jobmatch_core.benchmarks.scoreboard.entries import system_label
from jobmatch_core.benchmarks.systems.catalogue import open_system
from jobmatch_core.benchmarks.systems.system import System
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.tables import Record
from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.metrics.production_rate import NEVER, RatePoint
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

NEAREST_NAME_SYSTEMS = ("char_tf_idf", "encoder:titles")  # measured by default
FEWEST_TITLES = 20  # with fewer, one title is more than 5% of them
_POLL_SECONDS = 0.1

Stage = Callable[[str], AbstractContextManager[Progress]]


@dataclass(frozen=True, slots=True)
class CodedSample:
    """Coded titles of a table."""

    name: str  # name of the table
    taxonomy: str  # id of the taxonomy to link to
    coded: CodedTitles


def coded_sample(
    service: LinkingService, rows: Iterable[Record], columns: CodedColumns, taxonomy: str, name: str
) -> CodedSample:
    """Return the coded titles of a table's rows, at least `FEWEST_TITLES`.

    Raises:
        TaxonomyError: the taxonomy is missing, or has no codes of unit groups.
        DataFileError: too few rows have a title and an ISCO-08 code, or a cell is not a text.
    """
    coded = coded_titles(rows, columns, service.taxonomy(taxonomy), name)
    if (count := len(coded.titles)) < FEWEST_TITLES:
        having = "1 row has" if count == 1 else f"{count} rows have"
        raise DataFileError(
            name, f"only {having} a title and an ISCO-08 code in {columns.code!r}; {FEWEST_TITLES} are the fewest"
        )
    return CodedSample(name, taxonomy, coded)


@dataclass(frozen=True, slots=True)
class ProductionReport:
    """Figures of coders on coded titles."""

    sample: CodedSample  # the titles
    calibration: Calibration  # that of the measured linker
    figures: tuple[CodingFigures, ...]  # figures of each coder, level and language

    @property
    def totals(self) -> list[CodingFigures]:
        """Figures of all languages together, the finest level first."""
        return sorted((figure for figure in self.figures if not figure.language), key=lambda figure: -figure.digits)

    @property
    def finest(self) -> list[CodingFigures]:
        """Figures of each coder at the finest level that enough titles have a code of, of all languages together."""
        totals = self.totals
        digits = next((figure.digits for figure in totals if figure.titles >= FEWEST_TITLES), totals[-1].digits)
        return [figure for figure in totals if figure.digits == digits]

    @property
    def by_language(self) -> list[CodingFigures]:
        """Figures of each language with enough titles at the finest level, by language."""
        digits = {figure.digits for figure in self.finest}
        languages = [figure for figure in self.figures if figure.language and figure.digits in digits]
        return sorted(languages, key=lambda figure: figure.language)

    def precision(self, error: float, among: Iterable[float] | None = None) -> float | None:
        """Return the target precision for a share of wrong unit groups; see `error_precision`."""
        return error_precision(self.calibration, self.figures, error, among)

    def records(self) -> Iterator[Record]:
        """Yield a row of a table for each coder, level and language."""
        for figure in self.figures:
            row: Record = {
                "coder": figure.coder,
                "digits": figure.digits,
                "language": figure.language,
                "titles": figure.titles,
                "first": figure.first,
                "among_5": figure.among_5,
                "among_10": figure.among_10,
                "agreement": figure.agreement,
            }
            for point in figure.rates:
                row |= _rate_record(point)
            yield row


def _rate_record(point: RatePoint) -> Record:
    wrong = f"at_{point.error * 100:.0f}_percent_wrong"
    return {f"coded_{wrong}": point.rate, f"low_{wrong}": point.low, f"high_{wrong}": point.high}


def coder_label(coder: str) -> str:
    """Return a coder's display name."""
    named = {LINKER: "Linker", DICTIONARY: "Dictionary of equal names"}
    return named.get(coder) or f"Nearest name, {system_label(coder)}"


def figures_by_coder(
    linker: Linker, coded: CodedTitles, systems: Sequence[System], stage: Stage, languages: Sequence[str] = ()
) -> Iterator[list[CodingFigures]]:
    """Yield the figures of the linker, of a dictionary of equal names, and of the nearest names of each system.

    *stage* opens a step of the work, given in words, and yields its progress callback. Only names in *languages* are
    matched, without any in all.
    """
    for coder in _coders(linker, systems, stage, languages):
        with stage(f"Coding: {coder_label(coder.name)}") as progress:
            figures = coding_figures(coder, coded, progress=progress)
        yield figures


def _coders(linker: Linker, systems: Sequence[System], stage: Stage, languages: Sequence[str]) -> Iterator[Coder]:
    yield LinkerCoder(linker, languages)
    names = CodedNames.of(linker.taxonomy, languages)
    yield DictionaryCoder(names)
    for system in systems:
        with stage(f"Reading names: {system_label(system.name)}") as progress:
            coder = NearestNameCoder(system, names, progress)
        yield coder


def error_precision(
    calibration: Calibration, figures: Iterable[CodingFigures], error: float, among: Iterable[float] | None = None
) -> float | None:
    """Return the least target precision by which the linker answers no title below the threshold of an error.

    *figures* have those of the linker for unit groups; *error* is one of their shares of wrong codes. The precision is
    one of *among*, if that is given.
    """
    rates = (f.rates for f in figures if (f.coder, f.digits, f.language) == (LINKER, UNIT_DIGITS, ""))
    thresholds = (point.threshold for points in rates for point in points if point.error == error)
    return target_precision(calibration, next(thresholds, NEVER), among)


def target_precision(calibration: Calibration, threshold: float, among: Iterable[float] | None = None) -> float | None:
    """Return the least precision whose thresholds for occupations and unit groups are at least *threshold*.

    An occupation that is linked codes its unit group, too. None if no precision has such thresholds. The precision is
    one of *among*, by default one of the calibration's curves.
    """
    if not calibration.curve:
        return None
    if among is None:
        among = {point.precision for point in (*calibration.curve, *calibration.unit_curve)}
    for precision in sorted(precision for precision in among if 0 < precision < 1):
        reached = calibration.at_precision(precision)
        if min(reached.threshold, reached.unit_threshold) >= threshold:
            return precision
    return None


def link_command(taxonomy: str, precision: float, languages: Sequence[str] = ()) -> str:
    """Return the command that links with a target precision, rounded up so that no further title is coded."""
    words = ["jobmatch", "link", "--precision", f"{ceil(precision * 1e5) / 1e5:g}", "--taxonomy", taxonomy]
    return shlex.join([*words, *(("--languages", ",".join(languages)) if languages else ())])


class _Stopped(Exception):
    pass


class ProductionStudy:
    """Measures the production rates of a sample, coder by coder."""

    def __init__(
        self, sample: CodedSample, service: LinkingService, systems: Sequence[str] = NEAREST_NAME_SYSTEMS
    ) -> None:
        """Prepare a study of a sample; *systems* are the names of those that find nearest names, see `open_system`."""
        # doing: the current step in words
        # stopped: whether it was stopped early
        # report: the figures so far, the linker's first; None before them
        self.doing, self.stopped = "", False
        self.report: ProductionReport | None = None
        self._sample, self._service, self._systems = sample, service, tuple(systems)

    def stop(self) -> None:
        """Stop at the next progress report; the figures of the current coder are lost."""
        self.stopped = True

    def run(self, progress: Progress = no_progress) -> ProductionReport | None:
        """Measure; return the figures so far if stopped, None if stopped before the linker was measured.

        Raises JobMatchError if the linker or a system cannot be opened.
        """

        @contextmanager
        def stage(words: str) -> Iterator[Progress]:
            def report(done: int, total: int) -> None:
                if self.stopped:
                    raise _Stopped
                progress(done, total)

            self.doing = words
            report(0, 0)
            yield report

        try:
            linker = self._linker(stage)
            systems = [open_system(name, settings=self._service.settings) for name in self._systems]
            figures: tuple[CodingFigures, ...] = ()
            for of_coder in figures_by_coder(linker, self._sample.coded, systems, stage):
                figures += tuple(of_coder)
                self.report = ProductionReport(self._sample, linker.calibration, figures)
        except _Stopped:
            pass
        return self.report

    def _linker(self, stage: Stage) -> Linker:
        with stage(f"Preparing {self._sample.taxonomy}") as report:
            opening = self._service.opening(LinkOptions(self._sample.taxonomy))
            while not opening.wait(_POLL_SECONDS):
                report(opening.done, opening.total)
            return opening.result()
