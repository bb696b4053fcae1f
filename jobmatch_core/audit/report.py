"""What an audit found: what was measured, the worst finding first, and what the tool cannot know."""

from collections.abc import Sequence
from dataclasses import dataclass

from jobmatch_core.audit.judged_errors import GroupErrors
from jobmatch_core.audit.matching_audit import CueResult
from jobmatch_core.audit.title_audit import TitleResult
from jobmatch_core.audit.twin_examples import RankExample, TitleExample
from jobmatch_core.metrics.comparisons import Interval
from jobmatch_core.metrics.rank_overlap import PERSISTENCE
from jobmatch_core.text.locales import language_name

FORMAT = 1
FLOOR = 0.97  # equality of twins; below it something is to be done
MATCHING, TITLES = "matching", "titles"
PUBLISHED = (
    "For comparison, roughly: on rankings of gendered CVs in TalentCLEF 2026, the best system has a rank-biased "
    "overlap of 0.990, the median is about 0.9, and the baseline has 0.785. Their p is not known, and their twins are "
    "others."
)
UNKNOWN = (
    "No protected attribute of a real person is known here: no gender, age, origin, religion or disability. "
    "Twins show what a model does with a cue in a text, not whom it disadvantages.",
    "A cue that is not in the list was not measured, such as a gap in a career, a school or a way of writing.",
    "Who applies, who is shown a posting, and what people decide after seeing a ranking was not measured.",
    "The impact ratios are of twins with equal qualifications, drawn by chance. Those that New York City's Local Law "
    "144 asks for are of real candidates, by categories that they stated themselves.",
    "First names stand for how a name may be read, not for what a person is; the lists are short.",
    "Made-up profiles of a synthetic marketplace are more alike than those of people.",
)


@dataclass(frozen=True, slots=True)
class AuditReport:
    """An audit."""

    kind: str  # matching or titles
    subject: str  # what was audited: the model, and the second stage or the linker's version
    data: str  # marketplace or taxonomy
    data_hash: str  # hash of its files; '' if unknown
    created: str  # UTC time, ISO 8601
    version: str  # version of jobmatch
    seed: int  # seed of all random choices
    # projects, freelancers: sizes of the sample; 0 for titles
    projects: int = 0
    freelancers: int = 0
    cues: tuple[CueResult, ...] = ()  # results of a matching model
    titles: tuple[TitleResult, ...] = ()  # results of a linker
    per_language: int = 0  # most twins of a language; 0 for profiles
    # errors and calibration of a linker by language and form, where judged titles exist
    errors: tuple[GroupErrors, ...] = ()
    persistence: float = PERSISTENCE  # p of the rank-biased overlap
    format: int = FORMAT

    @property
    def name(self) -> str:
        """Name for lists and files."""
        return f"{self.kind}, {self.subject}, {self.data}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One result in a sentence."""

    what: str  # the cue, or the language of the titles
    overlap: Interval  # mean rank-biased overlap of both versions
    impact_ratio: float  # lower selection or link rate divided by the higher one
    # 1 if the cue changes nothing that people would notice, lower the worse. For cues, the lower one of overlap and,
    # where it is beyond chance, impact ratio. For titles, the lower one of impact ratio and share of equal links, since
    # people see the first occupations only.
    equality: float
    by_design: bool  # true if rankings are meant to depend on it
    sentence: str  # the result in words
    examples: tuple[str, ...] = ()  # the twins that differ most, in words, the worst first

    @property
    def below_floor(self) -> bool:
        """True if the equality is below the floor and not by design."""
        return not self.by_design and self.equality < FLOOR


def findings(report: AuditReport) -> list[Finding]:
    """Return one finding for each cue or language, the worst first; those by design come last."""
    every = (*map(_of_cue, report.cues), *map(_of_titles, report.titles))
    return sorted(every, key=lambda one: (one.by_design, one.equality, one.overlap.mean))


def _of_cue(result: CueResult) -> Finding:
    impact = result.impact
    ratio = impact.second_to_first
    by_chance = ratio.low <= 1 <= ratio.high
    equality = min(result.overlap.mean, 1.0 if by_chance else impact.impact_ratio)
    sentence = (
        f"{result.cue} ({result.second_group} for {result.first_group}, {result.profiles:,} profiles): "
        f"rankings overlap by {_interval(result.overlap)}; the first ten move by {result.moved:.1f} ranks on average, "
        f"and {result.left:.1%} of them leave. "
        f"Of equally qualified profiles, those with '{result.second_group}' are selected "
        f"{ratio.value:.3f} times as often ({ratio.low:.3f} to {ratio.high:.3f}, "
        f"{'within chance' if by_chance else 'beyond chance'})"
        f"{', which is below four fifths' if impact.adverse else ''}."
    )
    if result.by_design:
        sentence += " The ranking may depend on this by design."
    examples = tuple(map(_rank_example, result.examples))
    return Finding(result.cue, result.overlap, impact.impact_ratio, equality, result.by_design, sentence, examples)


def _rank_example(example: RankExample) -> str:
    changed = f"'{example.first}' and '{example.second}'" if example.first or example.second else "the two versions"
    return (
        f"{example.title or example.freelancer} (id {example.freelancer}), for {example.project}: rank "
        f"{example.first_rank} and {example.second_rank} with {changed}"
    )


def _of_titles(result: TitleResult) -> Finding:
    rates = sorted((result.masculine_linked, result.feminine_linked))
    kind = "attested" if result.attested else "made by rule"
    sentence = (
        f"Titles in {language_name(result.language)} ({result.titles} twins, {kind}): the ranked occupations of both "
        f"forms overlap by {_interval(result.overlap)}; {result.same:.1%} have the same link. "
        f"{result.masculine_linked:.1%} of the masculine and {result.feminine_linked:.1%} of the feminine forms are "
        "linked."
    )
    if result.example:
        sentence += f" They differ most for {result.example}."
    what = f"titles in {language_name(result.language)}, {kind}"
    ratio = rates[0] / rates[1] if rates[1] else 1.0
    equality = min(ratio, result.same)
    return Finding(what, result.overlap, ratio, equality, False, sentence, tuple(map(_title_example, result.examples)))


def _title_example(example: TitleExample) -> str:
    return (
        f"{example.masculine} is linked to {example.masculine_link or 'nothing'}, {example.feminine} to "
        f"{example.feminine_link or 'nothing'}; their candidates overlap by {example.overlap:.3f}"
    )


def _interval(interval: Interval) -> str:
    return f"{interval.mean:.3f} (95% interval {interval.low:.3f} to {interval.high:.3f})"


def error_sentences(report: AuditReport) -> list[str]:
    """Return the errors on judged titles in words, one sentence for each group."""
    return [_of_errors(errors) for errors in report.errors]


def _of_errors(errors: GroupErrors) -> str:
    named = errors.group or "all titles"
    if errors.grouping == "language":
        named = language_name(errors.group) if errors.group else "language unknown"
    count = f"{named}, {errors.titles:,} judged titles"
    if errors.right is None or errors.too_sure is None:
        return f"{count}: too few to say."
    sure = errors.too_sure
    by_chance = " (within chance)" if sure.low <= 0 <= sure.high else ""
    return (
        f"{count}: the first answer is right for {errors.right.mean:.1%} (95% interval {errors.right.low:.1%} to "
        f"{errors.right.high:.1%}). Probabilities are {abs(sure.mean):.3f} too {'high' if sure.mean > 0 else 'low'} on "
        f"average{by_chance}; the calibration error is {errors.calibration_error:.3f}."
    )


def method(report: AuditReport) -> Sequence[str]:
    """Return in sentences how it was measured."""
    common = (
        "Rank-biased overlap, extrapolated (Webber, Moffat and Zobel 2010, equation 32), with "
        f"p = {report.persistence}: "
        "1 means equal rankings, and the first ten ranks have 86% of the weight. "
        "TalentCLEF 2026 compares rankings of gendered CVs by the same measure; its p is not in its public evaluation "
        "script, so these figures are not compared with its.",
    )
    if report.kind == TITLES:
        return (
            "Each title was linked in its masculine and its feminine form, without titles that people accepted.",
            *common,
        )
    return (
        f"{report.projects:,} projects and {report.freelancers:,} freelancers. "
        "Each profile has two versions for each cue, which differ in nothing else. "
        "All profiles were ranked in the one and in the other version.",
        *common,
        "For selection, a random half of the profiles had the one version and the rest the other, and then the "
        "reverse, so that both groups are the same people. Selected are the first ten. "
        "Intervals are 95% bootstrap intervals over projects.",
    )
