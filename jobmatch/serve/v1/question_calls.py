"""The calls of `/api/v1` for a survey's own form: the one question on a title, and its answer."""

from dataclasses import dataclass
from http import HTTPStatus

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from jobmatch.access.permissions import may_do
from jobmatch.serve.linkers import loaded_linker, loaded_naming
from jobmatch.serve.operations import Operation, annotator_id, answer_json, caller, read_body
from jobmatch.serve.v1 import messages
from jobmatch.serve.workers import Workers
from jobmatch.services.asking import Asking, after_answer, answer_judgments, ask
from jobmatch.services.home_services import HomeServices
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.link_answer import answered_link
from jobmatch_core.questions.question import NONE_OF_THESE
from jobmatch_core.text.locales import checked_language

_SHOWN = 5  # candidates of a link


@dataclass(frozen=True, slots=True)
class QuestionCalls:
    """Calls of questions."""

    services: HomeServices  # open models and indexes, and the label store
    workers: Workers  # threads for slow calls

    async def question(self, request: Request) -> Response:
        """Link a title and ask the question that would settle it."""
        body = await read_body(request, messages.QuestionRequest)
        options, language = body.options(), body.spoken()
        linker = await loaded_linker(self.services.linking, options, self.workers)
        asking = await self.workers.run(lambda: _asking(linker, body, language))
        link = answered_link(asking.shown(_SHOWN), await loaded_naming(self.services.linking, options, self.workers))
        return answer_json(messages.QuestionAnswer(link, messages.asked_question(asking.question)))

    async def answer(self, request: Request) -> Response:
        """Link a title by the answer to its question."""
        body = await read_body(request, messages.AnswerRequest)
        options, language = body.options(), body.spoken()
        annotator = self._recorder(request, body)
        linker = await loaded_linker(self.services.linking, options, self.workers)
        asking = await self.workers.run(lambda: _asking(linker, body, language))
        answer = NONE_OF_THESE if body.option is None else body.option
        try:
            after = after_answer(linker, asking, body.question, answer, options.show)
        except LinkingError as error:
            raise HTTPException(HTTPStatus.CONFLICT, str(error)) from error
        judgments = answer_judgments(linker, asking, after, answer, annotator) if annotator else []
        if judgments:
            await self.workers.run(lambda: self.services.linking.labels().record_all(judgments))
        link = answered_link(
            Asking(after, None).shown(_SHOWN), await loaded_naming(self.services.linking, options, self.workers)
        )
        return answer_json(messages.AnsweredAnswer(link, [judgment.id for judgment in judgments]))

    @staticmethod
    def _recorder(request: Request, body: messages.AnswerRequest) -> str:
        # the annotator of an answer that is recorded, '' for others
        if not body.record:
            return ""
        if not may_do(caller(request), "judge"):
            raise HTTPException(HTTPStatus.FORBIDDEN, "Recording needs the role annotator; send record: false.")
        return annotator_id(request, body.annotator)

    def operations(self) -> list[Operation]:
        """Return the operations."""
        changed = {HTTPStatus.CONFLICT: "The question on this title is another one by now."}
        return [
            Operation(
                "POST",
                "/question",
                self.question,
                "Link a title, and ask the one question that would settle it.",
                messages.QuestionAnswer,
                messages.QuestionRequest,
            ),
            Operation(
                "POST",
                "/answer",
                self.answer,
                "Link a title by the answer to its question.",
                messages.AnsweredAnswer,
                messages.AnswerRequest,
                errors=changed,
            ),
        ]


def _asking(linker: Linker, body: messages.QuestionRequest, language: str) -> Asking:
    return ask(linker, body.title, language=language, show=checked_language(body.show))
