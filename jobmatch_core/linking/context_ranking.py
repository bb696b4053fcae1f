"""Rankings of titles in their context: the linker's probabilities with the evidence of what is known beside them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from jobmatch_core.linking.arrays import Floats, Indices
from jobmatch_core.linking.context import Context, Said
from jobmatch_core.linking.context_model import ContextModel
from jobmatch_core.linking.ranking import Ranking

LEAST = 1e-4  # probability that a unit group has for the linker at least
_JOINED_SHARE = 0.5  # of the joined title in the shares of a unit group's occupations
_MOST_JOINED = 8  # words of a context behind a title
Rank = Callable[[Sequence[str]], list[Ranking]]


@dataclass(frozen=True, slots=True)
class RankingInContext:
    """A ranking of a title in its context, and what each text of the context says."""

    ranking: Ranking
    said: tuple[Said, ...] = ()


class ContextRanker:
    """Ranks titles in their contexts."""

    def __init__(self, model: ContextModel, units: Indices) -> None:
        """Prepare the ranking.

        Args:
            model: model of titles in context.
            units: (concept,) code of its unit group as a number.
        """
        self._model = model
        self._columns = np.full(len(units), -1)
        places = np.minimum(np.searchsorted(model.codes, units), len(model.codes) - 1)
        is_unit = model.codes[places] == units
        self._columns[is_unit] = places[is_unit]

    def ranked(
        self, titles: Sequence[str], contexts: Sequence[Context], rankings: Sequence[Ranking], rank: Rank
    ) -> list[RankingInContext]:
        """Return the rankings of titles in their contexts; of a title without a known text it is the same ranking.

        Args:
            titles: folded titles.
            contexts: context of each.
            rankings: ranking of each title alone.
            rank: ranks further titles, alone.
        """
        known = [
            {kind: words for kind, text in context.texts if (words := self._model.known_words(text))}
            for context in contexts
        ]
        asked = [row for row, words in enumerate(known) if words]
        joined = rank([_joined(titles[row], known[row]) for row in asked]) if asked else []
        ranked = [
            RankingInContext(ranking, tuple(Said(kind, text) for kind, text in context.texts))
            for ranking, context in zip(rankings, contexts, strict=True)
        ]
        for row, of_joined in zip(asked, joined, strict=True):
            ranked[row] = self._ranked(titles[row], contexts[row], known[row], rankings[row], of_joined)
        return ranked

    def _ranked(
        self, title: str, context: Context, known: dict[str, list[str]], alone: Ranking, joined: Ranking
    ) -> RankingInContext:
        words = _words(known)
        without = [_words({other: known[other] for other in known if other != kind}) for kind in known]
        pairs = [(title, words), ("", words), ("", []), *((title, others) for others in without)]
        logs = self._model.log_probabilities(pairs)
        ranking = self._with(logs[0], logs[1] - logs[2], self._model.known_share(title), alone, joined)
        gains = {kind: logs[0] - left_out for kind, left_out in zip(known, logs[3:], strict=True)}
        said = tuple(self._said(kind, text, gains.get(kind), ranking) for kind, text in context.texts)
        return RankingInContext(ranking, said)

    def _with(self, joint: Floats, by_context: Floats, share: float, alone: Ranking, joined: Ranking) -> Ranking:
        mix, both = self._model.mix, _union(alone, joined)
        columns = self._columns[both.concepts]
        has_unit = columns >= 0
        if not has_unit.any():
            return alone
        of_alone = _by_concept(alone, both.concepts)
        of_joined = _by_concept(joined, both.concepts)
        title, with_words = (
            np.bincount(columns[has_unit], values[has_unit], minlength=len(joint)) for values in (of_alone, of_joined)
        )
        log_title = np.log(title + LEAST)
        known = mix.title * log_title + mix.joined * np.log(with_words + LEAST) + mix.joint * joint
        utilities = share * known + (1 - share) * (log_title + mix.alone * by_context)
        groups = np.exp(utilities - utilities.max())
        groups /= groups.sum()
        # 'none of these' is as likely as both readings of the title say
        none = max(1 - float(of_alone.sum()), 0.0) * max(1 - float(of_joined.sum()), 0.0)
        free = 1 - none - float(of_alone[~has_unit].sum())
        shares = of_alone + _JOINED_SHARE * of_joined
        totals = np.bincount(columns[has_unit], shares[has_unit], minlength=len(joint))
        probabilities = of_alone.copy()
        inside = columns[has_unit]
        probabilities[has_unit] = max(free, 0.0) * groups[inside] * shares[has_unit] / np.maximum(totals[inside], 1e-12)
        ranking = replace(both, probabilities=probabilities)
        return ranking.take(np.argsort(-probabilities, kind="stable"))

    def _said(self, kind: str, text: str, gains: Floats | None, ranking: Ranking) -> Said:
        if gains is None:
            return Said(kind, text)
        columns = np.unique(self._columns[ranking.concepts])
        columns = columns[columns >= 0]
        if not len(columns):
            return Said(kind, text)
        first = self._columns[ranking.concepts[0]]
        best = int(first if first >= 0 and gains[first] > 0 else columns[np.argmax(gains[columns])])
        return Said(kind, text, int(self._model.codes[best]), round(float(gains[best]), 4))


def _words(known: dict[str, list[str]]) -> list[str]:
    return [word for words in known.values() for word in words]


def _joined(title: str, known: dict[str, list[str]]) -> str:
    return " ".join([title, *_words(known)[:_MOST_JOINED]])


def _union(alone: Ranking, joined: Ranking) -> Ranking:
    # a further occupation is shown as found by the title itself: its reading is one of the joined title
    further = joined.take(~np.isin(joined.concepts, alone.concepts))
    further = replace(further, places=np.zeros_like(further.places), probabilities=np.zeros(len(further.concepts)))
    return Ranking.concatenated([alone, further])


def _by_concept(ranking: Ranking, concepts: Indices) -> Floats:
    probabilities = dict(zip(ranking.concepts.tolist(), ranking.probabilities.tolist(), strict=True))
    return np.array([probabilities.get(concept, 0.0) for concept in concepts.tolist()])
