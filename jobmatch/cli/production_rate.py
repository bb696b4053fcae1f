"""`jobmatch evaluate production-rate`: how much of a coded sample can be coded automatically."""

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from math import isinf
from pathlib import Path
from typing import Annotated, Any

import typer

from jobmatch.cli.benchmarks import SystemOption
from jobmatch.cli.coded_sample import read_sample
from jobmatch.cli.options import (
    EncodingOption,
    HeaderRowOption,
    JsonOption,
    MatchedLanguagesOption,
    SeparatorOption,
    SheetOption,
    TitleColumnOption,
    language_list,
)
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch.services.production_rate import NEAREST_NAME_SYSTEMS, error_precision, figures_by_coder, link_command
from jobmatch_core.benchmarks.production.coding_report import LEVEL_NAMES, CodingFigures
from jobmatch_core.benchmarks.production.partial_codes import CodesAtPrecision, CodesOfLevel, codes_at_precision
from jobmatch_core.benchmarks.systems.catalogue import open_system
from jobmatch_core.metrics.production_rate import ERRORS, RatePoint
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import guess_layout
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import language_name

_COLUMNS = ("titles", "first", "of 5", "of 10", *(f"{error:.0%}" for error in ERRORS))


def production_rate(
    path: Annotated[Path, typer.Argument(help="CSV, XLSX, Parquet or JSON file of titles with ISCO-08 codes.")],
    code: Annotated[str, typer.Option(help="Column of the codes, of one to four digits.")] = "isco",
    column: TitleColumnOption = None,
    second_code: Annotated[
        str, typer.Option(help="Column of another coder's codes, for the agreement of people.")
    ] = "",
    language: Annotated[str, typer.Option(help="Column of the titles' languages, for figures by language.")] = "",
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    languages: MatchedLanguagesOption = "",
    system: SystemOption = None,
    precision: Annotated[
        float | None, typer.Option(help="Target precision of the codes at all levels, such as 0.95; 0.9 by default.")
    ] = None,
    encoding: EncodingOption = None,
    header_row: HeaderRowOption = None,
    separator: SeparatorOption = "",
    sheet: SheetOption = None,
    json: JsonOption = False,
) -> None:
    """Measure what share of your coded titles can be coded automatically at 1, 2, 4, 5 and 10% wrong codes.

    The linker is compared with a dictionary of equal names and, for each --system, with the nearest name.

    Example: jobmatch evaluate production-rate sample.csv --code isco --taxonomy esco-1.0.3
    """
    matched = language_list(languages)
    layout = guess_layout(
        path,
        encoding=encoding,
        header_row=header_row,
        column=column,
        sheet=sheet,
        separator=separator,
        taxonomy=taxonomy,
    )
    systems = [open_system(name) for name in (NEAREST_NAME_SYSTEMS if system is None else system)]
    service = LinkingService(Settings.from_environment())
    columns = {"second_code": second_code, "language": language}
    coded = read_sample(path, layout, service.taxonomy(taxonomy), code, quiet=json, **columns)
    with progress_bar("Building the index (only once)", hidden=json) as progress:
        linker = service.open(LinkOptions(taxonomy, own_names=False), progress)
    stage = partial(progress_bar, hidden=json)
    figures = [figure for of_coder in figures_by_coder(linker, coded, systems, stage, matched) for figure in of_coder]
    if precision is not None:
        linker = linker.with_precision(precision)
    with stage("Codes at all levels") as progress:
        codes = codes_at_precision(linker, coded, matched, progress=progress)
    precisions = {error: error_precision(linker.calibration, figures, error) for error in ERRORS}
    if json:
        print_json(
            {
                "taxonomy": taxonomy,
                "left_out": coded.left_out,
                "results": [_record(figure) for figure in figures],
                "codes": asdict(codes),
                "precision": {str(error): precision for error, precision in precisions.items()},
            }
        )
        return
    _print(figures)
    _print_codes(codes)
    for error, precision in precisions.items():
        if precision:
            print_line(f"For {error:.0%} wrong unit groups: {link_command(taxonomy, precision, matched)}")


def _record(figures: CodingFigures) -> dict[str, Any]:
    record = asdict(figures)
    for rate in record["rates"]:
        if isinf(rate["threshold"]):
            rate["threshold"] = None
    return record


def _print(figures: Sequence[CodingFigures]) -> None:
    for digits, level in LEVEL_NAMES.items():
        rows = [_row(figure, figure.coder) for figure in figures if figure.digits == digits and not figure.language]
        people = next((figure.agreement for figure in figures if figure.digits == digits), None)
        agreement = "" if people is None else f"; two people agree on {people:.1%}"
        if rows:
            print_table(("coder", *_COLUMNS), rows, title=f"ISCO-08 {level}{agreement}")
    unit_groups = [figure for figure in figures if figure.digits == UNIT_DIGITS]
    by_language = [figure for figure in unit_groups if figure.language]
    if by_language:
        rows = [_row(figure, f"{language_name(figure.language)}, {figure.coder}") for figure in by_language]
        print_table(("language, coder", *_COLUMNS), rows, title="ISCO-08 unit groups by language")
    for figure in unit_groups[:1]:
        columns = ("wrong", "coded", "low", "high", "score", "new coded", "new wrong")
        print_table(columns, list(map(_rate, figure.rates)), title=f"Unit groups by the {figure.coder}")
    print_line(
        "1% to 10%, coded: share of titles coded with at most this share of wrong codes; low, high: its 95% interval; "
        "score: of the last coded title; new: each half of the titles, coded by the score of the other half."
    )


def _print_codes(codes: CodesAtPrecision) -> None:
    rows = [(LEVEL_NAMES[level.digits], *_coded(level)) for level in codes.levels]
    columns = ("level", "titles", "coded", "right")
    print_table(
        columns, [*rows, ("all", *_coded(codes.total))], title=f"Codes at a target precision of {codes.precision:g}"
    )
    print_line("coded: titles at the deepest level that is sure; right: share of these, as far as both codes go.")


def _coded(level: CodesOfLevel) -> tuple[str, str, str]:
    return f"{level.coded:,}", f"{level.share:.1%}", "–" if level.right is None else f"{level.right:.1%}"


def _row(figure: CodingFigures, name: str) -> tuple[str, ...]:
    shares = (figure.first, figure.among_5, figure.among_10, *(point.rate for point in figure.rates))
    return name, f"{figure.titles:,}", *(f"{share:.0%}" for share in shares)


def _rate(point: RatePoint) -> tuple[str, ...]:
    score = "none" if isinf(point.threshold) else f"{point.threshold:.3f}"
    coded, low, high, new_coded = (f"{share:.1%}" for share in (point.rate, point.low, point.high, point.new_rate))
    new_wrong = "–" if point.new_error is None else f"{point.new_error:.1%}"
    return f"{point.error:.0%}", coded, low, high, score, new_coded, new_wrong
