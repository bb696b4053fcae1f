"""Names that equal a title: what is known of them, and how far they are trusted."""

from dataclasses import astuple, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.equal_names import EqualNames, NameTrust
from jobmatch_core.linking.examples import CodedTitle, coded_examples
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NO_UNIT, NameIndex
from jobmatch_core.taxonomy import Taxonomy

EVEN = NameTrust(0.0, 1.0, 0.0)  # trusts a name as much as its unit group


def names(
    equal: list[bool],
    units: list[int],
    further: list[bool] | None = None,
    preferred: list[bool] | None = None,
    votes: list[tuple[int, int]] | None = None,
    part: list[bool] | None = None,
) -> EqualNames:
    """Make the names of candidates; no further and no preferred ones, no forms of others, and no votes by default."""
    no = [False] * len(equal)
    flags = (np.array(each, bool) for each in (equal, further or no, preferred or no, part or no))
    return EqualNames(*flags, np.array(votes or [(0, 0)] * len(equal), np.int8), np.array(units))


def test_what_an_index_knows_of_names(tiny_taxonomy: Taxonomy) -> None:
    """A name of the taxonomy may be preferred; a further one, and an accepted title after all entries, never are."""
    own = tiny_taxonomy.tables.names
    row = own.iloc[[own["text"].to_list().index("welder")]]
    index = NameIndex.build(tiny_taxonomy.with_names(row.assign(text="metal joiner", preferred=True)))
    entries = np.array([index.texts.index(text) for text in ("welder", "metal joiner")] + [len(index.texts)])
    concepts = index.concepts[entries[[0, 1, 0]]]
    known = EqualNames.of(index, concepts, entries, np.ones(3, bool))
    assert (known.further.tolist(), known.preferred.tolist()) == ([False, True, True], [True, False, False])
    assert known.units.tolist() == [int(index.units[concepts[0]])] * 3
    unequal = EqualNames.of(index, concepts, entries, np.zeros(3, bool))
    assert not (unequal.further | unequal.preferred).any()


def test_the_probability_of_the_group_by_hand() -> None:
    """Of title 0 both developers count, by a name or not; title 1 has no equal name; title 2 has two groups."""
    known = names([True, False, False, False, True, True], [2512, 2512, 2120, 2512, 2512, 5120])
    sets, probabilities = np.array([0, 0, 0, 1, 2, 2]), np.array([0.1, 0.2, 0.5, 0.9, 0.3, 0.4])
    assert known.in_named_groups(sets).tolist() == [True, True, False, False, True, True]
    assert known.group_masses(sets, probabilities).tolist() == pytest.approx([0.3, 0.0, 0.7])
    assert known.group_masses(sets, probabilities, 4).tolist() == pytest.approx([0.3, 0.0, 0.7, 0.0])


def test_the_group_of_an_equal_name_has_the_fitted_probability() -> None:
    """It may be lower than by the other evidence, to a half, or higher; within the group, the name has nearly all."""
    logit = ConditionalLogit(np.array([1.0]), 0.0, name_trust=NameTrust(-1.0, 1.0, 2.0))
    sets = np.array([0, 0, 0, 1, 2])
    known = names(
        [True, False, False, True, True], [2512, 5120, 2512, 2512, 2512], preferred=[False, False, False, True, False]
    )
    settled = logit.with_names(sets, np.array([0.4, 0.2, 0.1, 0.5, 0.9]), known)
    sibling = (1 - EXACT_NAME) / 6  # of the rest of 0.6, a sixth
    assert settled[0] + settled[2] == pytest.approx(0.5)
    assert settled[2] / settled[0] == pytest.approx(sibling / EXACT_NAME)
    lowered = 9 / (9 + np.e)  # odds of nine, lowered by e
    assert settled[[3, 4]].tolist() == pytest.approx([np.e / (1 + np.e), lowered])


def test_names_of_the_lexicon_and_without_a_group_are_trusted_as_before() -> None:
    """At least `EXACT_NAME`, which a judged share replaces, as it does the fitted probability."""
    for known in (names([True, False], [2512, 5120], further=[True, False]), names([True, False], [NO_UNIT, 5120])):
        for before, after in ((0.1, EXACT_NAME), (0.95, 0.95)):
            logit = ConditionalLogit(np.array([1.0]), 0.0, name_trust=EVEN)
            assert logit.with_names(np.zeros(2, int), np.array([before, 0.04]), known)[0] == pytest.approx(after)
            judged = replace(logit, exact_name=0.5)
            assert judged.with_names(np.zeros(2, int), np.array([before, 0.04]), known)[0] == pytest.approx(0.5)


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.floats(0.01, 1), st.booleans(), st.integers(1, 3)), min_size=1, max_size=9
    ),
    st.floats(-5, 5),
)
@settings(max_examples=150, deadline=None)
def test_the_groups_of_equal_names_have_the_trust(candidates: list[tuple[int, float, bool, int]], bias: float) -> None:
    """At least half, as long as other candidates are left; probabilities stay at most one."""
    candidates.sort(key=lambda row: row[0])
    sets, weights, equal, units = (np.array(column) for column in zip(*candidates, strict=True))
    probabilities = weights / (np.bincount(sets, weights, 3)[sets] + 0.5)
    known, trust = names(equal.tolist(), units.tolist()), NameTrust(bias, 0.1, 0.0)
    logit = ConditionalLogit(np.array([1.0]), 0.0, name_trust=trust)
    settled = logit.with_names(sets, probabilities, known)
    masses, n_sets = known.group_masses(sets, probabilities), sets[-1] + 1
    shares = np.maximum(trust.probabilities(masses, np.zeros(n_sets, bool), np.zeros((n_sets, 2))), 0.5)
    for chosen in set(sets.tolist()):
        mine = sets == chosen
        assert settled[mine].sum() <= 1 + 1e-9
        if (mine & equal).any():
            assert settled[mine & known.in_named_groups(sets)].sum() == pytest.approx(shares[chosen])


def test_the_fit_recovers_the_model() -> None:
    """Of 20,000 titles drawn by it, half of them with a preferred name; the voters speak of two thirds."""
    random = np.random.default_rng(1)
    masses, preferred = random.uniform(0.02, 0.98, 20_000), random.random(20_000) < 0.5
    votes = random.integers(-1, 2, (20_000, 2)).astype(float)
    truth = NameTrust(-0.6, 0.8, 0.7, 0.5, -0.6, 1.2, -1.3)
    right = random.random(20_000) < truth.probabilities(masses, preferred, votes)
    fitted = NameTrust.fit(masses, preferred, votes, right)
    assert astuple(fitted) == pytest.approx(astuple(truth), abs=0.15)


def test_votes_on_the_names_of_a_title() -> None:
    """One for any of its names counts more than one against another."""
    known = names([True, True, True, False], [2221, 5321, 5321, 5120], votes=[(1, 0), (-1, -1), (-1, 0), (0, 0)])
    assert known.votes_of(np.array([0, 0, 1, 2]), 3).tolist() == [[1, -1], [-1, 0], [0, 0]]


def test_alternative_names_against_others() -> None:
    """`Krankenschwester` is an alternative name of one group, of another by the lexicon and the bundled taxonomy."""
    known = names(
        [True, True, True], [5321, 2221, 5321], further=[False, True, False], votes=[(-1, -1), (1, 1), (0, 0)]
    )
    sets = np.array([0, 0, 1])
    assert (known.agreed.tolist(), known.alternative.tolist()) == ([False, True, False], [True, False, True])
    assert known.against(sets, known.agreed).tolist() == [True, False, False]
    assert known.disputed(sets, 2).tolist() == [False, False]
    alone = replace(known, votes=np.array([(-1, 0), (1, 0), (0, 0)], np.int8))
    assert alone.disputed(sets, 2).tolist() == [True, False]


def test_names_of_the_lexicon_in_another_language() -> None:
    """Beside a name that the lexicon does not have in its language, nor beside a form of one; not where it does."""
    equal, further = [True] * 6, [False, True] * 3
    sets, votes = np.array([0, 0, 1, 1, 2, 2]), [(0, 0), (1, 0), (-1, 0), (1, 0), (0, 0), (1, 0)]
    known = names(equal, [2166, 7321] * 3, further, votes=votes, part=[False] * 4 + [True, False])
    assert known.foreign(sets).tolist() == [False, True, False, False, False, False]


def test_it_is_fitted_on_titles_that_equal_a_name_of_the_taxonomy(tiny_taxonomy: Taxonomy) -> None:
    """Not without right ones and wrong ones among them, nor on titles that equal none."""
    index = NameIndex.build(tiny_taxonomy)
    names_of_index = [text for text in index.texts if " " in text]
    unit = {text: int(index.units[index.concepts[index.texts.index(text)]]) for text in names_of_index}
    right = [CodedTitle(text, (unit[text],)) for text in names_of_index]
    wrong = [CodedTitle(text, (9999,)) for text in names_of_index[::3]]
    logit = ConditionalLogit(np.ones(len(coded_examples(index, right).candidates.features[0])), 3.0)
    assert coded_examples(index, right).name_trust(logit) is None
    assert coded_examples(index, [CodedTitle("qqqq", (9999,)), *right]).name_trust(logit) is None
    seldom, often = (coded_examples(index, right + wrong[:n]).name_trust(logit) for n in (1, len(wrong)))
    assert seldom is not None
    assert often is not None
    sure = np.array([0.99]), np.zeros(1, bool), np.zeros((1, 2))
    assert often.probabilities(*sure)[0] < seldom.probabilities(*sure)[0]
