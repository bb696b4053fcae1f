"""`jobmatch evaluate`: the measurements of docs/results.md."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli import (
    benchmarks,
    description_evaluation,
    labelling_evaluation,
    matching_evaluation,
    search_evaluation,
    search_log,
)
from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch.services.encoder_choice import SHIPPED, chosen_encoder
from jobmatch_core.benchmarks.datasets.found import TASKS, normalization_benchmark
from jobmatch_core.benchmarks.datasets.title_sets import (
    NormalizationReport,
    evaluate_job_normalization,
    read_titles,
    taxonomy_of_titles,
)
from jobmatch_core.benchmarks.experiments.occupation_names import (
    GENDERED_LANGUAGES,
    evaluate_gender_forms,
    evaluate_group_names,
    evaluate_twins,
)
from jobmatch_core.benchmarks.experiments.real_titles import (
    evaluate_own_names,
    evaluate_real_titles,
    read_real_titles,
)
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.linking import open_linker
from jobmatch_core.taxonomy import BUNDLED_ID

LINKER = "linker"
ALL, IN_ENGLISH = "all", "told English"  # the names of which languages the linker matches with vacancy titles
app = typer.Typer(help="Measure on data with known answers.", no_args_is_help=True)
for _name, _task in TASKS.items():
    if _task.help:
        app.command(_name, help=_task.help)(benchmarks.ranking_command(_name))
app.command("compare")(benchmarks.compare)
app.command("overlap")(benchmarks.overlap)
app.command("build-melo")(benchmarks.build_melo)
app.command("matching")(matching_evaluation.matching)
app.command("adverts")(matching_evaluation.adverts)
app.command("search")(search_evaluation.search)
app.command("search-training")(search_evaluation.search_training)
app.command("labelling")(labelling_evaluation.labelling)
app.command("judged-titles")(labelling_evaluation.judged_titles)
app.command("descriptions")(description_evaluation.descriptions)
app.command("faithfulness")(description_evaluation.faithfulness)
app.command("postings")(description_evaluation.postings)
app.command("skill-probe")(description_evaluation.skill_probe)
app.command("search-bias")(search_log.search_bias)

TaxonomyOption = Annotated[str, typer.Option(help="What to link to; see `jobmatch taxonomy list`.")]
EncoderOption = Annotated[str, typer.Option(help="The linker's: another encoder's name, folder or hub:NAME, or none.")]


@app.command("job-normalization")
def job_normalization(
    path: Annotated[Path, typer.Argument(help="A CSV with the columns vacancyTitle and conceptUri.")],
    taxonomy: Annotated[
        str, typer.Option(help="What to link to; ESCO 1.0.3 or ISCO-08 if not given, by the file's URIs.")
    ] = "",
    encoder: EncoderOption = SHIPPED,
    system: benchmarks.SystemOption = None,
    again: benchmarks.AgainOption = False,
    json: JsonOption = False,
) -> None:
    """Rank a taxonomy's occupations for real vacancy titles, and check the linker's probabilities.

    The linker stands there twice: with its probabilities it searches the names of all languages, and under both
    rankings, as in the other benchmarks, it is told that the titles are English.

    Example: jobmatch evaluate job-normalization titles.csv --taxonomy esco-1.0.3
    """
    titles, right = read_titles(path)
    taxonomy = taxonomy or taxonomy_of_titles(path.name, right)
    linker = open_linker(taxonomy, encoder=chosen_encoder(encoder))
    with progress_bar("Linking", hidden=json) as progress:
        report = evaluate_job_normalization(linker, titles, right, progress=progress)
    systems = system or ([LINKER] if encoder == SHIPPED else [])  # under both rankings
    others = benchmarks.measured([normalization_benchmark(path, taxonomy)], systems, again=again, hidden=json)
    if json:
        result = {"dataset": path.stem, "system": linker.system, "taxonomy": taxonomy, "ranking": "by_occupation"}
        in_english = [
            each | ({"languages": IN_ENGLISH} if _is_linker(each["system"]) else {})
            for each in benchmarks.as_json(others)
        ]
        print_json({"results": [result | {"languages": ALL} | asdict(report), *in_english]})
        return
    _print_linker(report, f"{path.name}, {linker.system}; by occupation; languages: {ALL}")
    if others:
        linkers = sorted({each.system for each, _ in others if _is_linker(each.system)})
        benchmarks.print_figures(others, "; ".join(f"{name}: {IN_ENGLISH}" for name in linkers))


def _is_linker(system: str) -> bool:
    return system.partition(":")[0] == LINKER


def _print_linker(report: NormalizationReport, title: str) -> None:
    figures = [(name, f"{value:.4f}") for name, value in asdict(report).items() if isinstance(value, float)]
    print_table(("figure", "value"), [("titles", f"{report.titles:,}"), *figures], title=title)
    bins = [(f"{b.confidence:.2f}", f"{b.accuracy:.2f}", b.count) for b in report.reliability]
    print_table(("mean probability", "share right", "titles"), bins, title="Reliability")
    points = [(f"{p.coverage:.0%}", f"{p.threshold:.2f}", f"{p.risk:.3f}") for p in report.risk_coverage]
    print_table(("linked", "threshold", "share wrong"), points, title="Risk and coverage")


@app.command("real-titles")
def real_titles(
    taxonomy: TaxonomyOption = BUNDLED_ID,
    file: Annotated[
        Path | None, typer.Option(help="Titles of your own: a table with the columns language, title, isco.")
    ] = None,
    names: Annotated[bool, typer.Option(help="Also link the names that the taxonomy itself holds.")] = False,
    json: JsonOption = False,
) -> None:
    """Link everyday and modern titles in 15 languages, and compare their unit groups of ISCO-08.

    Example: jobmatch evaluate real-titles --taxonomy esco-1.2.1 --names
    """
    linker = open_linker(taxonomy)
    with progress_bar("Linking", hidden=json) as progress:
        reports = evaluate_real_titles(linker, read_real_titles(file), progress=progress)
        own = evaluate_own_names(linker, progress=progress) if names else []
    if json:
        results = {"titles": [asdict(each) for each in reports], "names": [asdict(each) for each in own]}
        print_json({"taxonomy": taxonomy, "system": linker.system, "results": results})
        return
    rows = [
        (each.language, each.titles, *(f"{value:.3f}" for value in (each.first, each.linked, each.right, each.ece)))
        for each in reports
    ]
    print_table(("language", "titles", "first right", "linked", "right of linked", "ECE"), rows, title="Titles")
    if own:
        rows_of_names = [(each.language, each.names, f"{each.first:.3f}", f"{each.linked:.3f}") for each in own]
        print_table(("language", "names", "first right", "linked"), rows_of_names, title="Names of one occupation")


@app.command("gender-forms")
def gender_forms(taxonomy: TaxonomyOption, json: JsonOption = False) -> None:
    """Compare the masculine and the feminine form of a taxonomy's own names: first occupation, encoder's ranking.

    Example: jobmatch evaluate gender-forms --taxonomy esco-1.0.3
    """
    linker = open_linker(taxonomy)
    have = set(linker.taxonomy.manifest.languages)
    reports = [evaluate_gender_forms(linker, language) for language in GENDERED_LANGUAGES if language in have]
    twins = [evaluate_twins(linker.taxonomy, shipped_encoder(), report.language) for report in reports]
    if json:
        results = [
            asdict(report) | {"overlap": twin and asdict(twin)} for report, twin in zip(reports, twins, strict=True)
        ]
        print_json({"taxonomy": taxonomy, "results": results})
        return
    rows = [
        (
            report.language,
            report.pairs,
            f"{report.equal:.2%}",
            f"{twin.names:.3f}" if twin else "",
            f"{twin.occupations:.3f}" if twin else "",
            "; ".join("/".join(pair) for pair in report.differing[:3]),
        )
        for report, twin in zip(reports, twins, strict=True)
    ]
    columns = ("language", "pairs", "same occupation", "overlap of names", "of occupations", "differing, for example")
    print_table(columns, rows)


@app.command("group-names")
def group_names(
    folder: Annotated[Path, typer.Argument(help="A folder with ESCO's ISCOGroups_XX.csv files.")],
    json: JsonOption = False,
) -> None:
    """Check the bundled ISCO-08 names against the official group names.

    Example: jobmatch evaluate group-names "ESCO dataset - v1.0.3"
    """
    reports = evaluate_group_names(folder)
    if json:
        print_json({"results": [asdict(report) for report in reports]})
        return
    rows = [
        (
            r.language,
            f"{r.names:,}",
            f"{r.all_right:,}",
            *(f"{x:.1%}" for x in (r.all_at_1, r.all_at_5, r.preferred_at_1)),
        )
        for r in reports
    ]
    print_table(("language", "names", "own group first", "share", "in the first five", "preferred names"), rows)
