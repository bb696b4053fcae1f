"""Team-draft interleaving: one list of results from two rankings, and the credit of each for what is opened.

Radlinski, Kurup and Joachims (2008), "How does clickthrough data reflect retrieval quality?", section 4.2. In each
round both rankings pick their best result that is not in the list yet, in an order drawn by lot. Whichever ranking
picked a result gets the credit when it is opened. Because the lot decides who picks first, the position bias is the
same for both. Results that both rankings have at the same first ranks are credited to neither: they say nothing.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import ceil

import numpy as np

from jobmatch_core.metrics.sequential import EVEN, ShareInterval, observations_needed, share_interval
from jobmatch_core.search_events import SearchChoice, SearchShown, Team

_MOST_NEEDED = 100_000  # searches with a winner
_TEAMS = (Team.IN_USE, Team.CANDIDATE)


@dataclass(frozen=True, slots=True)
class InterleavedList:
    """Results of two rankings in one list."""

    items: tuple[str, ...]  # ids in display order
    teams: tuple[Team, ...]  # the ranking that is credited with each item


@dataclass(frozen=True, slots=True)
class Credit:
    """What an online comparison has shown so far."""

    searches: int  # number of searches whose results came from both rankings
    opened: int  # those in which something was opened
    ties: int  # those of them in which both rankings, or neither, get the credit
    candidate: ShareInterval  # share of the others that the candidate won, with an interval that holds at every look

    @property
    def searches_left(self) -> int | None:
        """Number of further searches that decide if the share stays as it is; 0 if it is decided, None if unknown."""
        won = self.candidate
        if won.decided:
            return 0
        needed = observations_needed(won.share, _MOST_NEEDED) if won.n else None
        return None if needed is None else ceil((needed - won.n) * self.searches / won.n)

    @property
    def verdict(self) -> str:
        """The result in a sentence or two."""
        won = self.candidate
        if not won.n:
            return "No search has a winner yet."
        share = f"{won.share:.0%} ({won.low:.0%} to {won.high:.0%})"
        figures = f"the candidate won {won.wins:,} of {won.n:,} searches with a winner, {share}"
        if won.decided:
            return f"{'Better' if won.share > EVEN else 'Worse'}: {figures}."
        left = self.searches_left
        more = f"more than {_MOST_NEEDED:,}" if left is None else f"about {max(left, 1):,} more"
        return f"Not decided yet: {figures}. If the share stays, it takes {more} searches."


def interleaved(in_use: Sequence[str], candidate: Sequence[str], seed: int, limit: int) -> InterleavedList:
    """Return the list of two rankings of distinct ids, at most *limit* items; the same seed gives the same list."""
    chance = np.random.default_rng(seed)
    rankings = dict(zip(_TEAMS, (in_use, candidate), strict=True))
    same_start = takewhile(lambda pair: pair[0] == pair[1], zip(in_use, candidate, strict=False))
    items = dict.fromkeys([item for item, _ in same_start][:limit], Team.NEITHER)

    def next_of(team: Team) -> str:
        return next((item for item in rankings[team] if item not in items), "")

    while len(items) < limit and all(map(next_of, _TEAMS)):
        for team in _TEAMS if chance.random() < 0.5 else _TEAMS[::-1]:
            if len(items) < limit and (item := next_of(team)):
                items[item] = team
    for item in (*in_use, *candidate):  # one ranking has no more, so the rest is no comparison
        if len(items) < limit:
            items.setdefault(item, Team.NEITHER)
    return InterleavedList(tuple(items), tuple(items.values()))


def credit(shown: Iterable[SearchShown], choices: Iterable[SearchChoice]) -> Credit:
    """Return the credit of interleaved searches; a search is won by the ranking with more opened results."""
    teams = {search.id: dict(zip(search.items, search.teams, strict=True)) for search in shown if search.teams}
    opened: dict[str, Counter[Team]] = {}
    for choice in choices:
        if choice.shown in teams:
            opened.setdefault(choice.shown, Counter())[teams[choice.shown][choice.item]] += 1
    leads = [counts[Team.CANDIDATE] - counts[Team.IN_USE] for counts in opened.values()]
    wins, losses = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    return Credit(len(teams), len(opened), len(leads) - wins - losses, share_interval(wins, losses))
