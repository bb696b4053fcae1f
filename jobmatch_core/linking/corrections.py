"""Corrections by hand beside the fitted model: what each corrects, and why it is not fitted with the weights.

The weights are fitted on names, the lexicon and coded titles, see `docs/design.md`. These are silent on what is
corrected here, or differ in it from the titles of users.
"""

from dataclasses import dataclass

# Probability, together, of the occupations that have a title as a name of the lexicon, or as any name where no trust in
# names is fitted (`equal_names`): a little less than the share of such titles that are of its unit group. Judged titles
# replace it (`ConditionalLogit.exact_name`).
EXACT_NAME = 0.92


@dataclass(frozen=True, slots=True)
class NameRivals:
    """Utility that the occupation of a name loses to others whose names equal the title, too.

    The weights are not fitted on pairs of equal names, since their titles are drawn from names; what other values do
    was tried on a grid (lab/notes/2026-11-28.md).
    """

    # a name of the lexicon, so that a taxonomy's own names come first; not if the bundled taxonomy has the name in its
    # unit group, too
    lexicon: float = 1.5
    # a name of the lexicon against one of the taxonomy that it does not contradict in that one's language: it is then
    # of another language (Dutch `DTP-operator`, a typesetter, and English `DTP operator`)
    foreign: float = 3.0
    part: float = 1.6  # a form of a paired name against a whole name: `sander` of `woodworker/sander`
    # an alternative name of the taxonomy, such as `Krankenschwester` of a nurse assistant in ESCO, against a preferred
    # one of another unit group
    preferred: float = 1.6
    agreed: float = 3.0  # the same against a name that the lexicon and the bundled taxonomy have in another unit group


# Probability, together, of the occupations that have a title as a name where the lexicon alone contradicts a taxonomy's
# alternative name: 131 of 197 such coded titles are of either's unit group.
DISPUTED = 0.66

# Utility that all but managers lose where a title states leadership: they become ten times less likely. Such titles are
# rare among those that are fitted on, and no feature has the word, which is set aside.
NO_MANAGER = 2.3

# Share of the lexicon's titles without an occupation of their own that mean the nearest occupation of their unit group:
# 13 of 60 that we read. The fit knows such titles by their unit group alone.
NEAREST_RIGHT = 0.22

# Probability of an occupation or unit group that people accepted for just this title; not 1, because people err too.
ACCEPTED = 0.99

# Weight of a rejected title beside an accepted one where judged titles move an occupation's vector: that an occupation
# is wrong for a title says less than that it is right.
AWAY = 0.25
