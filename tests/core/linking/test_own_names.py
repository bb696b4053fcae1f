"""Own names: accepted titles are answered, similar ones if two annotators agree."""

from concurrent.futures import ThreadPoolExecutor
from datetime import date

import numpy as np
import pytest

from jobmatch_core.entities import LinkResult
from jobmatch_core.judged_title import OwnName
from jobmatch_core.linking import Linker
from jobmatch_core.linking.corrections import ACCEPTED
from jobmatch_core.linking.own_names import NEAR
from jobmatch_core.linking.scorers import TfidfScorer

DAY = date(2026, 11, 21)
TITLES = [
    "Vibemaster",
    "cook",
    "Bäckerin (m/w/d)",
    "Krankenschwestr",
    "Head of Growth",
    "",
    "???",
    "qwrtz",
    "bus drver",
]


def own(title: str, uri: str, *by: str) -> OwnName:
    """Return an accepted title."""
    return OwnName(title, uri, by or ("Ann",), DAY)


def first(result: LinkResult) -> tuple[str, str, OwnName | None]:
    """Return the occupation, the matched name and the accepted title of the answer."""
    assert result.best is not None
    return result.best.uri, result.best.evidence.name, result.best.evidence.own


@pytest.mark.parametrize("linker", ["tiny", "tiny_lexical"])
def test_an_accepted_title_is_answered(linker: str, request: pytest.FixtureRequest) -> None:
    """With and without an encoder; the evidence says who accepted it when."""
    plain: Linker = request.getfixturevalue(linker)
    names = [own("Vibemaster", "baker", "Ann", "Bob"), own("ᚠᚢᚦᚨᚱᚲ", "nurse"), own("cook", "welder")]
    extended = plain.with_own_names(names)
    for name in names:
        result = extended.link(name.title)
        assert first(result) == (name.uri, name.title, name)
        assert ACCEPTED - 1e-9 <= result.candidates[0].probability <= 1
        assert sum(candidate.probability for candidate in result.candidates) <= 1 + 1e-9
    assert extended.link("cook").candidates[1].uri == "cook"


@pytest.mark.parametrize("typed", ["head of vibes", "HEAD OF VIBES!", "Head - of Vibes", "  Héad of  Vibes "])
def test_a_title_that_folds_to_an_accepted_one_is_that_one(tiny: Linker, typed: str) -> None:
    """Case, accents and punctuation do not count, even if cleaning would change the title."""
    accepted = own("Head of Vibes", "accountant")
    assert first(tiny.with_own_names([accepted]).link(typed)) == ("accountant", "Head of Vibes", accepted)


def test_an_acceptance_by_one_annotator_does_not_spread(tiny: Linker) -> None:
    """'nurse' for a baker is answered so; 'nurse assistant' and the like do not change."""
    linker = tiny.with_own_names([own("nurse", "baker", "Ann")])
    assert first(linker.link("nurse"))[0] == "baker"
    for title in ("nurse assistant", "nurses", "registered nurse", "night nurse"):
        assert linker.link(title) == tiny.link(title)


def test_a_title_that_equals_an_accepted_one_when_cleaned_profits(tiny: Linker) -> None:
    """One annotator is enough."""
    linker = tiny.with_own_names([own("Vibemaster (m/w/d)", "baker", "Ann")])
    assert first(linker.link("Vibemaster"))[:2] == ("baker", "Vibemaster (m/w/d)")
    assert linker.link("Vibemastr") == tiny.link("Vibemastr")


def test_near_titles_profit_where_two_agree(tiny: Linker) -> None:
    """Titles with a typo or without a marker are linked by it, with a probability below that of an equal title."""
    names = [own("Kitchenmaster", "cook", "Ann"), own("Vibemaster (m/w/d)", "baker", "Ann", "Bob")]
    linker = tiny.with_own_names(names)
    assert linker.link("Kitchenmastr") == tiny.link("Kitchenmastr")
    for title in ("Vibemaster", "Vibemastr"):
        assert tiny.link(title).best is None
        result = linker.link(title)
        assert first(result)[:2] == ("baker", "Vibemaster (m/w/d)")
        assert tiny.calibration.threshold <= result.candidates[0].probability < 1


def test_of_two_jobs_in_an_accepted_title_neither_is_accepted_alone(tiny: Linker) -> None:
    """The judgment does not say which job was meant."""
    linker = tiny.with_own_names([own("waiter / welder", "bus")])
    assert first(linker.link("waiter / welder"))[0] == "bus"
    assert first(linker.link("waiter"))[0] == "waiter"
    assert first(linker.link("welder"))[0] == "welder"


def test_two_occupations_of_one_title_share_the_probability(tiny: Linker) -> None:
    """Both were accepted; together they have at least `ACCEPTED`."""
    result = tiny.with_own_names([own("Vibemaster", "baker"), own("vibemaster", "cook")]).link("Vibemaster")
    assert {candidate.uri for candidate in result.candidates[:2]} == {"baker", "cook"}
    assert ACCEPTED - 1e-9 <= sum(candidate.probability for candidate in result.candidates[:2]) <= 1


def test_a_title_that_is_also_a_name_of_the_taxonomy_keeps_its_language(tiny: Linker) -> None:
    """'Krankenschwester' is a German name, and was accepted."""
    accepted = own("Krankenschwester", "nurse")
    evidence = tiny.with_own_names([accepted]).link("Krankenschwester").candidates[0].evidence
    assert (evidence.name, evidence.language, evidence.own) == ("Krankenschwester", "de", accepted)


def test_without_own_names_nothing_changes(tiny: Linker) -> None:
    """Results and version are equal, also after own names were removed."""
    again = tiny.with_own_names([own("Vibemaster", "baker")]).with_own_names([])
    assert again.link_all(TITLES) == tiny.link_all(TITLES)
    assert again.system == tiny.system


def test_titles_far_from_every_own_name_are_linked_as_before(tiny: Linker) -> None:
    """Own names do not affect dissimilar titles."""
    linker = tiny.with_own_names([own("Vibemaster", "baker"), own("Grand Vizier", "bus")])
    for title in ("comptable", "electricien", "app developer"):
        assert linker.link(title) == tiny.link(title)


def test_names_of_unknown_occupations_are_left_out(tiny: Linker) -> None:
    """Names of another taxonomy, of an ISCO group that is not linked, or without a letter."""
    linker = tiny.with_own_names([own("Vibemaster", "nobody"), own("drivers", "drivers"), own("???", "baker")])
    assert linker.link_all([*TITLES, "drivers"]) == tiny.link_all([*TITLES, "drivers"])


def test_names_in_some_languages_leave_the_own_ones_in(tiny: Linker) -> None:
    """The language of own names is unknown."""
    linker = tiny.with_own_names([own("Vibemaster", "welder")])
    assert first(linker.link("Vibemaster", languages=["fr"]))[0] == "welder"


def test_a_linker_is_not_changed_by_another_layer(tiny: Linker) -> None:
    """Each linker has its own names; encoded texts are shared."""
    one, other = tiny.with_own_names([own("Vibemaster", "baker")]), tiny.with_own_names([own("Vibemaster", "bus")])
    assert [first(linker.link("Vibemaster"))[0] for linker in (one, other, one)] == ["baker", "bus", "baker"]
    assert tiny.link("Vibemaster").best is None
    assert one.system != other.system
    assert one.version == tiny.version


def test_many_titles_are_linked_as_one_by_one(tiny: Linker) -> None:
    """A batch gives the answers of single titles."""
    linker = tiny.with_own_names([own("Vibemaster", "baker"), own("bus drver", "cook"), own("cook", "cook")])
    for title, together in zip(TITLES, linker.link_all(TITLES), strict=True):
        alone = linker.link(title)
        assert [(candidate.uri, candidate.evidence.own) for candidate in alone.candidates] == [
            (candidate.uri, candidate.evidence.own) for candidate in together.candidates
        ]
        assert [candidate.probability for candidate in alone.candidates] == pytest.approx(
            [candidate.probability for candidate in together.candidates], abs=1e-5
        )


def test_layers_are_made_by_many_threads_at_once(tiny: Linker) -> None:
    """Threads share the encoded texts."""
    titles = [f"Vibemaster {word}" for word in ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")]

    def answered(number: int) -> bool:
        names = [own(title, "baker") for title in titles[: number % len(titles) + 1]]
        return first(tiny.with_own_names(names).link(names[-1].title))[2] == names[-1]

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(answered, range(16)))


def test_the_extended_scorer_knows_new_terms_as_the_rarest() -> None:
    """Of three names two have 'baker', one has 'cook'; the new 'vibes' weighs as much as 'cook'."""
    scorer = TfidfScorer.fit("word", ["baker", "baker cook", "baker"]).subset(np.empty(0, np.intp))
    extended = scorer.extended(["vibes cook"]).extended(["baker"])
    encoded = extended.encode(["vibes", "baker", "unknown"])
    rows, columns = np.array([0, 0, 1, 1, 2]), np.array([0, 1, 0, 1, 0])
    assert extended.pairs(encoded, rows, columns) == pytest.approx([2**-0.5, 0, 0, 1, 0])
    queries, names = extended.nearest(encoded, 5)
    assert set(zip(queries.tolist(), names.tolist(), strict=True)) == {(0, 0), (1, 1)}


def test_only_near_names_are_scored(tiny: Linker) -> None:
    """Each pair is equal, or similar by letters, words or meaning."""
    titles = ("Vibemaster", "Head of Vibes", "Grand Vizier", "Chief Vibe Officer")
    names = [own(title, "baker", "Ann", "Bob") for title in titles]
    layer = tiny.with_own_names(names)._decisions.own
    assert layer is not None
    assert tiny.index.encoder is not None
    queries = ["vibemaster", "vibe officer", "zzz", "grand vizir"]
    pairs = layer.pairs(queries, tiny.index.encoder.encode(queries))
    assert (pairs.scores[:, :3].max(axis=1) >= NEAR).all()
    near = {(queries[query], names[name].title) for query, name in zip(pairs.queries, pairs.names, strict=True)}
    assert {("vibemaster", "Vibemaster"), ("grand vizir", "Grand Vizier")} <= near
    assert not any(query == "zzz" for query, _ in near)
