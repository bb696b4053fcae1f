"""What people decided on titles, and how that changes the ranking and the link of a title that equals such a one."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from jobmatch_core.entities import GroupOffer
from jobmatch_core.judged_title import OwnName, Rejection
from jobmatch_core.linking.corrections import ACCEPTED
from jobmatch_core.linking.earlier_decisions import EarlierDecisions, group_code
from jobmatch_core.linking.fusion import settled
from jobmatch_core.linking.own_names import OwnLayer
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True)
class TitleDecisions:
    """Accepted titles, rejections, accepted unit groups, and that no occupation fits; titles are folded."""

    taxonomy: Taxonomy
    own: OwnLayer | None = None  # the titles accepted for occupations; None without any
    earlier: EarlierDecisions = field(default_factory=lambda: EarlierDecisions(()))  # all others

    def __bool__(self) -> bool:
        return self.own is not None or bool(self.earlier)

    @property
    def words(self) -> frozenset[str]:
        """The words of accepted titles."""
        return self.own.words if self.own is not None else frozenset()

    @property
    def scripts(self) -> frozenset[str]:
        """The scripts of accepted titles."""
        return self.own.scripts if self.own is not None else frozenset()

    def described(self, before: str) -> str:
        """Return own names and other decisions with their digests, each after the text *before*; '' without any."""
        own = f"{before}own names {self.own.digest}" if self.own else ""
        return f"{own}{before}decisions {self.earlier.digest}" if self.earlier else own

    def accepted(self, title: str) -> dict[int, OwnName]:
        """Return the own names equal to a title, by concept number."""
        return self.own.accepted(title) if self.own is not None else {}

    def no_occupation(self, title: str, forms: Sequence[str]) -> OwnName | None:
        """Return the decision that no occupation fits, unless the title as typed was accepted for one."""
        if self.accepted(title) or self.earlier.group(title):
            return None
        return self.earlier.no_occupation([title, *forms[-1:]])

    def exist_for(self, title: str, forms: Sequence[str]) -> bool:
        """Return whether people decided on a title in any way."""
        earlier = self.earlier.rejected(title) or self.earlier.group(title) or self.no_occupation(title, forms)
        return bool(self.accepted(title) or earlier)

    def accepted_group(self, title: str, show: str) -> GroupOffer | None:
        """Return the unit group that a title was accepted for, unless it was accepted for an occupation, too."""
        own = self.earlier.group(title)
        if own is None or self.accepted(title):
            return None
        code = group_code(own.uri)
        return GroupOffer(code, self.taxonomy.group_name(code, show), ACCEPTED, own)

    def rejections(self, title: str, show: str) -> tuple[Rejection, ...]:
        """Return what was rejected for a title, with names in a language."""
        concepts = ((self.taxonomy.number(uri), own) for uri, own in self.earlier.rejected(title).items())
        return tuple(
            Rejection(own.uri, self.taxonomy.name(concept, show), self.taxonomy.isco_codes[concept], own)
            for concept, own in concepts
        )

    def applied(self, title: str, forms: Sequence[str], ranking: Ranking) -> Ranking:
        """Return a ranking without rejected occupations, less likely where none fits, accepted ones first."""
        if rejected := self.earlier.rejected(title):
            concepts = [self.taxonomy.number(uri) for uri in rejected]
            ranking = ranking.take(np.flatnonzero(~np.isin(ranking.concepts, concepts)))
        if self.no_occupation(title, forms):
            ranking = replace(ranking, probabilities=(1 - ACCEPTED) * ranking.probabilities)
        accepted = np.isin(ranking.concepts, list(self.accepted(title)))
        if not accepted.any():
            return ranking
        probabilities = settled(np.zeros(len(accepted), np.intp), ranking.probabilities, accepted, ACCEPTED)
        return replace(ranking, probabilities=probabilities).take(np.argsort(-probabilities, kind="stable"))
