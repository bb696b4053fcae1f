"""`python -m lab`: its subcommands; it is run from a checkout and is not part of the wheel."""

from typing import ClassVar

import typer

from jobmatch.cli.main import LazyGroup, run


class Commands(LazyGroup):
    """The subcommands, in the order in which `--help` lists them."""

    places: ClassVar = {
        "evaluate": "lab.cli.evaluate:app",
        "bench": "lab.cli.bench:app",
        "train": "lab.cli.train:app",
        "translate": "lab.cli.translate:translate",
    }


app = typer.Typer(
    name="python -m lab",
    cls=Commands,
    help="Repeat the experiments behind jobmatch.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback()
def _group() -> None:
    """Repeat the experiments behind jobmatch."""


def main() -> None:
    """Run the laboratory's command."""
    run(app)
