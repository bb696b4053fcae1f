"""`python -m lab evaluate labelling|judged-titles`: what judgments bring, simulated with an oracle."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from jobmatch.cli.options import JsonOption, SeedOption
from jobmatch.cli.output import print_json, print_line, print_table, progress_bar
from jobmatch_core.errors import SettingsError
from jobmatch_core.linking import open_linker


def labelling(
    policy: Annotated[
        list[str] | None, typer.Option(help="A queue policy; may be repeated. All but second opinions by default.")
    ] = None,
    rounds: Annotated[int, typer.Option(min=1, max=50, help="Number of rounds of judging and retraining.")] = 10,
    per_round: Annotated[int, typer.Option(min=10, max=2000, help="Judgments per round.")] = 200,
    seeds: Annotated[int, typer.Option(min=1, max=20, help="Number of synthetic marketplaces.")] = 3,
    history: Annotated[bool, typer.Option(help="Learn from the marketplace's older interactions, too.")] = True,
    json: JsonOption = False,
) -> None:
    """Let an oracle judge what each queue policy picks, retrain after each round, and measure how good the towers are.

    Each round is stored under JOBMATCH_HOME/evaluations/labelling when it is complete; the same command resumes.

    Example: python -m lab evaluate labelling --rounds 2 --seeds 1 --policy random --policy uncertain
    """
    from lab.experiments.closed_loop import LoopSetting  # torch takes seconds
    from lab.experiments.loop_runs import LOOP_POLICIES, dataset_of, loop_runs, mean_points, run_loop

    policies = list(dict.fromkeys(policy or LOOP_POLICIES))
    if unknown := [policy for policy in policies if policy not in LOOP_POLICIES]:
        raise SettingsError(f"There is no policy {unknown[0]!r} to simulate; choose of {', '.join(LOOP_POLICIES)}.")
    setting = LoopSetting(per_round=per_round, history=history)
    store = loop_runs()
    file = store.path(dataset_of(setting))
    with progress_bar("Judging and retraining", hidden=json) as progress:
        curves = run_loop(setting, policies, seeds, rounds, store, progress=progress)
    points = mean_points(curves)
    if json:
        print_json(
            {
                "setting": asdict(setting),
                "seeds": seeds,
                "points": [asdict(point) for point in points],
                "file": str(file),
            }
        )
        return
    rows = [
        (
            point.policy,
            f"{point.judgments:,}",
            f"{point.positive:.0%}",
            f"{point.ndcg_at_10:.3f}",
            f"{point.coverage_at_10:.3f}",
            f"{point.auc:.3f}",
            "-" if point.over_random is None else f"{point.over_random:+.3f}",
        )
        for point in points
    ]
    columns = ("policy", "judgments", "positive", "NDCG@10", "coverage@10", "AUC", "NDCG@10 over random")
    print_table(columns, rows, title=f"Mean of {seeds} generated marketplaces")
    print_line(f"All rounds: {file}")


def judged_titles(
    titles: Annotated[Path, typer.Argument(help="A CSV with the columns vacancyTitle and conceptUri.")],
    judged: Annotated[list[int] | None, typer.Option(min=2, help="Number of judged titles; may be repeated.")] = None,
    taxonomy: Annotated[str, typer.Option(help="Taxonomy with the occupations.")] = "esco-1.0.3",
    seed: SeedOption = 1,
    json: JsonOption = False,
) -> None:
    """Judge titles whose occupation is known, teach the linker by that, and measure it on other titles.

    Example: python -m lab evaluate judged-titles titles.csv --judged 300 --judged 3000
    """
    from lab.experiments.judged_titles import judge_titles  # torch takes seconds

    counts = sorted(set(judged or (100, 300, 1000, 3000)))
    linker = open_linker(taxonomy)
    with progress_bar("Judging and retraining", hidden=json) as progress:
        points = judge_titles(linker, titles, counts, seed=seed, progress=progress)
    if json:
        print_json({"taxonomy": taxonomy, "results": [asdict(point) for point in points]})
        return
    rows = [
        (
            f"{point.judged:,}",
            point.state,
            f"{point.accuracy:.3f}",
            f"{point.mrr:.3f}",
            f"{point.linked:.0%}",
            "-" if point.precision is None else f"{point.precision:.3f}",
            f"{point.ece:.3f}",
            "-" if point.head_strength is None else f"{point.head_strength:g}",
        )
        for point in points
    ]
    columns = ("judged", "linker", "accuracy", "MRR", "linked", "right of linked", "calibration error", "head moved by")
    print_table(columns, rows, title=f"{points[0].titles:,} other titles, {taxonomy}")
