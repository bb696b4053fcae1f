"""Simulated lists."""

from jobmatch_core.crosswalks.mapping import CLOSE, PREDICTED
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
