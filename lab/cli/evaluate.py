"""`python -m lab evaluate`: the experiments of the papers and of the design, on data with known answers."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.linking import open_linker
from jobmatch_core.taxonomy import BUNDLED_ID
from lab.cli import crosswalks, description_evaluation, judged_titles, skills
from lab.experiments.heading_weights import fit_heading_weights
from lab.experiments.occupation_names import (
    GENDERED_LANGUAGES,
    evaluate_gender_forms,
    evaluate_group_names,
    evaluate_twins,
)
from lab.experiments.real_titles import evaluate_own_names, evaluate_real_titles, read_real_titles

TaxonomyOption = Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")]
app = typer.Typer(help="Run the experiments of the papers and of the design.", no_args_is_help=True)
app.command("judged-titles")(judged_titles.judged_titles)
app.command("descriptions")(description_evaluation.descriptions)
app.command("faithfulness")(description_evaluation.faithfulness)
app.command("postings")(description_evaluation.postings)
app.command("skills")(skills.skills)
app.command("crosswalks")(crosswalks.crosswalks)
app.command("mapping-time")(crosswalks.mapping_time)


@app.command("real-titles")
def real_titles(
    taxonomy: TaxonomyOption = BUNDLED_ID,
    file: Annotated[
        Path | None, typer.Option(help="Titles of your own: a table with language, title, isco, and maybe kind.")
    ] = None,
    names: Annotated[bool, typer.Option(help="Also link the taxonomy's own names.")] = False,
    json: JsonOption = False,
) -> None:
    """Link everyday and modern titles in 15 languages, and compare their unit groups of ISCO-08.

    Example: python -m lab evaluate real-titles --taxonomy esco-1.2.1 --names
    """
    linker = open_linker(taxonomy)
    with progress_bar("Linking", hidden=json) as progress:
        reports = evaluate_real_titles(linker, read_real_titles(file), progress=progress)
        own = evaluate_own_names(linker, progress=progress) if names else []
    if json:
        results = {"titles": [asdict(report) for report in reports], "names": [asdict(names) for names in own]}
        print_json({"taxonomy": taxonomy, "system": linker.system, "results": results})
        return
    rows = [
        (
            report.language,
            report.titles,
            *(f"{value:.3f}" for value in (report.first, report.linked, report.right, report.ece)),
        )
        for report in reports
    ]
    print_table(("language", "titles", "first right", "linked", "right of linked", "ECE"), rows, title="Titles")
    if own:
        rows_of_names = [(names.language, names.names, f"{names.first:.3f}", f"{names.linked:.3f}") for names in own]
        print_table(("language", "names", "first right", "linked"), rows_of_names, title="Names of one occupation")


@app.command("headings")
def headings(
    files: Annotated[list[Path], typer.Argument(help="Tables with language, title, isco, and maybe kind.")],
    taxonomy: TaxonomyOption = "esco-1.0.3",
    kind: Annotated[list[str] | None, typer.Option(help="Fit on the titles of this kind alone; repeat it.")] = None,
) -> None:
    """Fit how the whole title of an advert and its best part count (`linking/headings`).

    Example: python -m lab evaluate headings lab/experiments/further_titles_3.csv --kind read
    """
    titles = [title for file in files for title in read_real_titles(file) if not kind or title.kind in kind]
    weights = fit_heading_weights(open_linker(taxonomy), titles)
    columns = ("headings", "whole", "part", "no job")
    print_table(columns, [(weights.headings, f"{weights.whole:.2f}", f"{weights.part:.2f}", f"{weights.no_job:.2f}")])


@app.command("gender-forms")
def gender_forms(taxonomy: TaxonomyOption, json: JsonOption = False) -> None:
    """Compare the masculine and the feminine form of a taxonomy's own names: first occupation, encoder's ranking.

    Example: python -m lab evaluate gender-forms --taxonomy esco-1.0.3
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

    Example: python -m lab evaluate group-names "ESCO dataset - v1.0.3"
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
