"""The calls of `/api/v1` about crosswalks, whose codes stand beside links."""

import shutil
from dataclasses import dataclass
from http import HTTPStatus
from typing import BinaryIO

from starlette.requests import Request
from starlette.responses import Response

from jobmatch.serve.operations import FORM_FILE, Operation, answer_json, read_form
from jobmatch.serve.v1 import messages
from jobmatch.serve.workers import Workers
from jobmatch.services.crosswalk_desk import store_mappings
from jobmatch.services.linking import LinkingService
from jobmatch_core.crosswalks.store import CrosswalkCard, CrosswalkStore
from jobmatch_core.io.temporary import temporary_folder


@dataclass(frozen=True, slots=True)
class CrosswalkCalls:
    """Calls about crosswalks; attributes as in `LinkCalls`."""

    service: LinkingService
    workers: Workers

    async def crosswalks(self, _request: Request) -> Response:
        """List the crosswalks."""
        return answer_json(messages.CrosswalksAnswer(await self.workers.read(self._listed)))

    async def new_crosswalk(self, request: Request) -> Response:
        """Store mappings as a crosswalk."""
        async with read_form(request, messages.CrosswalkRequest) as (file, options):
            stored = await self.workers.run(lambda: self._stored(file.file, options))
        return answer_json(stored, HTTPStatus.CREATED)

    def _listed(self) -> list[messages.CrosswalkAnswer]:
        listed = CrosswalkStore.open(self.service.settings).listed()
        return [messages.CrosswalkAnswer(id_, card.name, card.taxonomy, card.created) for id_, card in listed]

    def _stored(self, sent: BinaryIO, options: messages.CrosswalkRequest) -> messages.CrosswalkAnswer:
        taxonomy, card = self.service.taxonomy(options.taxonomy), CrosswalkCard(options.name, options.taxonomy, "")
        store = CrosswalkStore.open(self.service.settings)
        with temporary_folder() as folder:
            file = folder / "crosswalk.sssom.tsv"
            with file.open("wb") as stored:
                shutil.copyfileobj(sent, stored)
            crosswalk_id = store_mappings(file, store, card, taxonomy)
        return messages.CrosswalkAnswer(crosswalk_id, card.name, card.taxonomy, card.created)

    def operations(self) -> list[Operation]:
        """Return the operations."""
        return [
            Operation(
                "GET",
                "/crosswalks",
                self.crosswalks,
                "List the stored crosswalks, whose codes links can have beside them.",
                messages.CrosswalksAnswer,
            ),
            Operation(
                "POST",
                "/crosswalks",
                self.new_crosswalk,
                "Store the mappings of an SSSOM file as a crosswalk.",
                messages.CrosswalkAnswer,
                messages.CrosswalkRequest,
                HTTPStatus.CREATED,
                form=FORM_FILE,
            ),
        ]
