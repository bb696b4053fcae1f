"""`jobmatch crosswalk propose|check|coverage|export|build-melo`: one classification mapped to another."""

import re
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from msgspec import to_builtins

from jobmatch.cli.options import JsonOption, check_apart, finite, language_list
from jobmatch.cli.output import print_json, print_line, print_table, print_warning, progress_bar
from jobmatch_core.crosswalks.conflicts import below_in, is_never_below, problems_of
from jobmatch_core.crosswalks.coverage import coverage as covered
from jobmatch_core.crosswalks.curies import is_absolute
from jobmatch_core.crosswalks.export_formats import FORMATS
from jobmatch_core.crosswalks.mapping import CC_BY, PROPOSED_FROM, SOURCE_BASE, MappingSet
from jobmatch_core.crosswalks.source_list import read_source_list
from jobmatch_core.crosswalks.sssom import read_sssom
from jobmatch_core.errors import DataFileError, SettingsError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.sheets.code_list_columns import NO_COLUMNS
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.taxonomy.code_list import parsed_columns
from jobmatch_core.text.locales import checked_language

app = typer.Typer(help="Map one classification to another, check and exchange the mappings.", no_args_is_help=True)
FileArgument = Annotated[Path, typer.Argument(help="Mappings in SSSOM, a TSV with metadata.")]
SOURCE_NAME = re.compile("[a-z0-9]+")  # of a MELO dataset's folder
FOUND = 1  # exit code where the check found something
_ON_SCREEN = 50  # problems that are printed


@app.command()
def propose(
    source: Annotated[Path, typer.Argument(help="Source list: a table of codes and names.")],
    out: Annotated[Path, typer.Option(help="File to write: mappings in SSSOM, a TSV with metadata.")],
    taxonomy: Annotated[str, typer.Option(help="Target taxonomy; see `jobmatch taxonomy list`.")],
    columns: Annotated[str, typer.Option(help="Columns, such as code=SOC,name=Title; detected by default.")] = "",
    language: Annotated[str, typer.Option(help="Language of the names; guessed by default.")] = "",
    source_uri: Annotated[
        str, typer.Option(help="Start of the URIs of the codes, such as https://example.org/occupations/.")
    ] = SOURCE_BASE,
    set_uri: Annotated[str, typer.Option(help="URI of the crosswalk; a URN of the file's name by default.")] = "",
    licence: Annotated[str, typer.Option(help="URI of the crosswalk's licence.")] = CC_BY,
    least: Annotated[
        float, typer.Option(min=0, max=1, callback=finite, help="Probability from which a concept is proposed.")
    ] = PROPOSED_FROM,
    json: JsonOption = False,
) -> None:
    """Propose a mapping for each code of a list: concepts of a taxonomy, each with its relation.

    Example: jobmatch crosswalk propose national.csv --taxonomy esco-1.2.1 --out mappings.tsv
    """
    from jobmatch.services.crosswalk_desk import proposed_crosswalk  # opens encoders
    from jobmatch_core.linking import open_linker

    check_apart(out, source)
    for option, uri in (("--source-uri", source_uri), ("--set-uri", set_uri), ("--licence", licence)):
        if uri and not is_absolute(uri):
            raise SettingsError(f"{option} is {uri!r}; expected a URI, such as https://example.org/occupations/.")
    source_list = read_source_list(
        source,
        columns=parsed_columns(columns) if columns else NO_COLUMNS,
        language=checked_language(language) if language else "",
    )
    with progress_bar("Building the index (only once)", hidden=json) as progress:
        linker = open_linker(taxonomy, progress=progress)
    with progress_bar("Mapping", hidden=json) as progress:
        whole = proposed_crosswalk(
            source_list,
            source.stem,
            linker,
            source_uri=source_uri,
            set_uri=set_uri,
            licence=licence,
            least=least,
            progress=progress,
        )
    write_text_whole(out, FORMATS["sssom"](whole))
    for note in () if json else source_list.notes:
        print_line(note)
    _print_written(out, whole, json=json)


@app.command()
def check(
    file: FileArgument,
    taxonomy: Annotated[
        str,
        typer.Option(
            help="Target taxonomy: where its hierarchy agrees, an exact beside a broader mapping is no conflict."
        ),
    ] = "",
    json: JsonOption = False,
) -> None:
    """Find conflicts, circles and missing fields; exits with 1 if there are any.

    Example: jobmatch crosswalk check mappings.tsv --taxonomy esco-1.2.1
    """
    crosswalk = read_sssom(file)
    is_below = below_in(TaxonomyStore.open().load(taxonomy)) if taxonomy else is_never_below
    problems = problems_of(crosswalk, is_below)
    if json:
        print_json(
            {
                "mappings": len(crosswalk.mappings.mappings),
                "problems": [{"line": problem.line, "text": problem.text} for problem in problems],
            }
        )
    else:
        for problem in problems[:_ON_SCREEN]:
            print_line(f"{f'Line {problem.line}: ' if problem.line else ''}{problem.text}")
        if len(problems) > _ON_SCREEN:
            print_line(f"... and {len(problems) - _ON_SCREEN:,} more; --json has all of them.")
        print_line(f"{len(crosswalk.mappings.mappings):,} mappings, {len(problems):,} problems.")
    if problems:
        raise typer.Exit(FOUND)


@app.command()
def coverage(
    file: FileArgument,
    source: Annotated[
        Path | None, typer.Option(help="The source list, so that codes without any mapping count, too.")
    ] = None,
    digits: Annotated[int, typer.Option(min=1, help="Number of first characters of a code that make a branch.")] = 1,
    json: JsonOption = False,
) -> None:
    """Count mapped, reviewed, disputed and open codes, branch by branch.

    Example: jobmatch crosswalk coverage mappings.tsv --source national.csv
    """
    codes = [code.code for code in read_source_list(source).codes] if source else []
    branches = covered(read_strictly(file).mappings, codes, digits)
    if json:
        print_json({"branches": [to_builtins(branch) for branch in branches]})
        return
    columns = ("branch", "codes", "mapped", "none", "open", "proposed", "reviewed", "disputed")  # 80 characters wide
    rows = [
        (b.branch or "all", b.codes, b.mapped, b.without_concept, b.open, b.proposed, b.reviewed, b.disputed)
        for b in branches
    ]
    print_table(columns, rows)


@app.command()
def export(
    file: FileArgument,
    out: Annotated[Path, typer.Option(help="File to write.")],
    format: Annotated[str, typer.Option(help=f"One of {', '.join(FORMATS)}.")] = "sssom",  # noqa: A002  # its name
    reviewed: Annotated[bool, typer.Option("--reviewed", help="Only what people reviewed.")] = False,
    json: JsonOption = False,
) -> None:
    """Write mappings for other tools.

    Example: jobmatch crosswalk export mappings.tsv --format skos-turtle --out mappings.ttl
    """
    if format not in FORMATS:
        raise SettingsError(f"There is no format {format!r}; use one of {', '.join(FORMATS)}.")
    check_apart(out, file)
    mappings = read_strictly(file, only_reviewed=reviewed)
    write_text_whole(out, FORMATS[format](mappings))
    _print_written(out, mappings, json=json)


@app.command("build-melo")
def build_melo(
    file: FileArgument,
    out: Annotated[Path, typer.Argument(help="Folder in which the dataset's folder is written.")],
    taxonomy: Annotated[str, typer.Option(help="Taxonomy of the names; see `jobmatch taxonomy list`.")],
    source: Annotated[str, typer.Option(help="Short name of the source list: lower-case letters, such as deu.")],
    language: Annotated[str, typer.Option(help="Language of the source's names.")],
    languages: Annotated[str, typer.Option(help="Languages of the corpus, such as en or de,en.")],
    reviewed: Annotated[bool, typer.Option("--reviewed", help="Only what people reviewed.")] = False,
    json: JsonOption = False,
) -> None:
    """Make a MELO dataset of a finished crosswalk, to measure linkers with.

    Example: jobmatch crosswalk build-melo mappings.tsv datasets --taxonomy esco-1.2.1 --source deu --language de
    --languages en
    """
    from jobmatch.cli.benchmarks import print_dataset
    from jobmatch_core.benchmarks.datasets.finished_crosswalks import melo_crosswalk
    from jobmatch_core.benchmarks.datasets.melo import build_dataset

    if not SOURCE_NAME.fullmatch(source):
        raise SettingsError(f"--source is {source!r}; expected lower-case letters and digits, such as deu.")
    crosswalk = melo_crosswalk(read_strictly(file, only_reviewed=reviewed), source, checked_language(language))
    dataset = build_dataset(crosswalk, TaxonomyStore.open().load(taxonomy), language_list(languages), out)
    print_dataset(dataset, out, json=json)


def read_strictly(file: Path, *, only_reviewed: bool = False) -> MappingSet:
    """Read mappings; raises DataFileError for rows that cannot be read, and warns of missing metadata."""
    crosswalk = read_sssom(file)
    for problem in crosswalk.problems:
        if problem.line:
            raise DataFileError(
                file, f"{problem.text} `jobmatch crosswalk check` lists all problems.", line=problem.line
            )
        print_warning(problem.text)
    return crosswalk.mappings.reviewed() if only_reviewed else crosswalk.mappings


def _print_written(out: Path, mappings: MappingSet, *, json: bool) -> None:
    counts = Counter(item.relation for item in mappings.mappings)
    if json:
        print_json({"file": str(out), "mappings": len(mappings.mappings), "relations": dict(counts)})
    else:
        listed = ", ".join(f"{count:,} {relation}" for relation, count in counts.most_common())
        print_line(f"{out}: {len(mappings.mappings):,} mappings ({listed}).")
