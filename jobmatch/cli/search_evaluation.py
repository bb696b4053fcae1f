"""`jobmatch evaluate search`: search quality of encoders and baselines."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar, three_decimals
from jobmatch.cli.places import print_home
from jobmatch_core.benchmarks.datasets.search_sets import PUBLIC_SETS, check_folders, public_sets
from jobmatch_core.benchmarks.retrieval.search_experiment import FIGURE_LABELS, SystemRow, baselines, evaluate_search
from jobmatch_core.benchmarks.retrieval.search_queries import own_set
from jobmatch_core.benchmarks.retrieval.search_runs import OWN_SETS, keep_search_rows, search_run_store
from jobmatch_core.errors import SettingsError
from jobmatch_core.model_store.model_spec import SEARCH, TITLES
from jobmatch_core.search.search_models import load_beside, load_search_encoder
from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore


def search(
    encoder: Annotated[
        list[str] | None, typer.Option(help="Encoder to measure: a name, a folder or hub:NAME; may be repeated.")
    ] = None,
    data: Annotated[list[Path] | None, typer.Option(help="Folder with public sets; may be repeated.")] = None,
    only: Annotated[list[str] | None, typer.Option("--set", help="Set to measure on; may be repeated.")] = None,
    taxonomy: Annotated[str, typer.Option(help="Release of ESCO to search; 1.0.3 by default.")] = "",
    json: JsonOption = False,
) -> None:
    """Measure search by encoders, edit distance, BM25 and at random, on own and public sets.

    The own sets have 200 queries about tasks over an installed ESCO and 100 short ones over the demo marketplace. The
    page 'Scoreboard' shows the figures.

    Example: jobmatch evaluate search --encoder titles --data search
    """
    names = _checked_names(only or (), data or ())
    settings = Settings.from_environment()
    words = dict.fromkeys(encoder or [TITLES, SEARCH])
    encoders = [load_search_encoder(word, settings, cached=True) for word in words]
    store = TaxonomyStore.open(settings)
    systems, rows = baselines(encoders, load_beside(settings)), list[SystemRow]()
    with progress_bar("Measuring", hidden=json) as progress:
        for done, name in enumerate(names):
            progress(done, len(names))
            sets = [own_set(name, store, taxonomy)] if name in OWN_SETS else public_sets(data or (), name)
            measured = evaluate_search(sets, systems)
            keep_search_rows(measured, search_run_store(settings))
            rows += measured
    print_home(settings)
    if json:
        print_json({"results": [asdict(row) for row in rows]})
        return
    for name in dict.fromkeys(row.set for row in rows):
        _print_set(name, [row for row in rows if row.set == name])


def _checked_names(only: Sequence[str], data: Sequence[Path]) -> list[str]:
    """Return the names of the sets to measure on.

    Raises:
        SettingsError: there is no such set, or it is public and no folder is given.
        DataFileError: a folder is empty.
    """
    if unknown := [name for name in only if name not in (*OWN_SETS, *PUBLIC_SETS)]:
        raise SettingsError(f"There is no set {unknown[0]!r}; choose from {', '.join((*OWN_SETS, *PUBLIC_SETS))}.")
    check_folders(data)
    if not data and (public := [name for name in only if name in PUBLIC_SETS]):
        raise SettingsError(f"The set {public[0]!r} is public; give the folder with its files as --data.")
    return list(dict.fromkeys(only or (*OWN_SETS, *(PUBLIC_SETS if data else ()))))


def _print_set(name: str, rows: Sequence[SystemRow]) -> None:
    figures = [key for key in FIGURE_LABELS if any(key in row.figures for row in rows)]
    cells = [
        (
            row.system,
            *(three_decimals(row.figures.get(key)) for key in figures),
            f"{row.low:.3f} to {row.high:.3f}",
            f"{row.seconds:,.1f}",
        )
        for row in rows
    ]
    heads = ("system", *(FIGURE_LABELS[key] for key in figures), "95%", "s")
    print_table(heads, cells, title=f"{name}: {rows[0].n:,}")
    languages = list(rows[0].languages)
    if len(languages) > 1:
        by_language = [
            (row.system, *(three_decimals(row.languages.get(language)) for language in languages)) for row in rows
        ]
        print_table(("system", *languages), by_language, title=f"{name}, by language")
