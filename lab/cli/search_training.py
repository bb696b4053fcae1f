"""`python -m lab evaluate search-training`: what the training of search encoders owes to its parts."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption
from jobmatch.cli.output import print_json, print_table, progress_bar
from jobmatch_core.errors import SettingsError
from lab.experiments.search_claims import CLAIMS, NEEDS_TRANSFORMER, ClaimRow, SearchClaims, Spread
from lab.experiments.search_training_sets import search_training_sets


def search_training(
    data: Annotated[
        list[Path],
        typer.Argument(
            help="Folders with XGLUE's query-ad, query-passage and XNLI, esXNLI, SICK-NL, NTREX and Tatoeba."
        ),
    ],
    seeds: Annotated[int, typer.Option(min=1, help="Number of trainings of each setting.")] = 3,
    only: Annotated[list[str] | None, typer.Option(help="A claim to test; may be repeated. All by default.")] = None,
    transformer: Annotated[
        str, typer.Option(help="Transformer of teacher and student; without it, this claim is skipped.")
    ] = "",
    json: JsonOption = False,
) -> None:
    """Try the claims of the search encoder's paper with small trainings over the title encoder.

    Claims: tasks, negatives, schedules, dimensions, attention, student. Differences are from the first row.

    Example: python -m lab evaluate search-training search nli parallel --only tasks
    """
    claims = _checked_claims(only or (), transformer)
    sets = search_training_sets(data)
    tried = {}
    with TemporaryDirectory() as folder, progress_bar("Trying", hidden=json) as progress:
        experiment = SearchClaims(sets, Path(folder), seeds=seeds, transformer=transformer)
        for done, claim in enumerate(claims):
            progress(done, len(claims))
            tried[claim] = experiment.rows(claim)
            if not json:
                _print_claim(claim, tried[claim])
    if json:
        sizes = {name: len(pairs) for name, pairs in sets.training.items()}
        tests = [
            {"set": test.name, "language": getattr(test, "language", ""), "pairs": len(test.pairs)}
            for test in sets.tests
        ]
        results = {claim: [asdict(row) for row in rows] for claim, rows in tried.items()}
        print_json({"training": sizes, "tests": tests, "seeds": seeds, "results": results})


def _checked_claims(only: Sequence[str], transformer: str) -> list[str]:
    """Return the claims to try.

    Raises:
        SettingsError: there is no such claim, or it needs a transformer and none is given.
    """
    if unknown := [claim for claim in only if claim not in CLAIMS]:
        raise SettingsError(f"There is no claim {unknown[0]!r}; choose from {', '.join(CLAIMS)}.")
    if NEEDS_TRANSFORMER in only and not transformer:
        raise SettingsError("The student is taught over a transformer; name one with --transformer.")
    return list(dict.fromkeys(only)) or [claim for claim in CLAIMS if transformer or claim != NEEDS_TRANSFORMER]


def _print_claim(claim: str, rows: Sequence[ClaimRow]) -> None:
    cells = [
        (name, row.setting, _spread(row.figures.get(name)), _spread(row.differences.get(name)))
        for name in rows[0].figures
        for row in rows
    ]
    heads = ("figure", "setting", "mean (95 %)", f"less {rows[0].setting}")
    print_table(heads, cells, title=f"{claim}: {rows[0].seeds} seeds")
    if rows[0].curve:
        shares = [share for share, _ in rows[0].curve]
        losses = zip(*([f"{loss:.3f}" for _, loss in row.curve] for row in rows), strict=True)
        points = [(f"{share:.0%}", *losses_there) for share, losses_there in zip(shares, losses, strict=True)]
        print_table(("trained", *(row.setting for row in rows)), points, title=f"{claim}: mean held-out loss")


def _spread(value: Spread | None) -> str:
    if value is None:
        return "-"
    return f"{value.mean:.3f}" + ("" if value.low is None else f" ({value.low:.3f} to {value.high:.3f})")
