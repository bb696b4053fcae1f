"""`jobmatch evaluate questions`: what one question brings on your own coded titles."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.coded_sample import read_sample
from jobmatch.cli.options import (
    EncodingOption,
    HeaderRowOption,
    JsonOption,
    SeparatorOption,
    SheetOption,
    TitleColumnOption,
)
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.benchmarks.production.asked_titles import QuestionFigures, duties, question_figures
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings
from jobmatch_core.sheets.table_layout import guess_layout
from jobmatch_core.taxonomy import BUNDLED_ID


def questions(
    path: Annotated[Path, typer.Argument(help="CSV, XLSX, Parquet or JSON file of titles with ISCO-08 codes.")],
    code: Annotated[str, typer.Option(help="Column of the codes.")] = "isco",
    column: TitleColumnOption = None,
    about: Annotated[str, typer.Option(help="Column with what each person says of their work, beside the title.")] = "",
    duties_of: Annotated[
        str, typer.Option("--duties", help="Or a taxonomy whose definition of the right unit group is what they say.")
    ] = "",
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    encoding: EncodingOption = None,
    header_row: HeaderRowOption = None,
    separator: SeparatorOption = "",
    sheet: SheetOption = None,
    json: JsonOption = False,
) -> None:
    """Measure what one question brings: the share of right unit groups before and after simulated answers.

    Example: jobmatch evaluate questions survey.csv --code isco --about duties --taxonomy esco-1.1.1
    """
    if bool(about) == bool(duties_of):
        raise SettingsError("Give either --about COLUMN or --duties TAXONOMY, which is what the respondents say.")
    layout = guess_layout(
        path,
        encoding=encoding,
        header_row=header_row,
        column=column,
        sheet=sheet,
        separator=separator,
        taxonomy=taxonomy,
    )
    service = LinkingService(Settings.from_environment())
    coded = read_sample(path, layout, service.taxonomy(taxonomy), code, quiet=json, about=about)
    said = duties(service.taxonomy(duties_of), coded) if duties_of else coded.about
    with progress_bar("Building the index (only once)", hidden=json) as progress:
        linker = service.open(LinkOptions(taxonomy, own_names=False), progress)
    with progress_bar("Asking", hidden=json) as progress:
        figures = question_figures(linker, coded, said, linker.index.encoder or shipped_encoder(), progress=progress)
    if json:
        print_json({"taxonomy": taxonomy, "left_out": coded.left_out, **asdict(figures)})
        return
    _print(figures)


def _print(figures: QuestionFigures) -> None:
    right = "–" if figures.right is None else f"{figures.right:.1%}"
    rows = [
        ("titles with a unit group", f"{figures.titles:,}"),
        ("not linked", f"{figures.to_check:,}"),
        ("questions asked", f"{figures.asked:,}"),
        ("right before", f"{figures.before:.1%}"),
        ("right after", f"{figures.after:.1%}"),
        ("right after, if nobody erred", f"{figures.best:.1%}"),
        ("the right one is an option", f"{figures.offered:.1%}"),
        ("answered 'none of these'", f"{figures.none:.1%}"),
        ("linked after, and right", f"{figures.linked:.1%}, {right}"),
    ]
    print_table(("", "unit groups"), rows, title="One question")
    print_line("right, linked: of the titles that were asked about; the respondents are simulated.")
