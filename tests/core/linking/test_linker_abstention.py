"""The linker where no occupation is sure: nothing, a reason, a unit group, or the offer of a higher group."""

import dataclasses
from datetime import date

import numpy as np
import pytest

from jobmatch_core.judged_title import OwnName
from jobmatch_core.link_reasons import NO_JOB, NOT_SURE, NOTHING_LIKE_IT, REJECTED, SEVERAL, UNKNOWN_WORD
from jobmatch_core.linking import Linker
from jobmatch_core.linking.abstention import GROUP_CONFIDENCE
from jobmatch_core.linking.calibration import Calibration
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.taxonomy.taxonomy import Taxonomy
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.relatives import RELATIVE
from tests.core.linking.compared_links import with_threshold

NONSENSE = [
    "qwrtz xkcd",
    "asdfghjkl",
    "jkl jkl",
    "xxx",
    "N/A",
    "12345",
    "#4711",
    "...",
    "London",
    "Berlin",
    "lorem ipsum dolor",
    "https://example.org",
    "(m/w/d)",
    "Senior",
    "シャーロック",
    "قطة",
]


@pytest.mark.parametrize("title", NONSENSE)
def test_abstains_on_nonsense(bundled: Linker, title: str) -> None:
    """Neither an occupation nor a group is linked or offered."""
    result = bundled.link(title)
    assert result.abstained
    assert result.best is None
    assert result.group is None


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("cook", ""),
        ("Student", NO_JOB),
        ("⭐⭐⭐", NO_JOB),
        ("", NO_JOB),
        ("12345", NO_JOB),
        ("xkcd artist", UNKNOWN_WORD),
        ("jkl jkl", NOTHING_LIKE_IT),
        ("doctor's wife", RELATIVE),
        ("advokatsänka", RELATIVE),
        ("widow of a lawyer", RELATIVE),
        ("wife", RELATIVE),
    ],
)
def test_the_reason_why_nothing_is_linked(bundled: Linker, title: str, reason: str) -> None:
    """No reason for a link; general words or signs; no similar name."""
    assert bundled.link(title).reason == reason


def test_several_occupations_of_a_name_are_a_reason_whatever_is_shown(tiny: Linker) -> None:
    """Also with one candidate in the answer; one name that is not sure enough is another reason."""
    unsure = with_threshold(tiny, 0.999)
    for top in (1, 5):
        assert unsure.link("developer", top=top).reason == SEVERAL
        assert unsure.link("cook", top=top).reason == NOT_SURE


def test_an_unknown_word_is_a_reason_until_a_title_with_it_is_accepted(tiny: Linker) -> None:
    """In the cleaned title and its readings; numbers and pieces that are set aside do not count."""
    unsure = with_threshold(tiny, 0.999)
    assert unsure.link("cook dev").reason == NOT_SURE
    assert unsure.link("snorlax dev").reason == UNKNOWN_WORD
    assert unsure.link("snorlax cook").reason == UNKNOWN_WORD
    assert unsure.link("cook 4711 (m/w/d)").reason == NOT_SURE
    taught = unsure.with_own_names(
        [OwnName("snorlax baker", unsure.link("baker").candidates[0].uri, ("Eva",), date(2026, 11, 25))]
    )
    assert taught.link("snorlax cook").reason == NOT_SURE


def test_the_unknown_words_are_named(tiny: Linker) -> None:
    """Folded, each once, in the order of the title; numbers, ignored pieces and known abbreviations are none."""
    unsure = with_threshold(tiny, 0.999)
    assert unsure.link("Snörlax cook").unknown == ("snorlax",)
    assert unsure.link("Vibe-snorlax cook 4711 vibe (m/w/d)").unknown == ("vibe", "snorlax")
    assert unsure.link("cook dev").unknown == ()
    assert tiny.link("cook").unknown == ()


def test_unknown_words_are_named_only_where_they_are_the_reason(tiny: Linker) -> None:
    """Not for a link, nor where the title is rejected, in another script, several jobs' name, or like nothing."""
    uri = tiny.link("cook").candidates[0].uri
    unsure = with_threshold(tiny, 0.999)
    assert unsure.link("snorlax cook").unknown
    linked = with_threshold(tiny, 0.0, 1.1).link("snorlax cook")
    assert (linked.level, linked.reason, linked.unknown) == ("occupation", "", ())
    refused = unsure.with_own_names([OwnName("snorlax cook", uri, ("Eva",), date(2026, 11, 25), rejected=True)])
    assert (refused.link("snorlax cook").reason, refused.link("snorlax cook").unknown) == (REJECTED, ())
    runes = unsure.link("ᚠᚢᚦᚨᚱᚲ ᚷᚹ")
    assert (runes.reason, runes.unknown) == ("no names in Runic", ())


@pytest.mark.parametrize(
    "words", [("nurse", "snorlax"), ("xkcd",), ("cook", "Käfzer", "vibe"), ("developer",), ("zz",)]
)
@pytest.mark.parametrize("threshold", [0.0, 0.5, 0.999])
def test_unknown_words_and_their_reason_go_together(tiny: Linker, words: tuple[str, ...], threshold: float) -> None:
    """One without the other does not occur, and each is a word of the title that no name has."""
    result = with_threshold(tiny, threshold, threshold).link(" ".join(words))
    assert bool(result.unknown) == (result.reason == UNKNOWN_WORD)
    assert set(result.unknown) <= {fold(word) for word in words} - tiny.index.known_words


@pytest.mark.parametrize("title", ["", "   ", "\n\t", "😀", "⭐⭐⭐", "!?", "-", "\x00"], ids=repr)
def test_nothing_to_link(bundled: Linker, title: str) -> None:
    """No candidates, alone or in a batch, and no effect on other titles of the batch."""
    result = bundled.link(title)
    assert (result.title, result.candidates, result.abstained, result.group) == (title, (), True, None)
    before, empty, after = bundled.link_all(["Koch", title, "baker"])
    assert (empty.candidates, empty.abstained) == ((), True)
    assert [result.candidates[0].isco for result in (before, after)] == ["5120", "7512"]


def test_the_unit_group_is_linked_where_two_of_its_occupations_split_the_probability(tiny: Linker) -> None:
    """`developer` is a name of two occupations of 2512, neither sure from .9 on; together they are.

    That is a link: whoever needs the unit group has it. It used to be an offer of an abstaining linker.
    """
    result = with_threshold(tiny, 0.9, 0.8).link("developer", show="de")
    first, second = result.candidates[:2]
    assert {first.uri, second.uri} == {"app", "backend"}
    assert (result.abstained, result.level, result.best) == (False, "unit group", None)
    assert result.group is not None
    assert (result.group.code, result.group.name) == ("2512", tiny.taxonomy.group_name("2512", "de"))
    assert result.group.probability == pytest.approx(first.probability + second.probability, abs=0.02)
    assert 0.9 < result.group.probability <= 1
    assert result.probability == result.group.probability


def test_a_unit_group_below_its_threshold_is_only_offered(tiny: Linker) -> None:
    """The linker abstains then, as it does with a higher group, however likely that is."""
    result = with_threshold(tiny, 0.99, 0.999).link("developer")
    assert (result.abstained, result.level) == (True, "")
    assert result.group is not None
    assert result.group.code == "2512"
    assert result.probability == result.candidates[0].probability


@pytest.mark.parametrize(
    ("threshold", "level", "order"),
    [(0.55, "unit group", ["app", "backend", "cook"]), (0.99, "", ["app", "cook", "backend"])],
)
def test_a_groups_occupations_come_first(
    tiny_taxonomy: Taxonomy, tiny_index: NameIndex, threshold: float, level: str, order: list[str]
) -> None:
    """Two developers of .31 and .3 are a group of .61, and a cook has .35.

    All of a linked group's occupations come first. Where the linker abstains, the likeliest one of the group that is
    offered does, and the others stand by probability, so that a person sees what else the title may mean.
    """
    numbers = [tiny_taxonomy.number(uri) for uri in ("cook", "app", "backend")]
    fitted = dataclasses.replace(Calibration.fit(tiny_index, n_titles=20), threshold=0.9, unit_threshold=threshold)
    ranking = Ranking(
        np.array(numbers),
        np.zeros(3, np.intp),
        np.zeros(3, np.intp),
        np.zeros((3, len(fitted.scorers))),
        np.array([0.35, 0.31, 0.3]),
    )
    linker = Linker(tiny_taxonomy, tiny_index, fitted)
    result = linker._result(tiny_index, linker._read("x"), ranking, {}, "en", 5)
    assert [candidate.uri for candidate in result.candidates] == order
    assert (result.level, result.group and result.group.probability) == (level, pytest.approx(0.61))


def test_another_precision(tiny: Linker) -> None:
    """A second linker with other thresholds and another version; the first does not change."""
    before = tiny.version
    strict, loose = tiny.with_precision(0.99), tiny.with_precision(0.5)
    assert strict.calibration == tiny.calibration.at_precision(0.99)
    assert strict.calibration.threshold > loose.calibration.threshold
    assert len({strict.version, loose.version, tiny.version}) == 3
    assert (tiny.version, strict.index) == (before, tiny.index)
    one, other = strict.link("developer"), loose.link("developer")
    assert [candidate.probability for candidate in one.candidates] == [
        candidate.probability for candidate in other.candidates
    ]


def test_no_group_is_offered_where_the_linker_is_sure(tiny: Linker) -> None:
    """No group is offered either where the probabilities are spread over unrelated groups."""
    assert tiny.link("welder").group is None
    split = with_threshold(tiny, 0.99).link("cook / bus driver")
    assert split.abstained
    assert split.group is None or split.group.probability >= GROUP_CONFIDENCE


def test_a_higher_group_is_offered_where_no_unit_group_is_sure(bundled: Linker) -> None:
    """`Lehrkraft` says only that somebody teaches: sub-major group 23."""
    result = bundled.link("Lehrkraft", show="de")
    assert result.abstained
    assert result.group is not None
    assert result.group.code == "23"
    assert result.group.name == "Lehrkräfte"
    assert result.group.probability >= GROUP_CONFIDENCE
