"""Headings of adverts, of which one part names the job: `PILNIE! Murarz-tynkarz, praca w delegacji, nocleg GRATIS`.

A title that is not sure as a whole may be so in one of its parts, where the others are pay, place, shifts or praise.
A title of two parts without a figure may be a job and its field (`operator, quarry`), and is left as it is.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from jobmatch_core.entities import LinkResult
from jobmatch_core.link_reasons import NOT_SURE, NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD
from jobmatch_core.taxonomy.tables import UNIT_DIGITS

# chosen on the first set of `lab/experiments/further_titles.csv`; the curves of the calibration know no headings
PART_IS_SURE, PART_IS_NO_JOB = 0.8, 0.5
_FEWEST_PARTS, _MOST_PARTS = 3, 12  # two are enough beside a figure
_UNSURE = (NOT_SURE, NOTHING_LIKE_IT, SEVERAL, UNKNOWN_WORD)
_BETWEEN = re.compile(
    r"\s[-–—·•*]+\s|[|｜★☆◎●■◆▲※♪]+|[!！‼]+|[,、，;；]\s*|[()（）【】<>《》\[\]]|:\s|：|\*{2,}|[\U0001F300-\U0001FAFF]+|\s{2,}"
)
_IDEOGRAMS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # in whose languages spaces are separators
_BETWEEN_IDEOGRAMS = re.compile(r"[\s/／]+")


def heading_parts(title: str) -> tuple[str, ...]:
    """Return the parts of a title that may be the heading of an advert; () for any other title."""
    parts: list[str] = []
    for part in map(str.strip, _BETWEEN.split(title)):
        parts += _BETWEEN_IDEOGRAMS.split(part) if _IDEOGRAMS.search(part) else [part]
    parts = [part for part in parts if any(map(str.isalpha, part))]
    fewest = 2 if any(map(str.isdigit, title)) else _FEWEST_PARTS
    return tuple(parts) if fewest <= len(parts) <= _MOST_PARTS else ()


def is_unsure(result: LinkResult) -> bool:
    """Return whether a title is unsure for want of certainty, and nobody decided on it."""
    return result.abstained and result.reason in _UNSURE and not result.rejected


def link_of_heading(whole: LinkResult, parts: Sequence[LinkResult]) -> LinkResult | None:
    """Return the link of the one part that names the job, as the link of the whole title; None without such a part.

    Args:
        whole: the answer to the whole title.
        parts: the answers to its parts, in their order.
    """
    job = max(parts, key=lambda part: -1.0 if part.abstained else part.probability, default=whole)
    others = [part for part in parts if part is not job]
    if job.abstained or job.probability < PART_IS_SURE or any(_names_another_job(part, job) for part in others):
        return None
    aside = dict.fromkeys([*(part.title for part in others), *job.set_aside])
    return replace(job, title=whole.title, set_aside=tuple(aside), seniority=whole.seniority)


def _names_another_job(part: LinkResult, job: LinkResult) -> bool:
    return part.probability > PART_IS_NO_JOB and _unit_group(part) != _unit_group(job)


def _unit_group(result: LinkResult) -> str:
    return result.group.code if result.group else result.candidates[0].isco[:UNIT_DIGITS]
