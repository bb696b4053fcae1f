"""Names of one occupation that are the general word of many: ESCO has `supervisor` as a name of one in oil refineries.

A title that is such a word means any of the occupations that are named with it. Words that the lexicon has as titles of
their own, such as `Mechanic`, say what they mean.
"""

from collections import defaultdict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from jobmatch_core.linking.scorers import Indices
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import name_forms

MANY = 20  # unit groups from which a word is general


def general_groups(texts: Sequence[str], units: Indices) -> NDArray[np.int32]:
    """Return (name,) the number of unit groups that a name of one word stands for, 0 for names that are not general.

    Args:
        texts: folded names.
        units: (name,) unit group of each one's occupation.
    """
    words = {text for text in texts if " " not in text}
    groups: dict[str, set[int]] = defaultdict(set)
    for text, unit in zip(texts, units.tolist(), strict=True):
        first, blank, rest = text.partition(" ")
        if blank:
            for word in words.intersection((first, rest.rpartition(" ")[2])):
                groups[word].add(unit)
    general = {word: len(found) for word, found in groups.items() if len(found) >= MANY}
    for title in lexicon_titles() if general else ():
        for form in name_forms(title.title):
            general.pop(fold(form), None)
    return np.array([general.get(text, 0) for text in texts], dtype=np.int32)
