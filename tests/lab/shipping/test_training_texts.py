"""What is known of each training text, counted by hand."""

import numpy as np
import pytest

from jobmatch_core.taxonomy import Manifest, Taxonomy
from jobmatch_core.taxonomy.lexicon import LexiconTitle
from jobmatch_core.taxonomy.tables import GROUP, OCCUPATION, TablesBuilder
from lab.shipping.training_texts import NONE, CodedRow, TextCollector, TrainingTexts


def toy(version: str = "1", **names: dict[str, list[str]]) -> Taxonomy:
    """Make a taxonomy: occupation -> language -> names; all but `baker` are of group 5120."""
    builder = TablesBuilder()
    group = builder.concept("C5120", kind=GROUP, code="5120", isco="5120")
    builder.add_names(group, "en", "Cooks", [])
    for name, languages in names.items():
        isco = "7512" if name == "baker" else "5120"
        number = builder.concept(name, kind=OCCUPATION, code=f"{isco}.1", isco=isco)
        for language, (preferred, *others) in languages.items():
            builder.add_names(number, language, preferred, others)
        builder.describe(number, "en", f"The {name} works; at night. ")
        builder.describe(number, "de", "Arbeitet nachts.")
    manifest = Manifest(f"toy-{version}", "toy", version, ("de", "en"), {}, "0" * 64, "", "2024-01-01T00:00:00+00:00")
    return Taxonomy(manifest, builder.build())


@pytest.fixture
def taxonomy() -> Taxonomy:
    """A cook with two English and two German names, one a pair, and a baker with one of each."""
    return toy(
        cook={"en": ["Cook", "Chef de cuisine"], "de": ["Koch/Köchin", "Chef de Cuisine"]},
        baker={"en": ["baker"], "de": ["Bäcker"]},
    )


def known(texts: TrainingTexts) -> dict[str, list[tuple[int, int, int, float, int]]]:
    """Return occupation, group, family, weight and target by text."""
    found: dict[str, list[tuple[int, int, int, float, int]]] = {}
    columns = (texts.occupations, texts.groups, texts.families, texts.weights, texts.targets)
    for text, *values in zip(texts.texts, *(column.tolist() for column in columns), strict=True):
        found.setdefault(text, []).append(tuple(values))
    return found


def test_names_by_hand(taxonomy: Taxonomy) -> None:
    """Eight texts: the German pair gives `koch`, `kochin` and itself; `chef de cuisine` stands once, as English.

    The teacher's texts are `baker`, `chef de cuisine`, `cook` and `cooks`, targets 0 to 3; the occupations' means come
    after them: 4 for the cook, 5 for the baker. The unit group's own name is a title of it, and no occupation's.
    """
    collector = TextCollector()
    collector.add_names(taxonomy)
    texts = collector.collected()
    assert texts.teacher_texts == ["baker", "chef de cuisine", "cook", "cooks"]
    assert known(texts) == {
        "cooks": [(NONE, 0, NONE, 1.0, 3)],
        "cook": [(0, 0, NONE, 1.0, 2)],
        "chef de cuisine": [(0, 0, NONE, 1.0, 1)],
        "koch": [(0, 0, NONE, 1.0, 4)],
        "kochin": [(0, 0, NONE, 1.0, 4)],
        "koch kochin": [(0, 0, NONE, 1.0, 4)],
        "baker": [(1, 1, NONE, 1.0, 0)],
        "backer": [(1, 1, NONE, 1.0, 5)],
    }
    assert texts.target_means == [[2, 1], [0]]
    assert texts.uris == ["cook", "baker"]
    assert texts.occupation_groups.tolist() == [0, 1]
    assert (texts.group_sets, texts.n_families) == ([(0,), (1,)], 0)


def test_left_out_names_are_nowhere(taxonomy: Taxonomy) -> None:
    """Neither as a text nor in the mean of the occupation's English names; of another occupation they stay."""
    collector = TextCollector()
    collector.add_names(taxonomy, frozenset({("cook", "chef de cuisine"), ("cook", "kochin"), ("baker", "cook")}))
    texts = collector.collected()
    assert sorted(texts.texts) == ["backer", "baker", "cook", "cooks", "koch", "koch kochin"]
    assert texts.teacher_texts == ["baker", "cook", "cooks"]
    assert texts.target_means == [[1], [0]]


def test_taxonomies_meet_by_uri(taxonomy: Taxonomy) -> None:
    """A later version's cook is the same occupation; what both say of it is learned once."""
    collector = TextCollector()
    collector.add_names(taxonomy)
    collector.add_names(toy("2", cook={"en": ["cook", "line cook"]}, waiter={"en": ["cook"]}))
    texts = collector.collected()
    found = known(texts)
    assert [occupation for occupation, *_ in found["cook"]] == [0, 2]
    assert [occupation for occupation, *_ in found["line cook"]] == [0]
    assert texts.uris == ["cook", "baker", "waiter"]
    assert texts.occupation_groups.tolist() == [0, 1, 0]


def test_sentences_of_english_descriptions(taxonomy: Taxonomy) -> None:
    """`The cook works; at night. ` has two; they name the occupation, and do not enter its mean."""
    collector = TextCollector()
    collector.add_names(taxonomy)
    n_names = len(collector.collected().texts)
    collector.add_sentences(taxonomy, 0.25)
    texts = collector.collected()
    assert texts.texts[n_names:] == ["the cook works", "at night", "the baker works", "at night"]
    assert texts.occupations[n_names:].tolist() == [0, 0, 1, 1]
    assert texts.weights[n_names:].tolist() == [0.25] * 4
    english = [texts.teacher_texts[target] for target in texts.targets[n_names:]]
    assert english == texts.texts[n_names:]
    assert [[texts.teacher_texts[row] for row in rows] for rows in texts.target_means] == [
        ["cook", "chef de cuisine"],
        ["baker"],
    ]


def test_sentences_of_unknown_occupations_are_left_out(taxonomy: Taxonomy) -> None:
    """Only of those that were added before."""
    collector = TextCollector()
    collector.add_sentences(taxonomy, 0.25)
    assert collector.collected().texts == []


def test_titles_of_groups_and_of_onet(taxonomy: Taxonomy) -> None:
    """Groups are ISCO's that the taxonomy has; O*NET's occupations are numbered as they come."""
    collector = TextCollector()
    collector.add_names(taxonomy)
    n_names = len(collector.collected().texts)
    collector.add_group_titles([("7512", "Bread Maker"), ("9999", "nobody"), ("5120", "!")])
    collector.add_family_titles([("35-1", "Line Cook"), ("51-3", "Baker"), ("35-1", "Grill cook")], 0.5)
    texts = collector.collected()
    assert texts.texts[n_names:] == ["bread maker", "line cook", "baker", "grill cook"]
    assert texts.occupations[n_names:].tolist() == [NONE] * 4
    assert texts.groups[n_names:].tolist() == [1, NONE, NONE, NONE]
    assert texts.families[n_names:].tolist() == [NONE, 0, 1, 0]
    assert texts.weights[n_names:].tolist() == [1.0, 0.5, 0.5, 0.5]
    assert [texts.teacher_texts[target] for target in texts.targets[n_names:]] == texts.texts[n_names:]
    assert texts.n_families == 2


@pytest.mark.parametrize("taught", [True, False])
def test_titles_of_the_lexicon(taxonomy: Taxonomy, *, taught: bool) -> None:
    """Of their occupation, or of their group alone, the nearest occupation aside; both forms of a pair.

    The teacher is asked about English ones only, and a German one has the target of its occupation.
    """
    collector = TextCollector()
    collector.add_names(taxonomy)
    n_names = len(collector.collected().texts)
    titles = [
        LexiconTitle("en", "Line Cook", "5120", "cook", ""),
        LexiconTitle("de", "Jungkoch/Jungköchin", "5120", "cook", ""),
        LexiconTitle("en", "Bread Hero", "7512", "unknown", "baker"),
        LexiconTitle("en", "Nobody", "9999", "", ""),
    ]
    collector.add_lexicon(titles, taught=taught)
    texts = collector.collected()
    assert texts.texts[n_names:] == ["line cook", "jungkoch", "jungkochin", "jungkoch jungkochin", "bread hero"]
    assert texts.occupations[n_names:].tolist() == [0, 0, 0, 0, NONE]
    assert texts.groups[n_names:].tolist() == [0, 0, 0, 0, 1]
    assert ({"line cook", "bread hero"} <= set(texts.teacher_texts)) is taught
    assert not {"jungkoch", "jungkoch jungkochin"} & set(texts.teacher_texts)


@pytest.mark.parametrize("taught", [True, False])
def test_coded_titles_may_mean_several_groups(taxonomy: Taxonomy, *, taught: bool) -> None:
    """A set of groups is a group of its own, made once; unknown groups are left out of it."""
    collector = TextCollector()
    collector.add_names(taxonomy)
    n_names = len(collector.collected().texts)
    both = ("5120", "7512")
    rows = [
        (both, "Food Worker"),
        (("7512",), "Dough Man"),
        (both, "Oven Hand"),
        (("7512", "9999"), "Pie Man"),
        (("9999",), "nobody"),
    ]
    collector.add_coded_titles([CodedRow(codes, title, title) for codes, title in rows], 0.25, taught=taught)
    texts = collector.collected()
    assert texts.texts[n_names:] == ["food worker", "dough man", "oven hand", "pie man"]
    assert texts.groups[n_names:].tolist() == [2, 1, 2, 1]
    assert texts.group_sets == [(0,), (1,), (0, 1)]
    assert texts.occupations[n_names:].tolist() == [NONE] * 4
    assert texts.weights[n_names:].tolist() == [0.25] * 4
    assert ("food worker" in texts.teacher_texts) is taught


def test_translations_have_the_target_of_their_english() -> None:
    """They have no other target; empty ones are left out, and those with empty English have none."""
    collector = TextCollector()
    collector.add_translations([("看護師", "Nurse"), ("…", "dots"), ("寿司", "!"), ("nurse", "nurse")], 0.3)
    texts = collector.collected()
    assert known(texts) == {
        "看護師": [(NONE, NONE, NONE, pytest.approx(0.3), 0)],
        "寿司": [(NONE, NONE, NONE, pytest.approx(0.3), NONE)],
        "nurse": [(NONE, NONE, NONE, pytest.approx(0.3), 0)],
    }
    assert texts.teacher_texts == ["nurse"]


def test_nothing_collected() -> None:
    """Empty columns, of the right types."""
    texts = TextCollector().collected()
    assert texts.texts == []
    assert [len(column) for column in (texts.occupations, texts.groups, texts.weights, texts.targets)] == [0] * 4
    assert (texts.occupations.dtype, texts.weights.dtype, texts.targets.dtype) == (np.int32, np.float32, np.int32)
    assert texts.teacher_targets(np.empty((0, 3), np.float32)).shape == (0, 3)


def test_collecting_twice_gives_the_same(taxonomy: Taxonomy) -> None:
    """`collected` changes nothing."""
    collector = TextCollector()
    collector.add_names(taxonomy)
    first, again = collector.collected(), collector.collected()
    assert first.texts == again.texts
    np.testing.assert_array_equal(first.targets, again.targets)


def test_targets_by_hand(taxonomy: Taxonomy) -> None:
    """Teacher: baker (0, 2), chef (3, 4), cook (1, 0). Normalised: (0, 1), (0.6, 0.8), (1, 0).

    The cook's mean is that of chef and cook as the teacher gives them: (2, 2), normalised (0.71, 0.71); the baker's is
    its only name's.
    """
    collector = TextCollector()
    collector.add_names(taxonomy)
    targets = collector.collected().teacher_targets(np.array([[0, 2], [3, 4], [1, 0]], dtype=np.float32))
    assert targets.dtype == np.float32
    half = 0.5**0.5
    np.testing.assert_allclose(targets, [[0, 1], [0.6, 0.8], [1, 0], [half, half], [0, 1]], rtol=1e-6)


def test_an_occupation_without_english_names_has_a_target_of_zeros() -> None:
    """Its texts' target exists, and is no direction."""
    collector = TextCollector()
    collector.add_names(toy(cook={"de": ["Koch"]}, baker={"en": ["baker"]}))
    texts = collector.collected()
    targets = texts.teacher_targets(np.array([[3, 4], [0, 2]], dtype=np.float32))  # of `baker` and the group's `cooks`
    np.testing.assert_allclose(targets, [[0.6, 0.8], [0, 1], [0, 0], [0.6, 0.8]], rtol=1e-6)
    assert targets[texts.targets[texts.texts.index("koch")]].tolist() == [0, 0]
