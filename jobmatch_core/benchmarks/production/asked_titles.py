"""Benefit of one question: simulated respondents whose code is known answer questions on titles that are not linked.

A respondent chooses the option whose text is most like what they say of their work, by an encoder, and none of these
where no option is like it. They see the options as people do, and neither code nor probability.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.benchmarks.production.coded_titles import CodedTitles, Codes
from jobmatch_core.entities import Encoder, LinkResult, Progress, no_progress
from jobmatch_core.linking import Linker
from jobmatch_core.questions.question import N_CANDIDATES, NONE_OF_THESE, Question, answered, question_on
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.locales import ENGLISH

LEAST_LIKE = 0.3  # cosine below which a respondent says that no option fits
_BLOCK = 512  # titles linked between two reports of progress


@dataclass(frozen=True, slots=True)
class QuestionFigures:
    """Benefit of questions."""

    titles: int  # number of titles with a unit group
    to_check: int  # number of these that are not linked
    asked: int  # number of these with a question
    offered: float  # share of the asked whose right unit group is behind an option
    none: float  # share of the asked whose respondent says that no option fits
    # before, after: share of the asked whose likeliest unit group is right, before and after the answer
    before: float
    after: float
    linked: float  # share of the asked that are linked after the answer
    right: float | None  # share of these whose unit group is right; None if none is linked
    best: float  # `after` for respondents who never err
    gain: float  # mean of the gain that the questions expected


@dataclass(frozen=True, slots=True)
class _Asked:
    result: LinkResult
    question: Question
    codes: Codes
    about: str


def duties(taxonomy: Taxonomy, coded: CodedTitles) -> list[str]:
    """Return what a respondent knows of their work: the definition of each title's right unit group; '' without one."""
    return [next((text for code in codes if (text := _definition(taxonomy, code))), "") for codes in coded.codes]


def question_figures(
    linker: Linker, coded: CodedTitles, about: Sequence[str], encoder: Encoder, *, progress: Progress = no_progress
) -> QuestionFigures:
    """Ask about all titles that are not linked and whose respondent has something to say, (title,) in *about*."""
    numbers = [n for n, codes in enumerate(coded.codes) if any(len(code) == UNIT_DIGITS for code in codes)]
    to_check, asked = 0, []
    for start in range(0, len(numbers), _BLOCK):
        block = numbers[start : start + _BLOCK]
        results = linker.link_all([coded.titles[number] for number in block], top=N_CANDIDATES)
        for number, result in zip(block, results, strict=True):
            to_check += not result.level
            question = question_on(result, linker.taxonomy) if about[number].strip() else None
            if question is not None:
                asked.append(_Asked(result, question, coded.codes[number], about[number]))
        progress(min(start + _BLOCK, len(numbers)), len(numbers))
    return _figures(linker, asked, encoder, len(numbers), to_check)


def _figures(linker: Linker, asked: Sequence[_Asked], encoder: Encoder, titles: int, to_check: int) -> QuestionFigures:
    if not asked:
        return QuestionFigures(titles, to_check, 0, 0.0, 0.0, 0.0, 0.0, 0.0, None, 0.0, 0.0)
    answers = np.array(_answers(asked, encoder))
    right = [_right_option(linker.taxonomy, one) for one in asked]
    after = [_after(linker, one, answer) for one, answer in zip(asked, answers.tolist(), strict=True)]
    unerring = [_after(linker, one, option) for one, option in zip(asked, right, strict=True)]
    is_right = np.array([_is_right(result, one.codes) for result, one in zip(after, asked, strict=True)])
    is_linked = np.array([bool(result.level) for result in after])
    return QuestionFigures(
        titles=titles,
        to_check=to_check,
        asked=len(asked),
        offered=float(np.mean([option != NONE_OF_THESE for option in right])),
        none=float(np.mean(answers == NONE_OF_THESE)),
        before=float(np.mean([_is_right(one.result, one.codes) for one in asked])),
        after=float(is_right.mean()),
        linked=float(is_linked.mean()),
        right=float(is_right[is_linked].mean()) if is_linked.any() else None,
        best=float(np.mean([_is_right(result, one.codes) for result, one in zip(unerring, asked, strict=True)])),
        gain=float(np.mean([one.question.gain for one in asked])),
    )


def _answers(asked: Sequence[_Asked], encoder: Encoder) -> list[int]:
    said = encoder.encode([one.about for one in asked])
    texts = encoder.encode([option.text for one in asked for option in one.question.options])
    answers, start = [], 0
    for number, one in enumerate(asked):
        end = start + len(one.question.options)
        likeness = texts[start:end] @ said[number]
        answers.append(int(likeness.argmax()) if likeness.max() >= LEAST_LIKE else NONE_OF_THESE)
        start = end
    return answers


def _after(linker: Linker, one: _Asked, answer: int) -> LinkResult:
    return answered(
        one.result, one.question, answer, linker.calibration, lambda code: linker.taxonomy.group_name(code, ENGLISH)
    )


def _right_option(taxonomy: Taxonomy, one: _Asked) -> int:
    for number, option in enumerate(one.question.options):
        if not {taxonomy.isco_codes[taxonomy.number(uri)] for uri in option.uris}.isdisjoint(one.codes):
            return number
    return NONE_OF_THESE


def _is_right(result: LinkResult, codes: Codes) -> bool:
    sums: dict[str, float] = {}
    for candidate in result.candidates:
        sums[candidate.isco] = sums.get(candidate.isco, 0.0) + candidate.probability
    return max(sums, key=sums.__getitem__) in codes


def _definition(taxonomy: Taxonomy, code: str) -> str:
    if len(code) != UNIT_DIGITS or not taxonomy.has_group(code):
        return ""
    return taxonomy.descriptions(taxonomy.group_uri(code)).get(ENGLISH, "")
