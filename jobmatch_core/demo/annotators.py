"""Two made-up annotators, who judge pairs by the hidden truth of a generated marketplace, Kim more strictly."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from uuid import NAMESPACE_OID, uuid5

import numpy as np

from jobmatch_core.demo.titles import MONTH_DAYS
from jobmatch_core.entities import Judgment, Pair, PairKind, Provenance, Verdict
from jobmatch_core.errors import MarketplaceError
from jobmatch_core.marketplace.demo.world import RandomChoices
from jobmatch_core.marketplace.marketplace import Marketplace

POLICY = "demo"  # of all made-up judgments, in place of a queue's or a page's name
_PAIRS, _JUDGING = 6, 7  # streams of random numbers
_DOUBT = 0.03  # coverage around an annotator's strictness at which they are unsure
_WHY = ("mandatory-skills", "experience", "field")  # reasons against a freelancer
_GIVES_REASON = 0.6
_FIRST_HOUR, _HOURS = 8, 9


@dataclass(frozen=True, slots=True)
class Annotator:
    """A made-up annotator."""

    name: str  # name stored with each judgment
    strictness: float  # share of a project's needs that a freelancer has to cover
    whim: float  # standard deviation of what the annotator adds to or takes from the coverage


ANNOTATORS = (Annotator("Robin (demo)", 0.45, 0.05), Annotator("Kim (demo)", 0.55, 0.09))


def pairs_to_judge(market: Marketplace, count: int, seed: int = 1) -> list[Pair]:
    """Return distinct pairs: by turns one that the history shows, and one drawn from the project's category."""
    random = RandomChoices([seed, _PAIRS])
    of_category: dict[str, list[str]] = {}
    for freelancer in market.freelancers:
        of_category.setdefault(freelancer.category, []).append(freelancer.id)
    drawn: dict[tuple[str, str], None] = {}
    for shown in random.some_of(market.interactions, len(market.interactions)):
        drawn[shown.project, shown.freelancer] = None
        project = market.projects[market.project_rows[shown.project]]
        if alike := of_category.get(project.category):
            drawn[shown.project, random.one_of(alike)] = None
        if len(drawn) >= count:
            break
    return [Pair(PairKind.PROJECT_FREELANCER, market.name, *key) for key in list(drawn)[:count]]


def judgments(
    market: Marketplace, pairs: Sequence[Pair], annotator: Annotator, until: date, seed: int = 1
) -> list[Judgment]:
    """Return an annotator's judgments of pairs, spread over the month that ends on a day.

    Raises MarketplaceError if the marketplace has no hidden truth.
    """
    if market.truth is None:
        raise MarketplaceError(f"{market.name} has no hidden truth; only a generated marketplace can be judged by it.")
    generator = np.random.default_rng([seed, _JUDGING, *annotator.name.encode()])
    coverage = market.truth.coverage_of_pairs(
        np.array([market.project_rows[pair.left] for pair in pairs], dtype=np.int32),
        np.array([market.freelancer_rows[pair.right] for pair in pairs], dtype=np.int32),
    )
    surplus = coverage + generator.normal(0, annotator.whim, len(pairs)) - annotator.strictness
    seconds = np.round(np.minimum(generator.lognormal(2.3, 0.5, len(pairs)), 90), 1)
    moments = _moments(generator, len(pairs), until)
    return [
        Judgment(
            id=str(uuid5(NAMESPACE_OID, f"{seed} {annotator.name} {pair.source} {pair.left} {pair.right}")),
            pair=pair,
            verdict=(verdict := _verdict(float(above))),
            annotator=annotator.name,
            at=moment,
            provenance=Provenance(POLICY),
            reasons=_reasons(generator) if verdict is Verdict.NEGATIVE else (),
            seconds=float(took),
        )
        for pair, above, took, moment in zip(pairs, surplus, seconds, moments, strict=True)
    ]


def _verdict(surplus: float) -> Verdict:
    if abs(surplus) < _DOUBT:
        return Verdict.UNSURE
    return Verdict.POSITIVE if surplus > 0 else Verdict.NEGATIVE


def _reasons(generator: np.random.Generator) -> tuple[str, ...]:
    return (str(generator.choice(_WHY, p=(0.6, 0.2, 0.2))),) if generator.random() < _GIVES_REASON else ()


def _moments(generator: np.random.Generator, count: int, until: date) -> list[datetime]:
    """Return distinct moments of the days before *until*, in order."""
    first = datetime.combine(until - timedelta(days=MONTH_DAYS), time(_FIRST_HOUR), tzinfo=UTC)
    days, hours = generator.integers(0, MONTH_DAYS, count), generator.random(count) * _HOURS
    return sorted(first + timedelta(days=int(day), hours=float(hour)) for day, hour in zip(days, hours, strict=True))
