"""Judged titles to audit a linker with: what people decided one by one, and tables of coded titles."""

from collections.abc import Iterable

from jobmatch.services.linking import LinkingService
from jobmatch_core.audit.judged_errors import JudgedTitle
from jobmatch_core.benchmarks.production.coded_titles import CodedTitles
from jobmatch_core.entities import Judgment, PairKind
from jobmatch_core.judged_title import NO_OCCUPATION_URI, OwnName
from jobmatch_core.judgment_origin import Origin
from jobmatch_core.labelling.own_names import earlier_decisions
from jobmatch_core.linking.earlier_decisions import group_code
from jobmatch_core.text.folding import fold


def decided_titles(linking: LinkingService, taxonomy: str) -> list[JudgedTitle]:
    """Return the titles that people decided on one by one; bulk decisions repeat the linker's answers.

    Raises LabelStoreError if the label store cannot be read.
    """
    if not linking.settings.may_have_labels:
        return []
    from db.history import JudgmentFilter  # the databases' libraries take a third of a second

    newest_first = linking.labels().current(JudgmentFilter(kind=PairKind.TITLE_OCCUPATION, source=taxonomy))
    return judged_titles(newest_first[::-1], taxonomy)


def judged_titles(judgments: Iterable[Judgment], taxonomy: str) -> list[JudgedTitle]:
    """Return the titles of judgments that somebody made while looking at them, earliest first."""
    looked_at = [judgment for judgment in judgments if judgment.provenance.origin == Origin.LOOKED_AT]
    by_title: dict[str, list[OwnName]] = {}
    for name in earlier_decisions(looked_at, taxonomy):
        by_title.setdefault(fold(name.title), []).append(name)
    return [_judged(names) for names in by_title.values()]


def _judged(names: list[OwnName]) -> JudgedTitle:
    accepted = [name for name in names if not name.rejected and name.uri != NO_OCCUPATION_URI]
    right = frozenset(name.uri for name in accepted if not name.as_group)
    codes = frozenset(group_code(name.uri) for name in accepted if name.as_group) - {""}
    wrong = frozenset(name.uri for name in names if name.rejected)
    return JudgedTitle(names[0].title, right, frozenset() if right else codes, wrong - right)


def coded_to_judged(coded: CodedTitles) -> list[JudgedTitle]:
    """Return coded titles as judged ones, whose codes are right."""
    languages = coded.languages or [""] * len(coded.titles)
    return [
        JudgedTitle(title, codes=frozenset(codes), language=language)
        for title, codes, language in zip(coded.titles, coded.codes, languages, strict=True)
    ]
