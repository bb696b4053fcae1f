"""Commands whose modules are imported when they are asked for, so that each waits for its own libraries only."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import ClassVar, cast

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

Command = TyperCommand | TyperGroup


class LazyCommands(Mapping[str, Command]):
    """Commands by name; looking one up imports its module, counting and naming them imports none."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """Take the table of commands.

        Args:
            places: name -> `module:attribute`, a function or a `typer.Typer` with further commands.
        """
        self._places = places

    def __getitem__(self, name: str) -> Command:
        """Import a command."""
        module, _, attribute = self._places[name].partition(":")
        command = getattr(import_module(module), attribute)
        parent = typer.Typer()
        parent.add_typer(command, name=name) if isinstance(command, typer.Typer) else parent.command(name)(command)
        return cast("Command", get_group(parent).commands[name])

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._places)

    def __len__(self) -> int:
        """Count the commands."""
        return len(self._places)


class LazyGroup(TyperGroup):
    """A group whose commands stand in a table; a subclass sets it.

    Attributes:
        places: as `LazyCommands` takes them.
    """

    places: ClassVar[Mapping[str, str]]

    def __init__(self, **attributes: object) -> None:
        """Make the group with the commands of the table."""
        super().__init__(**attributes)  # type: ignore[arg-type]  # typer's own
        self.commands = LazyCommands(self.places)  # type: ignore[assignment]  # nobody adds to it
