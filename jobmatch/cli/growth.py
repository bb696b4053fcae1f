"""`jobmatch bench growth`: time and memory over the size of the data, with the exponents, and pictures."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Annotated, cast

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch_core.benchmarks.growth.growth_curve import Curve
from jobmatch_core.benchmarks.growth.growth_series import GrowthSetting, Series
from jobmatch_core.errors import SettingsError
from jobmatch_core.taxonomy import BUNDLED_ID

GROWTHS = {  # name -> module:function, imported when asked for
    "linking": "jobmatch_core.benchmarks.growth.linking_growth:linking_growth",
    "retrieval": "jobmatch_core.benchmarks.growth.retrieval_growth:retrieval_growth",
    "labels": "jobmatch.services.label_growth:label_growth",
    "maps": "jobmatch_core.benchmarks.growth.map_growth:map_growth",
}

_MARK = "*"


def growth(
    what: Annotated[
        list[str] | None, typer.Argument(help=f"What grows: {', '.join(GROWTHS)}; all where not given.")
    ] = None,
    taxonomy: Annotated[str, typer.Option(help="Whose names are linked to; see `jobmatch taxonomy list`.")] = (
        BUNDLED_ID
    ),
    share: Annotated[float, typer.Option(help="Share of the usual sizes, for a quicker look.")] = 1.0,
    out: Annotated[
        Path | None, typer.Option(help="A folder for the pictures, growth-NAME.svg; none are drawn where not given.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Measure time and memory over growing data, and fit the power that they grow with.

    Example: jobmatch bench growth linking --taxonomy esco-1.0.3 --out pictures
    """
    from jobmatch_core.benchmarks.growth.growth_picture import check_pictures, save_growth_picture
    from jobmatch_core.benchmarks.growth.growth_runner import measured_curves

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
            _print(curves[name], name)
    if json:
        print_json({name: [_record(curve) for curve in found] for name, found in curves.items()})


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


def _print(curves: Sequence[Curve], name: str) -> None:
    for series, group in groupby(curves, key=lambda curve: curve.series):
        found = list(group)
        clock = "seconds" if found[0].by_wall else "seconds of processor time"
        columns = ("step", *(f"{size:,}" for size in found[0].sizes), "exponent", "at the end", "of memory")
        title = f"Growth of {name}: {series}; {clock}, MB; {_MARK} faster than n log n"
        print_table(columns, [_row(curve) for curve in found], title=title)


def _row(curve: Curve) -> list[str]:
    cells = [f"{seconds:.3g} s {peak:,.0f} MB" for seconds, peak in zip(curve.seconds, curve.peaks, strict=True)]
    mark = _MARK if curve.faster_than_linearithmic else ""
    exponents = (f"{curve.exponent:.2f}{mark}", f"{curve.last_exponent:.2f}", f"{curve.memory_exponent:.2f}")
    return [curve.step, *cells, *exponents]
