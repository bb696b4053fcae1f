"""`python -m lab bench`: speed, size and growth, compared in the same run with what a user would otherwise pick."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import import_module
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, cast

import typer

from jobmatch.cli.options import JsonOption, PostingModelOption
from jobmatch.cli.output import print_figures, print_json, print_table, progress_bar
from jobmatch.services.shipped_files import recipe_file
from jobmatch_core.engines import LOCAL, opened_engine
from jobmatch_core.errors import SettingsError
from jobmatch_core.linking.store import LinkerSpec
from jobmatch_core.quotas import Quotas
from jobmatch_core.taxonomy import BUNDLED_ID
from lab.cli.crosswalks import crosswalk
from lab.growth.growth_curve import Curve
from lab.growth.growth_series import GrowthSetting, Series
from lab.speed.encode_speed import measure_encode_speed

GROWTHS = {  # name -> module:function, imported when asked for
    "linking": "lab.growth.linking_growth:linking_growth",
    "retrieval": "lab.growth.retrieval_growth:retrieval_growth",
    "labels": "lab.growth.label_growth:label_growth",
    "maps": "lab.growth.map_growth:map_growth",
}

_MARK = "*"
_SHARES = (("ann", 0.25), ("bob", 0.25), ("cem", 0.2), ("dora", 0.2), ("eva", 0.1))
AgainstOption = Annotated[
    str, typer.Option(help="An encoder to compare with: name, folder or hub:NAME; all-MiniLM-L6-v2 if installed.")
]


def growth(
    what: Annotated[list[str] | None, typer.Argument(help=f"What grows: {', '.join(GROWTHS)}; all by default.")] = None,
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = (BUNDLED_ID),
    share: Annotated[float, typer.Option(help="Share of the usual sizes, for a quicker run.")] = 1.0,
    out: Annotated[
        Path | None, typer.Option(help="Folder for the charts growth-NAME.svg; no charts by default.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure time and memory over growing data, and fit the power that they grow with.

    Example: python -m lab bench growth linking --taxonomy esco-1.0.3 --out pictures
    """
    from lab.growth.growth_curve import check_pictures, save_growth_picture
    from lab.growth.growth_series import measured_curves

    names = list(dict.fromkeys(what or GROWTHS))
    if unknown := [name for name in names if name not in GROWTHS]:
        raise SettingsError(f"There is no growth of {unknown[0]!r}; choose of {', '.join(GROWTHS)}.")
    setting = GrowthSetting(taxonomy, share)
    series = {name: _measure_of(name)(setting) for name in names}  # all of them are known to be possible first
    if out:
        check_pictures(out)
    curves: dict[str, list[Curve]] = {}
    for name in names:
        with progress_bar(f"Measuring {name}", hidden=json) as progress:
            curves[name] = measured_curves(series[name], progress=progress)
        if out:
            save_growth_picture(curves[name], f"Growth of {name}", out / f"growth-{name}.svg")
        if not json:
            _print_growth(curves[name], name)
    if json:
        print_json({name: [_record(curve) for curve in group] for name, group in curves.items()})


def _measure_of(name: str) -> Callable[[GrowthSetting], list[Series]]:
    module, _, function = GROWTHS[name].partition(":")
    return cast("Callable[[GrowthSetting], list[Series]]", getattr(import_module(module), function))


def _record(curve: Curve) -> dict[str, object]:
    return asdict(curve) | {
        "exponent": curve.exponent,
        "last_exponent": curve.last_exponent,
        "memory_exponent": curve.memory_exponent,
        "faster_than_linearithmic": curve.faster_than_linearithmic,
    }


def _print_growth(curves: Sequence[Curve], name: str) -> None:
    for series, group in groupby(curves, key=lambda curve: curve.series):
        members = list(group)
        clock = "seconds" if members[0].by_wall else "seconds of processor time"
        columns = ("step", *(f"{size:,}" for size in members[0].sizes), "exponent", "at the end", "of memory")
        title = f"Growth of {name}: {series}; {clock}, MB; {_MARK} faster than n log n"
        print_table(columns, [_row(curve) for curve in members], title=title)


def _row(curve: Curve) -> list[str]:
    cells = [f"{seconds:.3g} s {peak:,.0f} MB" for seconds, peak in zip(curve.seconds, curve.peaks, strict=True)]
    mark = _MARK if curve.faster_than_linearithmic else ""
    exponents = (f"{curve.exponent:.2f}{mark}", f"{curve.last_exponent:.2f}", f"{curve.memory_exponent:.2f}")
    return [curve.step, *cells, *exponents]


app = typer.Typer(help="Measure speed and size.", no_args_is_help=True)
app.command()(growth)
app.command()(crosswalk)


@app.callback()
def _group() -> None:
    """Measure speed and size."""


@app.command()
def encode(against: AgainstOption = "", json: JsonOption = False) -> None:
    """Measure the title encoder's speed, size and memory, beside a transformer over the same titles.

    Example: python -m lab bench encode --json
    """
    with progress_bar("Encoding", hidden=json) as progress:
        speed = measure_encode_speed(against, progress=progress)
    print_figures(asdict(speed), json=json)


@app.command()
def parts(
    rows: Annotated[int, typer.Option(min=1, help="Number of rows; ten million take 0.4 GB.")] = 1_000_000,
    titles: Annotated[int, typer.Option(min=2, help="Number of distinct titles, some frequent, most rare.")] = (
        1_000_000
    ),
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    workers: Annotated[int, typer.Option(min=0, help="Number of worker processes; 0 for one per core.")] = 2,
    json: JsonOption = False,
) -> None:
    """Measure how fast a large table is linked part by part, and the memory, over made-up titles.

    Example: python -m lab bench parts --rows 10000000 --json
    """
    from lab.speed.parts_speed import measure_parts_speed

    spec = LinkerSpec(taxonomy)
    spec.open()
    with opened_engine(LOCAL, workers) as engine, progress_bar("Linking", hidden=json) as progress:
        speed = measure_parts_speed(spec, engine, rows, titles, progress=progress)
    print_figures(asdict(speed), json=json)


@app.command()
def serve(
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    requests: Annotated[int, typer.Option(min=320, help="Number of requests of 32 clients.")] = 3200,
    beside: Annotated[
        str, typer.Option(metavar="URL", help="A running reconciliation service that gets the same batches.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Measure the server with one client and with 32 at once.

    Example: python -m lab bench serve --taxonomy esco-1.0.3 --json
    """
    from lab.speed.serve_speed import measure_serve_speed

    with progress_bar("Measuring", hidden=json) as progress:
        speed = measure_serve_speed(taxonomy, requests=requests, beside=beside, progress=progress)
    print_figures(asdict(speed), json=json)


@app.command()
def desk(
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    keys: Annotated[int, typer.Option(min=1, max=100, help="Number of presses of each key.")] = 10,
    json: JsonOption = False,
) -> None:
    """Measure the review desk in Chromium: a workbook of 376 rows, keys, a correction, rows in sight, page changes.

    Example: python -m lab bench desk --taxonomy esco-1.0.3 --json
    """
    from lab.speed.desk_speed import measure_desk_speed  # playwright is a dependency of the development alone

    with progress_bar("Measuring", hidden=json) as progress:
        speed = asdict(measure_desk_speed(taxonomy, keys=keys, progress=progress))
    by_key = {name: speed.pop(name) for name in ("skip", "accept")}
    speed |= {f"{name}_{figure}": value for name, key in by_key.items() for figure, value in key.items()}
    print_figures(speed, json=json)


@app.command()
def labelling(
    draws: Annotated[int, typer.Option(min=20, max=200_000, help="Total number of pairs drawn.")] = 10_000,
    judgments: Annotated[int, typer.Option(min=1, max=4, help="Number of judgments per pair.")] = 2,
    anyone: Annotated[
        bool, typer.Option("--anyone", help="Anyone takes the next pair, instead of 'my queue'.")
    ] = False,
    store: Annotated[
        str, typer.Option(help="An empty label store, path or URL of PostgreSQL; a temporary file by default.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Measure how five annotators, each in a process of their own, share pairs by quotas.

    Example: python -m lab bench labelling --judgments 3 --json
    """
    from lab.speed.simulated_annotators import simulate_annotators

    with TemporaryDirectory() as folder:
        where, quotas = store or Path(folder) / "labels.db", Quotas(judgments, _SHARES)
        work = simulate_annotators(where, quotas, draws // judgments, own_share=not anyone)
    print_figures(asdict(work), json=json)


@app.command()
def match(
    freelancers: Annotated[int, typer.Option(min=100, help="Number of freelancers; a million take 5 GB of disk.")] = (
        100_000
    ),
    model: Annotated[
        str, typer.Option(help="Towers, by name or folder, or untrained; the latest trained ones by default.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Measure start, one project, updates and memory, beside an argsort over everything.

    Example: python -m lab bench match --freelancers 1000000 --json
    """
    from lab.speed.match_speed import measure_match_speed

    with progress_bar("Measuring", hidden=json) as progress:
        speed = measure_match_speed(freelancers, model, progress=progress)
    print_figures(asdict(speed), json=json)


@app.command()
def retraining(
    recipe: Annotated[Path, typer.Argument(parser=recipe_file, help="A TOML file; see recipes/towers/retrain.toml.")],
    judgments: Annotated[
        int, typer.Option(min=20, max=20_000, help="Number of judgments made from the ground truth.")
    ] = 1000,
    json: JsonOption = False,
) -> None:
    """Measure the way from new judgments to a promoted model, on a demo marketplace made in a temporary folder.

    Example: python -m lab bench retraining recipes/towers/retrain.toml --json
    """
    from jobmatch_core.towers.tower_recipe import read_tower_recipe
    from lab.speed.retraining_speed import measure_retraining  # torch takes seconds

    with progress_bar("Measuring", hidden=json) as progress:
        speed = measure_retraining(read_tower_recipe(recipe), judgments, progress=progress)
    print_figures(asdict(speed), json=json)


@app.command()
def describe(model: PostingModelOption = "", against: AgainstOption = "", json: JsonOption = False) -> None:
    """Measure how fast postings are described, beside the mean of a transformer's sentence vectors.

    Example: python -m lab bench describe --json
    """
    from lab.speed.describe_speed import measure_describe_speed  # torch takes seconds

    with progress_bar("Measuring", hidden=json) as progress:
        speed = measure_describe_speed(model, against, progress=progress)
    print_figures(asdict(speed), json=json)


@app.command()
def requests(
    taxonomy: Annotated[str, typer.Option(help="Taxonomy to link to; see `jobmatch taxonomy list`.")] = BUNDLED_ID,
    marketplace: Annotated[str, typer.Option(help="Marketplace to search.")] = "demo",
    json: JsonOption = False,
) -> None:
    """Measure the processor time of the dearest requests that the server accepts.

    Example: python -m lab bench requests --taxonomy esco-1.0.3
    """
    from jobmatch.services.linking import linking_service
    from lab.speed.dearest_requests import measure_requests

    with progress_bar("Measuring", hidden=json) as progress:
        costs = measure_requests(linking_service(), taxonomy, marketplace, progress=progress)
    if json:
        print_json({"requests": [asdict(cost) for cost in costs]})
    else:
        print_table(
            ("route", "request", "CPU seconds", "answer, kB"),
            [(cost.route, cost.what, f"{cost.cpu_s:.2f}", f"{cost.answer_kb:,.0f}") for cost in costs],
        )
