"""The calls of `/api/v1` about taxonomies and their occupations."""

from dataclasses import dataclass
from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.operations import Operation, Parameter, answer_json, not_found
from jobmatch.serve.v1 import messages
from jobmatch.serve.workers import Workers
from jobmatch.services.linking import LinkingService
from jobmatch_core.entities import Occupation
from jobmatch_core.errors import TaxonomyError
from jobmatch_core.taxonomy import BUNDLED_ID, Taxonomy
from jobmatch_core.text.locales import ENGLISH, checked_language


@dataclass(frozen=True, slots=True)
class TaxonomyCalls:
    """Calls about taxonomies; attributes as in `LinkCalls`."""

    service: LinkingService
    workers: Workers

    async def taxonomies(self, _request: Request) -> Response:
        """List the taxonomies."""
        installed = await self.workers.read(self.service.installed)
        return answer_json(messages.TaxonomiesAnswer(installed))

    async def occupation(self, request: Request) -> Response:
        """Show an occupation."""
        parameters = request.query_params
        taxonomy_id = parameters.get("taxonomy", BUNDLED_ID)
        language = checked_language(parameters.get("language", ENGLISH))
        taxonomy = await self._taxonomy(taxonomy_id)
        uri = request.path_params["uri"]
        if not taxonomy.has_concept(uri):
            raise not_found(f"There is no occupation {uri!r} in {taxonomy_id}.")
        return answer_json(await self.workers.read(lambda: taxonomy.occupation(uri, language)))

    async def _taxonomy(self, taxonomy_id: str) -> Taxonomy:
        try:
            return await self.workers.read(lambda: self.service.taxonomy(taxonomy_id))
        except TaxonomyError as error:
            raise not_found(str(error)) from error

    def operations(self) -> list[Operation]:
        """Return the operations."""
        missing = {HTTPStatus.NOT_FOUND: "There is no such occupation or taxonomy."}
        shown = [
            Parameter("uri", "URI of the occupation or group; percent-encoded or as it is.", "path"),
            Parameter("taxonomy", "Id of the taxonomy.", default=BUNDLED_ID),
            Parameter("language", "Language of the names.", default=ENGLISH),
        ]
        return [
            Operation(
                "GET", "/taxonomies", self.taxonomies, "List the installed taxonomies.", messages.TaxonomiesAnswer
            ),
            Operation(
                "GET",
                "/occupations/{uri:path}",
                self.occupation,
                "Show an occupation with all its names.",
                Occupation,
                parameters=shown,
                errors=missing,
            ),
        ]
