"""`jobmatch search-log`: status, export for training, online comparison and erasure of the search log."""

import getpass
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_line, print_result, print_table, print_warning
from jobmatch.cli.places import open_labels
from jobmatch.services.search_log import comparison_credit, export_pairs, training_pairs
from jobmatch_core.model_store.model_spec import ModelKind, find_model
from jobmatch_core.retraining.online_comparison import (
    is_running,
    latest_comparison,
    start_comparison,
    stop_comparison,
)
from jobmatch_core.search.position_bias import PositionBias, position_bias
from jobmatch_core.settings import Settings

app = typer.Typer(help="Show, export or erase the search log, and compare two models by it.", no_args_is_help=True)


@app.command()
def status(json: JsonOption = False) -> None:
    """Show the size and age of the log, and the position bias, estimated from swaps.

    Example: jobmatch search-log status
    """
    settings = Settings.from_environment()
    with open_labels(settings) as store:
        size = store.search_log_size()
        bias = position_bias(store.searches(), store.search_choices())
    days = {name: day.isoformat() if day else None for name, day in (("oldest", size.oldest), ("newest", size.newest))}
    if json:
        counts = {"searches": size.searches, "choices": size.choices, **days, "keep_days": settings.keep_days}
        print_json(counts | asdict(bias))
        return
    if not size.searches:
        print_line("No search is stored. Each user switches the log on for themselves, on the page 'Search'.")
        return
    oldest, newest = (str(day)[:16] for day in days.values())
    print_line(f"{size.searches:,} searches from {oldest} to {newest}, {size.choices:,} choices.")
    duration = f"for {settings.keep_days} days (JOBMATCH_KEEP_DAYS)" if settings.keep_days else "for ever"
    print_line(f"They are stored {duration}.")
    _print_bias(bias)


@app.command()
def export(
    out: Annotated[Path, typer.Argument(help="Output, a .jsonl file.")],
    uncorrected: Annotated[bool, typer.Option("--uncorrected", help="Give all choices the same weight.")] = False,
    json: JsonOption = False,
) -> None:
    """Write queries and opened results as pairs, weighted against position bias.

    Example: jobmatch search-log export pairs.jsonl
    """
    settings = Settings.from_environment()
    with open_labels(settings) as store:
        pairs = training_pairs(store, settings, corrected=not uncorrected)
        gone = store.search_log_size().choices - len(pairs)
    export_pairs(out, pairs)
    left_out = f"; {gone:,} choices are of removed items" if gone else ""
    result = {"out": str(out), "pairs": len(pairs), "gone": gone, "corrected": not uncorrected}
    print_result(result, f"Wrote {len(pairs):,} pairs: {out}{left_out}", json=json)


@app.command()
def erase(
    older_than_days: Annotated[
        int | None, typer.Option(min=0, help="Only searches older than this; all by default.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
    json: JsonOption = False,
) -> None:
    """Delete the stored searches of all users of this label store permanently.

    Example: jobmatch search-log erase --yes
    """
    with open_labels(Settings.from_environment()) as store:
        size = store.search_log_size()
        what = f"the searches older than {older_than_days} days" if older_than_days is not None else "all of them"
        if not yes and size.searches:
            typer.confirm(f"{size.searches:,} searches are stored. Erase {what} permanently?", abort=True, err=True)
        erased = store.erase_searches(older_than_days)
    if json:
        print_json({"erased": erased.count, "remains": erased.remains})
        return
    print_line(f"Erased {erased.count:,} searches.")
    if erased.remains:
        print_warning(erased.remains)


@app.command()
def compare(
    candidate: Annotated[str, typer.Argument(help="Search model or towers to compare with those in use.")] = "",
    stop: Annotated[bool, typer.Option("--stop", help="Stop the comparison that runs.")] = False,
    json: JsonOption = False,
) -> None:
    """Start an online comparison of two search models, or two towers, show its state, or stop it.

    People who switched the log on see results of both models, mixed. A search is won by the model of which more
    results were opened. Without a model, the state of the latest comparison is shown.

    Example: jobmatch search-log compare search-log
    """
    settings = Settings.from_environment()
    if candidate and stop:
        raise typer.BadParameter("Give a model to start a comparison, or --stop to end it, not both.")
    with open_labels(settings) as store:
        if candidate:
            model = find_model(candidate, settings, ModelKind.SEARCH, ModelKind.ENCODER, ModelKind.TOWERS)
            kind = ModelKind.TOWERS if model.kind is ModelKind.TOWERS else ModelKind.SEARCH
            start_comparison(kind, model.word, settings, who=getpass.getuser())
        elif stop:
            stop_comparison(settings)
        comparison = latest_comparison(settings)
        if comparison is None:
            print_line("No online comparison has been started. Start one: jobmatch search-log compare MODEL")
            return
        result = comparison_credit(store, comparison)
    runs = is_running(comparison, settings)
    if json:
        print_json(
            {"runs": runs, "comparison": asdict(comparison), "credit": asdict(result), "verdict": result.verdict}
        )
        return
    state = "runs" if runs else "has ended"
    print_line(f"{comparison.candidate} against {comparison.in_use}, since {comparison.started[:16]}, {state}.")
    print_line(f"{result.searches:,} searches with results of both, something opened in {result.opened:,}.")
    print_line(result.verdict)


def _print_bias(bias: PositionBias) -> None:
    counts = zip(bias.upper, bias.lower, strict=True)
    rows = [
        (f"{rank} and {rank + 1}", upper, lower, f"{bias.propensities[rank]:.2f}", f"{bias.weight(rank + 1):.2f}")
        for rank, (upper, lower) in enumerate(counts, start=1)
    ]
    heads = ("neighbours", "first opened", "second opened", "second looked at", "weight")
    print_table(heads, rows, title="Position bias: how often each rank is looked at, the first being 1")
