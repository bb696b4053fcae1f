"""Corrections by hand beside the fitted model: what each corrects, and why it is not fitted with the weights.

The weights are fitted on names, the lexicon and coded titles, see `docs/design.md`. These are silent on what is
corrected here, or differ in it from the titles of users.
"""

# Probability, together, of the occupations that have a title as a name of the lexicon, or as any name where no trust in
# names is fitted (`equal_names`): a little less than the share of such titles that are of its unit group. Judged titles
# replace it (`ConditionalLogit.exact_name`).
EXACT_NAME = 0.92

# Utility that an equal name of the lexicon loses against an equal name of the taxonomy. With equal odds 99.4 % of the
# English names that one occupation has come first, with this 99.5 %. The fit has no such pairs of names.
OWN_NAME_FIRST = 0.6

# What an alternative name of a taxonomy, such as `Krankenschwester` of a nurse assistant in ESCO, loses of its utility
# against an equal name of another unit group: a preferred one, or one on which the lexicon and the bundled taxonomy
# agree. Of coded titles that equal such names, 118 are of the preferred one's group and 24 of the alternative's; 63 of
# the agreed one's and 2 of the alternative's (lab/notes/2026-11-28.md): the logarithms of these odds, the latter
# with one more on both sides. The weights are not fitted on pairs of equal names, since their titles are drawn from
# names.
AGAINST_PREFERRED = 1.6
AGAINST_AGREED = 3.0

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
