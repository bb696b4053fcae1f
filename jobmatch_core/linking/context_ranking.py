"""Rankings of titles in their context: the linker's probabilities with the evidence of what is known beside them."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from jobmatch_core.linking.arrays import Floats, Indices
from jobmatch_core.linking.context import Context
from jobmatch_core.linking.context_model import ContextModel
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.ranking import BY_CONTEXT, Ranking

_LEAST = 1e-4  # probability that a unit group has for the linker at least
# weights of log-probabilities: of a title's known words (fitted on coded titles), and of its unknown ones (by hand)
_JOINED, _JOINT = 0.23, 0.63
_ALONE, _UNKNOWN_JOINED, _BY_CONTEXT = 0.5, 0.3, 0.4
_JOINED_SHARE = 0.5  # of the joined title in the shares of a unit group's occupations
_MOST_JOINED = 8  # words of a context behind a title
_MOST_PROPOSED, _LEAST_PROPOSED = 3, 0.02  # unit groups without a candidate, and their probability
Words = dict[str, list[str]]  # name of a text beside a title -> its known words
Said = dict[str, tuple[int, float]]  # name of such a text -> the code of the unit group it speaks for, its log-odds
Rank = Callable[[Sequence[str]], list[Ranking]]


class ContextRanker:
    """Ranks titles in their contexts."""

    def __init__(self, model: ContextModel, index: NameIndex, rank: Rank) -> None:
        """Prepare the ranking by *model* of the occupations of *index*; *rank* ranks titles alone."""
        self._model, self._index, self._rank = model, index, rank
        places = np.minimum(np.searchsorted(model.codes, index.units), len(model.codes) - 1)
        self._columns = np.where(model.codes[places] == index.units, places, -1)  # (concept,) column of the unit group

    def ranked(
        self, titles: Sequence[tuple[str, Context]], rankings: Sequence[Ranking]
    ) -> tuple[list[Ranking], list[Said]]:
        """Return the rankings of titles in their contexts, and what the texts beside each say.

        The ranking of a title without a known text is the same.

        Args:
            titles: titles as typed, each with its context.
            rankings: ranking of each title alone.
        """
        known: list[Words] = [
            {kind: words for kind, text in context.texts if (words := self._model.known_words(text))}
            for _, context in titles
        ]
        asked = [row for row, words in enumerate(known) if words]
        joined = (
            self._rank([" ".join([titles[row][0], *_all(known[row])[:_MOST_JOINED]]) for row in asked]) if asked else []
        )
        ranked, said = list(rankings), [Said() for _ in titles]
        for row, of_joined in zip(asked, joined, strict=True):
            ranked[row], said[row] = self._ranked(titles[row][0], known[row], rankings[row], of_joined)
        return ranked, said

    def _ranked(self, title: str, known: Words, alone: Ranking, joined: Ranking) -> tuple[Ranking, Said]:
        without = [_all({other: known[other] for other in known if other != kind}) for kind in known]
        pairs = [(title, _all(known)), ("", _all(known)), ("", []), *((title, others) for others in without)]
        logs = self._model.log_probabilities(pairs)
        groups = self._groups(title, logs[0], logs[1] - logs[2], alone, joined)
        both = self._union(alone, joined, groups)
        columns = self._columns[both.concepts]
        inside = columns >= 0
        if not inside.any():
            return alone, {}
        of_alone, of_joined = _by_concept(alone, both.concepts), _by_concept(joined, both.concepts)
        # 'none of these' is as likely as both readings of the title say
        none = max(1 - float(of_alone.sum()), 0.0) * max(1 - float(of_joined.sum()), 0.0)
        free = max(1 - none - float(of_alone[~inside].sum()), 0.0)
        shares = of_alone + _JOINED_SHARE * of_joined + 1e-9  # even in a proposed group
        totals = np.bincount(columns[inside], shares[inside], minlength=len(groups))
        probabilities = of_alone.copy()
        probabilities[inside] = free * groups[columns[inside]] * shares[inside] / totals[columns[inside]]
        ranking = replace(both, probabilities=probabilities).take(np.argsort(-probabilities, kind="stable"))
        first = int(self._columns[ranking.concepts[0]])
        said = {kind: self._said(logs[0], others, columns, first) for kind, others in zip(known, logs[3:], strict=True)}
        return ranking, said

    # (unit group,) probabilities by the title alone, with the context's words behind it, and by the context model
    def _groups(self, title: str, joint: Floats, by_context: Floats, alone: Ranking, joined: Ranking) -> Floats:
        share = self._model.known_share(title)
        log_alone, log_joined = (np.log(self._masses(ranking) + _LEAST) for ranking in (alone, joined))
        known = _JOINED * log_joined + _JOINT * joint
        unknown = _ALONE * log_alone + _UNKNOWN_JOINED * log_joined + _BY_CONTEXT * by_context
        utilities = share * known + (1 - share) * unknown
        groups = np.exp(utilities - utilities.max())
        return np.asarray(groups / groups.sum())

    def _masses(self, ranking: Ranking) -> Floats:
        columns = self._columns[ranking.concepts]
        inside = columns >= 0
        masses = np.bincount(columns[inside], ranking.probabilities[inside], minlength=len(self._model.codes))
        return masses.astype(np.float64)

    # candidates of both readings, and all occupations of likely unit groups that have none
    def _union(self, alone: Ranking, joined: Ranking, groups: Floats) -> Ranking:
        further = joined.take(~np.isin(joined.concepts, alone.concepts))
        both = Ranking.concatenated([alone, replace(further, places=np.full_like(further.places, BY_CONTEXT))])
        left = groups.copy()
        columns = self._columns[both.concepts]
        left[columns[columns >= 0]] = 0
        likely = [column for column in np.argsort(-left)[:_MOST_PROPOSED].tolist() if left[column] >= _LEAST_PROPOSED]
        members = np.flatnonzero(np.isin(self._columns, likely) & ~self._index.groups).tolist()
        named = [(concept, names[0]) for concept in members if len(names := self._index.entries_of(concept))]
        if not named:
            return both
        concepts, entries = np.array(named, dtype=np.intp).T
        places, shares = np.full(len(named), BY_CONTEXT), np.zeros((len(named), alone.shares.shape[1]))
        return Ranking.concatenated([both, Ranking(concepts, entries, places, shares, np.zeros(len(named)))])

    # the unit group that a text speaks for: that of the first candidate if it makes it likelier, or else that of the
    # candidates whose probability it raises most
    def _said(self, logs: Floats, without: Floats, columns: Indices, first: int) -> tuple[int, float]:
        offered, gains = np.unique(columns[columns >= 0]), logs - without
        raised = (np.exp(logs) - np.exp(without))[offered]
        best = first if first >= 0 and gains[first] > 0 else int(offered[np.argmax(raised)])
        return int(self._model.codes[best]), round(float(gains[best]), 4)


def _all(known: Words) -> list[str]:
    return [word for words in known.values() for word in words]


def _by_concept(ranking: Ranking, concepts: Indices) -> Floats:
    probabilities = dict(zip(ranking.concepts.tolist(), ranking.probabilities.tolist(), strict=True))
    return np.array([probabilities.get(concept, 0.0) for concept in concepts.tolist()])
