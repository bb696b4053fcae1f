"""Audit of a linker: are titles in their masculine and feminine form linked alike?"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from jobmatch_core.audit.gendered_forms import TitleTwin
from jobmatch_core.audit.twin_examples import EXAMPLES, TitleExample
from jobmatch_core.entities import LinkResult, Progress, no_progress
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking.linker import Linker
from jobmatch_core.metrics.comparisons import Interval, bootstrap_interval
from jobmatch_core.metrics.rank_overlap import PERSISTENCE, rank_biased_overlap

CANDIDATES = 50  # ranks that are compared
PER_LANGUAGE = 100  # twins, drawn by chance


@dataclass(frozen=True, slots=True)
class TitleResult:
    """Twins of one language."""

    language: str  # language code
    attested: bool  # true if the taxonomy has both forms; false if the feminine ones were made by rule
    titles: int  # number of twins
    overlap: Interval  # mean rank-biased overlap of the ranked occupations of both forms
    same: float  # share of twins with the same link, or with none for both
    # masculine_linked, feminine_linked: shares that are linked
    masculine_linked: float
    feminine_linked: float
    probability: float  # mean probability of the feminine form's first candidate, minus the masculine one's
    example: str  # the twin that differs most, masculine and feminine; '' where all rankings are equal
    # the twins that differ most, the worst first: those with different links come before the others
    examples: tuple[TitleExample, ...] = ()


def audit_titles(
    linker: Linker,
    twins: Sequence[TitleTwin],
    *,
    per_language: int = PER_LANGUAGE,
    seed: int = 1,
    progress: Progress = no_progress,
) -> list[TitleResult]:
    """Link a sample of twins of each language, and compare the forms; raises LinkingError if there are no twins."""
    if not twins:
        raise LinkingError(
            "This taxonomy has no name with a masculine and a feminine form, so there is nothing to audit."
        )
    groups = _samples(twins, per_language, seed)
    results = []
    for done, ((language, attested), own) in enumerate(groups.items()):
        progress(done, len(groups))
        forms = ([getattr(twin, form) for twin in own] for form in ("masculine", "feminine"))
        masculine, feminine = (linker.link_all(titles, top=CANDIDATES) for titles in forms)
        results.append(_compared(language, own, masculine, feminine, attested=attested))
    progress(len(groups), len(groups))
    return results


def _samples(twins: Sequence[TitleTwin], most: int, seed: int) -> dict[tuple[str, bool], list[TitleTwin]]:
    groups: defaultdict[tuple[str, bool], list[TitleTwin]] = defaultdict(list)
    for twin in dict.fromkeys(twins):
        groups[twin.language, twin.attested].append(twin)
    generator = np.random.default_rng(seed)
    return {
        key: [groups[key][row] for row in sorted(generator.permutation(len(groups[key]))[:most])]
        for key in sorted(groups)
    }


def _compared(
    language: str,
    twins: Sequence[TitleTwin],
    masculine: Sequence[LinkResult],
    feminine: Sequence[LinkResult],
    *,
    attested: bool,
) -> TitleResult:
    pairs = list(zip(masculine, feminine, strict=True))
    overlaps = np.array([rank_biased_overlap(_uris(one), _uris(other), PERSISTENCE) for one, other in pairs])
    least = int(overlaps.argmin())
    return TitleResult(
        language=language,
        attested=attested,
        titles=len(twins),
        overlap=bootstrap_interval(overlaps),
        same=float(np.mean([_link(one) == _link(other) for one, other in pairs])),
        masculine_linked=float(np.mean([bool(one.level) for one, _ in pairs])),
        feminine_linked=float(np.mean([bool(other.level) for _, other in pairs])),
        probability=float(np.mean([other.probability - one.probability for one, other in pairs])),
        example=f"{twins[least].masculine} / {twins[least].feminine}" if overlaps[least] < 1 else "",
        examples=tuple(_examples(twins, pairs, overlaps.tolist())),
    )


def _examples(
    twins: Sequence[TitleTwin], pairs: Sequence[tuple[LinkResult, LinkResult]], overlaps: Sequence[float]
) -> list[TitleExample]:
    differing = [
        TitleExample(twin.masculine, twin.feminine, _link_name(one), _link_name(other), overlap)
        for twin, (one, other), overlap in zip(twins, pairs, overlaps, strict=True)
        if overlap < 1
    ]
    return sorted(differing, key=lambda it: (it.masculine_link == it.feminine_link, it.overlap))[:EXAMPLES]


def _uris(result: LinkResult) -> list[str]:
    return [candidate.uri for candidate in result.candidates]


def _link_name(result: LinkResult) -> str:
    if not result.level:
        return ""
    return result.best.name if result.best else result.group.name if result.group else ""


def _link(result: LinkResult) -> str:
    if not result.level:
        return ""
    return result.best.uri if result.best else result.group.uri if result.group else ""
