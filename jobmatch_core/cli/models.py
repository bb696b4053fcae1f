"""`jobmatch models`: which models there are, and which is in use."""

import getpass
from dataclasses import asdict
from typing import Annotated

import typer

from jobmatch_core.cli.options import JsonOption
from jobmatch_core.cli.output import print_json, print_line, print_table
from jobmatch_core.matching.match_models import model_in_use
from jobmatch_core.settings import Settings
from jobmatch_core.training.model_cards import ModelCard, cards
from jobmatch_core.training.registry import BUILT_IN, Change, ModelKind, Registry

app = typer.Typer(help="List models, promote one, roll back.", no_args_is_help=True)
KindOption = Annotated[ModelKind, typer.Option(help="towers find freelancers, linking gives links their probability.")]
WhoOption = Annotated[str, typer.Option(help="Who decides; the name of the machine's user where not given.")]
WhyOption = Annotated[str, typer.Option(help="A reason, for the history.")]


@app.callback()
def _group() -> None:
    """List models, promote one, roll back."""


@app.command("list")
def list_models(
    history: Annotated[bool, typer.Option(help="Show every promotion and roll back, too.")] = False,
    json: JsonOption = False,
) -> None:
    """Show all models that can be promoted, those in use marked.

    Example: jobmatch models list --history
    """
    settings = Settings.from_environment()
    found = [card for kind in ModelKind for card in cards(kind, settings)]
    changes = Registry(settings).history()
    if json:
        print_json({"models": [_record(card) for card in found], "history": [asdict(each) for each in changes]})
        return
    rows = [("*" if each.in_use else "", each.kind, each.name, each.created[:16], _told(each)) for each in found]
    print_table(("in use", "kind", "model", "made", ""), rows)
    if history:
        print_table(("when", "who", "did", "why"), [(each.at[:16], each.who, _did(each), each.why) for each in changes])


@app.command()
def promote(
    model: Annotated[str, typer.Argument(help="Its name, as `jobmatch models list` shows it.")],
    kind: KindOption = ModelKind.TOWERS,
    who: WhoOption = "",
    why: WhyOption = "",
    json: JsonOption = False,
) -> None:
    """Put a model into use everywhere.

    Example: jobmatch models promote towers-2026-11-21-0930 --why "more skills found"
    """
    settings = Settings.from_environment()
    registry = Registry(settings)
    registry.check(kind, model)
    registry.keep_in_use(kind, model_in_use(settings) if kind is ModelKind.TOWERS else BUILT_IN[kind])
    _print(registry.promote(kind, model, who=who or getpass.getuser(), why=why), json=json)


@app.command()
def rollback(
    kind: KindOption = ModelKind.TOWERS, who: WhoOption = "", why: WhyOption = "", json: JsonOption = False
) -> None:
    """Put into use again what was in use before the latest promotion.

    Example: jobmatch models rollback --why "worse in German"
    """
    registry = Registry.open()
    _print(registry.roll_back(kind, who=who or getpass.getuser(), why=why), json=json)


def _record(card: ModelCard) -> dict[str, object]:
    return {"kind": card.kind, "model": card.name, "in_use": card.in_use, "created": card.created, "fault": card.fault,
            "report": card.report}  # fmt: skip


def _told(card: ModelCard) -> str:
    if card.fault:
        return card.fault
    if card.built_in:
        return "comes with jobmatch"
    return f"{card.labels.trained:,} labels of {card.labels.snapshot}" if card.labels else "no labels"


def _did(change: Change) -> str:
    return f"{change.action}: {change.before or '-'} -> {change.after}"


def _print(change: Change, *, json: bool) -> None:
    if json:
        print_json(asdict(change))
    else:
        print_line(f"In use for {change.kind}: {change.after} (before: {change.before or 'nothing was chosen'}).")
