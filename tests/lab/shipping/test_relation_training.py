"""Simulated lists, and the wrong candidates beside their right pairs."""

import numpy as np

from jobmatch_core.crosswalks.mapping import CLOSE, PREDICTED
from jobmatch_core.encoders.loading import shipped_encoder
from lab.shipping.relation_training import with_wrong_ones
from lab.shipping.simulated_lists import EscoLanguage, simulated_pairs

NAMES = {
    "baker": ["baker", "bread baker", "artisan baker"],
    "confectioner": ["confectioner", "pastry cook"],
    "nurse": ["nurse", "registered nurse"],
    "icu": ["intensive care nurse", "ICU nurse"],
    "midwife": ["midwife"],
}
GROUPS = {"baker": "7512", "confectioner": "7512", "nurse": "2221", "icu": "2221", "midwife": "2222", "doula": "2222"}
ESCO = EscoLanguage(
    NAMES, {"doula": ["doula"]}, GROUPS, {"7512": "Bakers", "2221": "Nurses", "2222": "Midwives"}, {"icu": "nurse"}
)


def test_simulated_pairs() -> None:
    """For many seeds: every code has a concept, no concept is of the later release alone, and a seed repeats a list."""
    seen = set()
    for seed in range(40):
        pairs, relations = simulated_pairs(ESCO, seed)
        again, same = simulated_pairs(ESCO, seed)
        assert (pairs.sources, relations.tolist()) == (again.sources, same.tolist())
        assert sorted(set(pairs.source_of.tolist())) == list(range(len(pairs.sources)))
        assert {target.uri for target in pairs.targets} <= set(NAMES)
        assert len(relations) == len(pairs)
        seen |= {PREDICTED[relation] for relation in relations}
        for source, target, relation in zip(pairs.source_of, pairs.target_of, relations, strict=True):
            if pairs.sources[source].name == "doula":
                assert PREDICTED[relation] == CLOSE, pairs.targets[target]  # nothing above it is known
    assert seen == set(PREDICTED)


def test_wrong_candidates() -> None:
    """The right pairs stay, and each code gets others, which are not right."""
    pairs, _ = simulated_pairs(ESCO, 3)
    candidates, right = with_wrong_ones(pairs, shipped_encoder())
    ends = [*zip(candidates.source_of.tolist(), candidates.target_of.tolist(), strict=True)]
    assert len(set(ends)) == len(ends)
    assert {end for end, is_right in zip(ends, right, strict=True) if is_right} == set(
        zip(pairs.source_of.tolist(), pairs.target_of.tolist(), strict=True)
    )
    assert np.unique(candidates.source_of[~right]).size == len(pairs.sources)
