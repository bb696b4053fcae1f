"""The addresses of the calls, as lenient as those of ESCO's web service."""

from dataclasses import dataclass

from starlette.routing import Match, Route
from starlette.types import Scope

from jobmatch.serve.operations import Operation

ANY_KIND = "any"
_RESOURCE = "/resource"  # shows a resource without saying its kind


class EscoRoute(Route):
    """A route that doubled slashes, and one at the end, do not matter to."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Return whether the route answers a request, and what is in its address."""
        root = scope.get("root_path", "")
        plain = "/" + "/".join(part for part in scope["path"].removeprefix(root).split("/") if part)
        path = f"{_RESOURCE}/{ANY_KIND}" if plain == _RESOURCE else plain
        return super().matches({**scope, "path": root + path})


@dataclass(frozen=True, slots=True)
class EscoOperation(Operation):
    """A call of ESCO's web service."""

    def route(self) -> Route:
        """Return the route."""
        return EscoRoute(self.path, self.endpoint, methods=[self.method])
