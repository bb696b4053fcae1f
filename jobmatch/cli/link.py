"""`jobmatch link`: titles; files are linked by `link_files`."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

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
from jobmatch.services.encoder_choice import SHIPPED
from jobmatch.services.linking import LinkingService, LinkOptions
from jobmatch_core.entities import UNIT_GROUP_LEVEL, LinkResult
from jobmatch_core.errors import LabelStoreError, SettingsError
from jobmatch_core.linking.coding import NO_OCCUPATION, NOT_CODABLE, PARTLY_CODED, CodeForm, coding
from jobmatch_core.linking.context import ContextColumns, all_context_words, named_texts, titled
from jobmatch_core.linking.link_answer import Named, link_answer
from jobmatch_core.linking.link_words import (
    acceptance,
    confidence,
    decision_words,
    job_in_words,
    matched_words,
    rejected_words,
)
from jobmatch_core.linking.other_codes import OtherCodes, with_other_codes
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import BUNDLED_ID
from jobmatch_core.text.locales import ENGLISH, checked_language

NoOwnNamesOption = Annotated[
    bool, typer.Option("--no-own-names", help="Ignore what people accepted and rejected for titles.")
]

AlsoOption = Annotated[
    Path | None,
    typer.Option(help="Crosswalk in SSSOM: also give the code of its source list for each linked occupation."),
]

CodeFormOption = Annotated[
    CodeForm, typer.Option(help="Form of codes above the unit groups in a file: short (25), zeros (2500), dots (25..).")
]


@contextmanager
def linking_here() -> Iterator[LinkingService]:
    """Yield the linking service of this command; an error of the label store says how to link without it."""
    with closing(LinkingService(Settings.from_environment())) as service:
        try:
            yield service
        except LabelStoreError as error:
            raise LabelStoreError(f"{error} Or link without accepted titles: --no-own-names.") from error


def link(
    titles: Annotated[list[str] | None, typer.Argument(help="One or more job titles, in any language.")] = None,
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    languages: MatchedLanguagesOption = "",
    show: Annotated[str, typer.Option(help="Language of the occupations shown.")] = ENGLISH,
    top: Annotated[int, typer.Option(min=1, max=100, help="Maximum number of candidates.")] = 5,
    encoder: Annotated[
        str, typer.Option(help="Encoder: a name, a folder, hub:NAME, several joined by +, or none.")
    ] = SHIPPED,
    groups: Annotated[
        bool, typer.Option(help="Also link to whole ISCO groups, for titles such as 'Finance managers, other'.")
    ] = False,
    precision: Annotated[
        float | None, typer.Option(help="Target precision, between 0 and 1; a higher value links fewer titles.")
    ] = None,
    code_form: CodeFormOption = CodeForm.SHORT,
    no_own_names: NoOwnNamesOption = False,
    file: Annotated[
        str | None,
        typer.Option(help="CSV, XLSX, Parquet or JSON file to link, or folder or URL of CSV or Parquet parts."),
    ] = None,
    column: TitleColumnOption = None,
    out: Annotated[
        str | None,
        typer.Option(help="Output: .csv, .xlsx, .parquet or .jsonl, or a folder for parts of a large table."),
    ] = None,
    encoding: EncodingOption = None,
    header_row: HeaderRowOption = None,
    sheet: SheetOption = None,
    separator: SeparatorOption = "",
    context: Annotated[
        list[str] | None,
        typer.Option(
            help="What is known beside the title, as NAME=COLUMN of a file, or NAME=TEXT for titles; repeatable."
        ),
    ] = None,
    also: AlsoOption = None,
    resume: Annotated[bool, typer.Option(help="Resume an interrupted run.")] = False,
    workers: Annotated[int, typer.Option(min=0, help="Processes that link a file; 0 for one per core.")] = 1,
    engine: Annotated[
        str, typer.Option(help="Engine that links parts of a table: local, dask, or the address of a Dask scheduler.")
    ] = "local",
    json: JsonOption = False,
) -> None:
    """Link job titles in any language to occupations.

    Example: jobmatch link "Krankenschwester" --show fr

    Example: jobmatch link --file titles.csv --column title --out linked.csv

    Example: jobmatch link inspector --context industry="food manufacturing"

    Example: jobmatch link --file answers.csv --context industry=Branch --context duties=Duties --out linked.csv

    Example: jobmatch link --file titles.csv --also mappings.tsv --out linked.csv

    Example: jobmatch link --file adverts.parquet --out linked --workers 0 --resume
    """
    matched = language_list(languages)
    shown = checked_language(show)
    _check(titles, file, out, column or sheet, resume=resume)
    beside = named_texts(context or [])
    codes = codes_of(also) if also else ()
    options = LinkOptions(taxonomy, matched, shown, top, encoder, groups, precision, not no_own_names, code_form)
    if file is not None and out is not None:
        from jobmatch.cli.link_files import FileJob, link_table  # pyarrow takes longer than linking a title

        job = FileJob(
            file,
            out,
            column=column,
            encoding=encoding,
            header_row=header_row,
            sheet=sheet,
            separator=separator,
            engine=engine,
            workers=workers,
            resume=resume,
        )
        with linking_here() as service:
            spec = service.spec(replace(options, context=ContextColumns.of(beside)))
        spec = replace(spec, other_codes=codes)
        link_table(spec, job, json=json)
        return
    with linking_here() as service:
        with progress_bar("Building the index (only once)", hidden=json) as progress:
            linker = service.open(options, progress)
        named = service.naming(options)
        in_context = [titled(title, beside) for title in titles or []]
        results: list[LinkResult] = linker.link_all(in_context, languages=matched, show=shown, top=top)
        results = with_other_codes(results, codes)
        if json:
            print_json(link_answer(taxonomy, results, named))
        else:
            for result in results:
                _print_result(result, named)


def codes_of(crosswalk: Path) -> OtherCodes:
    """Read the codes that a crosswalk gives for occupations and groups; raises as `read_strictly`."""
    from jobmatch.cli.crosswalk import read_strictly  # takes longer than linking a title

    return read_strictly(crosswalk).other_codes()


def _check(titles: list[str] | None, file: str | None, out: str | None, part: str | None, *, resume: bool) -> None:
    if bool(titles) == (file is not None):
        raise SettingsError("Give either titles or --file FILE.")
    if file is None and (out or part or resume):
        raise SettingsError("--out, --column, --sheet and --resume require --file FILE.")
    if file is not None and out is None:
        raise SettingsError("--out is required, such as linked.csv (or .xlsx, .parquet, .jsonl).")


def _print_result(result: LinkResult, named: Named) -> None:
    if not result.candidates and not result.level:
        no_match = f"{result.title}: no match ({result.reason}).{_rejected(result, named)}"
        print_line(f"{no_match} {_coding(result, named)}".rstrip())
        return
    rows = [
        (
            f"{candidate.probability:.2f} {confidence(result) if rank == 0 else ''}",
            candidate.name,
            candidate.isco,
            f"{candidate.evidence.name} ({matched_words(candidate.evidence, named)})",
        )
        for rank, candidate in enumerate(result.candidates)
    ]
    print_table(("probability", "occupation", "ISCO", "matched"), rows, title=result.title)
    group = result.group
    offer = f"{group.code} {group.name} ({group.probability:.2f})" if group else ""
    if result.level == UNIT_GROUP_LEVEL:
        accepted = f", {acceptance(group.own, named)}" if group and group.own else ""
        print_line(f"Linked to the unit group {offer}{accepted}, not to one of its occupations.")
    elif result.abstained and not result.no_occupation:
        likely = f" Most likely in {offer}." if offer else ""
        print_line(f"No confident match ({result.reason}); these are guesses.{likely}")
    if words := _coding(result, named):
        print_line(words)
    if result.context:
        print_line(f"Beside it: {all_context_words(result.context)}.")
    if result.also:
        print_line("Also: " + ", ".join(f"{other.code} {other.name} ({other.relation})" for other in result.also) + ".")
    if result.jobs:
        print_line("Names several jobs: " + ", ".join(job_in_words(job) for job in result.jobs) + ".")
    if result.rejected:
        print_line(_rejected(result, named).strip())
    if result.set_aside:
        print_line(f"Ignored: {', '.join(result.set_aside)}")


def _coding(result: LinkResult, named: Named) -> str:
    # what is sure of a title that is not linked; '' for others
    if result.no_occupation:
        words = decision_words(result.no_occupation, named)
        return f"{words[:1].upper()}{words[1:]}."
    coded = coding(result)
    if coded.group and coded.state == PARTLY_CODED:
        group = coded.group
        return f"{coded.state.capitalize()}: {coded.level} {group.code} {group.name} ({group.probability:.2f})."
    return f"{coded.state.capitalize()}: {coded.reason}." if coded.state in (NO_OCCUPATION, NOT_CODABLE) else ""


def _rejected(result: LinkResult, named: Named) -> str:
    words = rejected_words(result.rejected, named)
    return f" {words[:1].upper()}{words[1:]}." if words else ""
