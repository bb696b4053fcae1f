"""Conversion of decisions on links to judgments on pairs of a title and an occupation."""

from collections.abc import Iterable

from jobmatch_core.entities import Candidate, Judgment, LinkResult, Pair, PairKind, Provenance, Verdict
from jobmatch_core.labelling.judging import judged
from jobmatch_core.text.folding import fold


def link_pair(result: LinkResult, candidate: Candidate) -> Pair:
    """Return the pair of a title and a candidate; a title that differs only in case from an accepted one is that one.

    White space is normalised, and characters that no text of a store can hold are left out.
    """
    own = candidate.evidence.own
    same = own is not None and fold(own.title) == fold(result.title)
    title = own.title if own is not None and same else result.title
    storable = title.replace("\0", " ").encode("utf-8", "ignore").decode()
    return Pair(PairKind.TITLE_OCCUPATION, result.taxonomy, " ".join(storable.split()), candidate.uri)


def link_provenance(result: LinkResult, candidate: Candidate, *, policy: str, model: str) -> Provenance:
    """Return the provenance of a displayed candidate.

    Args:
        result: the linker's answer.
        candidate: one of its candidates, or one that was searched by hand, which has no rank and no score.
        policy: name of the page.
        model: the linker's `version`; a note is added if own names had a part in the score.
    """
    if candidate not in result.candidates:
        return Provenance(policy, model)
    name = f"{model} + own names" if candidate.evidence.own else model
    return Provenance(policy, name, result.candidates.index(candidate) + 1, candidate.probability)


def decided(
    result: LinkResult, candidate: Candidate | None, annotator: str, *, policy: str, model: str
) -> list[Judgment]:  # fmt: skip
    """Return the judgments for a decision on a link; none for an empty title.

    Args:
        result: the linker's answer, as shown.
        candidate: the right candidate; None for none of these, which judges every candidate negative.
        annotator: name of the annotator.
        policy: name of the page.
        model: the linker's `version`.
    """
    verdict = Verdict.NEGATIVE if candidate is None else Verdict.POSITIVE
    judged_ones: Iterable[Candidate] = result.candidates if candidate is None else (candidate,)
    return [
        judged(pair, verdict, annotator, link_provenance(result, each, policy=policy, model=model))
        for each in judged_ones
        if (pair := link_pair(result, each)).left
    ]
