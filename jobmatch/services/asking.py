"""One question on a title, and the link after its answer, for the API and the pages."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from jobmatch_core.entities import Judgment, LinkResult
from jobmatch_core.errors import LinkingError
from jobmatch_core.labelling.judging import decided
from jobmatch_core.labelling.own_names import ANSWERED
from jobmatch_core.linking import Linker
from jobmatch_core.questions.question import N_CANDIDATES, NONE_OF_THESE, Question, answered, question_on


@dataclass(frozen=True, slots=True)
class Asking:
    """A title's link, with all candidates that a question may be about, and the question; None without one."""

    result: LinkResult
    question: Question | None

    def shown(self, top: int) -> LinkResult:
        """Return the link with at most *top* candidates."""
        return replace(self.result, candidates=self.result.candidates[:top])


def ask(linker: Linker, title: str, *, language: str = "", show: str, languages: Sequence[str] = ()) -> Asking:
    """Link a title and find the question that would settle it; raises as `Linker.link_all`.

    *language* is that of the title, by default that of the name that matched it; *show* is that of the answer's names.
    Only names in *languages* are matched, without any in all.
    """
    result = linker.link(title, languages=languages, show=show, top=N_CANDIDATES)
    return Asking(result, question_on(result, linker.taxonomy, language))


def after_answer(linker: Linker, asking: Asking, question_id: str, answer: int, show: str) -> LinkResult:
    """Return the link after an answer: the number of the chosen option, from 0; `NONE_OF_THESE` if none fits.

    *asking* has the link and its question now, *question_id* is that of the question that was answered.

    Raises LinkingError if it is no longer the question on this title, or has no such option.
    """
    question = asking.question
    if question is None or question.id != question_id:
        raise LinkingError("The question on this title is another one by now, or none; ask for it again.")
    if not NONE_OF_THESE <= answer < len(question.options):
        raise LinkingError(f"The question has options 0 to {len(question.options) - 1}; {answer} is none of them.")
    names = linker.taxonomy.group_name
    return answered(asking.result, question, answer, linker.calibration, lambda code: names(code, show))


def answer_judgments(linker: Linker, asking: Asking, after: LinkResult, answer: int, annotator: str) -> list[Judgment]:
    """Return the judgment for an answer that links a title, none for others; the note has the chosen option.

    It is what one respondent said, so that no later link of the title takes it as accepted (`ANSWERED`).
    """
    question = asking.question
    if question is None or answer == NONE_OF_THESE or not after.level:
        return []
    choice = after.best or after.group
    note = f"answered: {question.options[answer].text}"
    judgments = decided(asking.result, choice, annotator, policy=ANSWERED, model=linker.version)
    return [replace(judgment, note=note) for judgment in judgments]
