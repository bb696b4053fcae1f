"""`python -m lab evaluate crosswalks` and `mapping-time`, `train relations` and `bench crosswalk`."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_figures, print_json, print_line, print_table, progress_bar
from jobmatch_core.benchmarks.datasets.melo import FILE
from jobmatch_core.crosswalks.mapping import PREDICTED
from jobmatch_core.crosswalks.relation_model import read_relation_model, shipped_relation_model
from jobmatch_core.encoders.loading import shipped_encoder
from jobmatch_core.errors import DataFileError
from jobmatch_core.io.folders import write_text_whole
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking import open_linker
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.locales import ENGLISH, checked_language

EscoOption = Annotated[str, typer.Option(help="ESCO with names in the languages of the crosswalks.")]


def crosswalks(
    folder: Annotated[Path, typer.Argument(help="Folder of crosswalks, such as deu_de/crosswalk.json.")],
    taxonomy: EscoOption = "esco-1.0.3",
    model: Annotated[
        Path | None, typer.Option(help="File of a model of relations; the shipped one by default.")
    ] = None,
    proposals: Annotated[bool, typer.Option("--proposals", help="Also propose mappings for all codes.")] = False,
    json: JsonOption = False,
) -> None:
    """Predict the relations of national crosswalks' pairs, beside the majority and rules by hand.

    Example: python -m lab evaluate crosswalks melo/crosswalks --taxonomy esco-1.0.3
    """
    from lab.experiments.crosswalk_relations import evaluate_proposals, evaluate_relations

    paths = _crosswalks_in(folder)
    used = read_relation_model(model) if model else shipped_relation_model()
    reports = list(evaluate_relations(paths, TaxonomyStore.open().load(taxonomy), used, shipped_encoder()))
    proposed = list(evaluate_proposals(paths, open_linker(taxonomy), used)) if proposals else []
    unseen = [report for report in reports if report.unseen]
    means = {
        name: sum(getattr(report, name) for report in unseen) / len(unseen) if unseen else None
        for name in ("majority", "rules", "model")
    }
    if json:
        results = {"relations": [asdict(r) for r in reports], "proposals": [asdict(r) for r in proposed]}
        print_json({"taxonomy": taxonomy, "unseen": means, **results})
        return
    columns = ("crosswalk", "unseen", "turned", "pairs", "majority", "rules", "model", *PREDICTED, "ECE")
    rows = [
        (
            r.country,
            "yes" if r.unseen else "",
            "yes" if r.turned else "",
            f"{r.pairs:,}",
            *(f"{value:.3f}" for value in (r.majority, r.rules, r.model, *r.by_relation, r.calibration_error)),
        )
        for r in reports
    ]
    print_table(columns, rows, title="Macro F1 of the relation of right pairs, and F1 of each relation")
    if unseen:
        print_line(f"Mean of unseen ones: {', '.join(f'{name} {value:.3f}' for name, value in means.items())}")
    if proposed:
        shares = [
            (p.country, f"{p.proposed:,}", *(f"{v:.3f}" for v in (p.right, p.found, p.with_relation))) for p in proposed
        ]
        print_table(("crosswalk", "proposed", "right", "found", "right relation"), shares, title="Proposals")


def mapping_time(
    folder: Annotated[Path, typer.Argument(help="Folder of crosswalks, such as deu_de/crosswalk.json.")],
    taxonomy: EscoOption = "esco-1.0.3",
    json: JsonOption = False,
) -> None:
    """Simulate the minutes for 100 codes of each country, at the desk and with a search of names alone.

    Example: python -m lab evaluate mapping-time melo/crosswalks --taxonomy esco-1.0.3
    """
    from lab.experiments.mapping_time import mapping_times

    times = list(mapping_times(_crosswalks_in(folder), open_linker(taxonomy)))
    shares = {
        name: sum(time.desk / time.names for time in part) / len(part)
        for name, part in (("all", times), ("unseen", [time for time in times if time.unseen]))
        if part
    }
    if json:
        print_json({"taxonomy": taxonomy, "desk_to_names": shares, "countries": [asdict(time) for time in times]})
        return
    rows = [
        (
            t.country,
            "yes" if t.unseen else "",
            t.codes,
            *(f"{value:.1f}" for value in (t.desk, t.names)),
            f"{t.desk / t.names:.2f}",
            f"{t.confirmed:.2f}",
        )
        for t in times
    ]
    print_table(
        ("crosswalk", "unseen", "codes", "desk", "names", "share", "confirmed"), rows, title="Minutes for 100 codes"
    )
    print_line(f"Desk to names: {', '.join(f'{name} {value:.2f}' for name, value in shares.items())}")


def _crosswalks_in(folder: Path) -> list[Path]:
    paths = sorted(path for path in folder.iterdir() if (path / FILE).is_file()) if folder.is_dir() else []
    if not paths:
        raise DataFileError(folder, f"no folder in it holds {FILE}")
    return paths


def relations(
    taxonomy: EscoOption = "esco-1.0.3",
    later: Annotated[str, typer.Option(help="Later release of ESCO, with codes.")] = "esco-1.2.1",
    out: Annotated[Path | None, typer.Option(help="File of the model; the shipped one by default.")] = None,
    language: Annotated[list[str] | None, typer.Option(help="Languages of simulated lists; ten by default.")] = None,
    json: JsonOption = False,
) -> None:
    """Train the model of relations that comes with jobmatch, on lists simulated from ESCO.

    Example: python -m lab train relations --taxonomy esco-1.0.3 --later esco-1.2.1
    """
    from lab.shipping.relation_training import LANGUAGES, shipped_relation_file, train_relation_model

    store, file = TaxonomyStore.open(), out or shipped_relation_file()
    languages = [checked_language(code) for code in language or LANGUAGES]
    with progress_bar("Simulating lists", hidden=json) as progress:
        model = train_relation_model(
            store.load(taxonomy), store.load(later), shipped_encoder(), languages, progress=progress
        )
    write_text_whole(file, json_text(asdict(model)) + "\n")
    figures = {"file": str(file), "temperature": model.relations.temperature}
    print_json(figures) if json else print_figures(figures, json=False)


def crosswalk(
    taxonomy: Annotated[str, typer.Option(help="Target taxonomy.")] = "esco-1.2.1",
    codes: Annotated[int, typer.Option(min=1, help="Codes of the source list.")] = 5000,
    language: Annotated[str, typer.Option(help="Language of the codes' names.")] = ENGLISH,
    json: JsonOption = False,
) -> None:
    """Measure the time from a list of codes to proposed mappings.

    Example: python -m lab bench crosswalk --taxonomy esco-1.2.1 --codes 5000
    """
    from lab.speed.crosswalk_speed import measure_crosswalk_speed

    print_figures(asdict(measure_crosswalk_speed(open_linker(taxonomy), codes, checked_language(language))), json=json)
