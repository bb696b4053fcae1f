"""Skills by their names: longest first, at word borders, in any script, with offsets that are true.

Skills of postings, and their names out of a taxonomy.
Skills that are mentioned, with what a taxonomy knows of them; occupations as postings; names as a title space.
"""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.descriptions.jdan_data import occupation_postings
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.skills import Mention, SkillMatcher, skill_facts, skill_names, with_skills
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.text.folding import fold
from tests.made_taxonomy import skilled_taxonomy

NAMES = {
    "python": ["Python", "Python programming"],
    "java": ["Java"],
    "script": ["JavaScript", "Java script"],
    "cpp": ["C++"],
    "c": ["C"],
    "net": [".NET", "ASP.NET"],
    "less": ["LESS"],
    "sas": ["SAS"],
    "teams": ["lead teams", "mener des équipes", "Teams führen"],
    "lead": ["lead"],
    "milk": ["milk cows", "kühe melken", "доить коров"],
    "care": ["soins", "看護", "간호", "رعاية", "नर्सिंग देखभाल"],
    "nurse": ["看護師"],
}


def found(text: str, names: dict[str, list[str]] | None = None) -> list[tuple[str, str]]:
    """Return what was found: how it is written, and the skill."""
    return [(mention.text, mention.uri) for mention in SkillMatcher(names or NAMES).find(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We use Python.", [("Python", "python")]),
        ("python programming, python", [("python programming", "python"), ("python", "python")]),
        ("You know Java script and Java", [("Java script", "script"), ("Java", "java")]),
        ("javanese pythons", []),
        ("C++, C and c", [("C++", "cpp"), ("C", "c")]),
        ("in .NET and ASP.NET", [(".NET", "net"), ("ASP.NET", "net")]),
        ("no less than LESS in SAS, sas", [("LESS", "less"), ("SAS", "sas")]),
        ("You LEAD\n  Teams", [("LEAD\n  Teams", "teams")]),
        ("Mener des Equipes", [("Mener des Equipes", "teams")]),
        ("Sie können Kühe melken und teams-führen", [("Kühe melken", "milk"), ("teams-führen", "teams")]),
        ("Умеете доить коров?", [("доить коров", "milk")]),
        ("急性期の看護を看護師が", [("看護", "care"), ("看護師", "nurse")]),
        ("간호를 합니다", [("간호", "care")]),
        ("خبرة في رعاية، المرضى", [("رعاية", "care")]),
        ("नर्सिंग देखभाल। और", [("नर्सिंग देखभाल", "care")]),
        ("", []),
    ],
)
def test_find(text: str, expected: list[tuple[str, str]]) -> None:
    """Case, accents and what stands between words do not matter; short names and acronyms count as written."""
    assert found(text) == expected


def test_the_longest_first() -> None:
    """Also where a shorter one begins before it; what that leaves free counts again."""
    names = {"ab": ["aaaa bbbb"], "bcd": ["bbbb cccc dddd"], "a": ["aaaa"]}
    assert found("aaaa bbbb cccc dddd", names) == [("aaaa", "a"), ("bbbb cccc dddd", "bcd")]
    assert found("aaaa bbbb cccc", names) == [("aaaa bbbb", "ab")]


def test_a_shared_name_is_that_of_whose_list_it_begins() -> None:
    """Preferred names stand first; of two such the first skill counts."""
    assert found("welding", {"x": ["join metal", "welding"], "y": ["welding"], "z": ["welding"]}) == [("welding", "y")]


def test_offsets() -> None:
    """Into the text as it was given, composed letters or not."""
    text = "Ku\u0308he melken; LEAD teams"
    matcher = SkillMatcher(NAMES)
    assert matcher.find(text) == (Mention(0, 12, "Ku\u0308he melken", "milk"), Mention(14, 24, "LEAD teams", "teams"))
    assert matcher.uris(f"{text} {text}") == ("milk", "teams")


def test_names_that_say_nothing() -> None:
    """They are found nowhere."""
    assert found("- / ,", {"x": ["-", "", " / "]}) == []


WORDS = st.sampled_from(["aaaa", "bbbb", "cccc", "Aaaa", "dddd"])
PHRASES = st.lists(WORDS, min_size=1, max_size=3).map(" ".join)


@given(st.dictionaries(st.sampled_from("xyz"), st.lists(PHRASES, min_size=1, max_size=3)), st.lists(WORDS, max_size=12))
def test_equals_a_naive_search(names: dict[str, list[str]], words: list[str]) -> None:
    """Every stretch of words, the longest first, the leftmost of those, if nothing longer has taken a word of it."""
    folded = {fold(name) for texts in names.values() for name in texts}
    taken: set[int] = set()
    expected = []
    for size in range(len(words), 0, -1):
        for start in range(len(words) - size + 1):
            stretch = range(start, start + size)
            if fold(" ".join(words[start : start + size])) in folded and taken.isdisjoint(stretch):
                taken.update(stretch)
                expected.append((start, size))
    text = " ".join(words)
    mentions = SkillMatcher(names).find(text)
    assert [(text[: m.start].count(" "), m.text.count(" ") + 1) for m in mentions] == sorted(expected)


@given(st.text())
def test_any_text(text: str) -> None:
    """Mentions stand in order, do not overlap, and are what the text has there."""
    mentions = SkillMatcher(NAMES).find(text + " Java " + text)
    assert any(mention.uri in ("java", "script") for mention in mentions)
    assert all(before.end <= behind.start for before, behind in pairwise(mentions))
    assert all((text + " Java " + text)[each.start : each.end] == each.text for each in mentions)


def test_names_of_the_bundled_skills() -> None:
    """The preferred English one first, then other preferred ones; every skill has its own."""
    taxonomy = TaxonomyStore.open().load()
    names = skill_names(taxonomy)
    assert list(names) == taxonomy.tables.skills["uri"].to_list()
    table = taxonomy.tables.skill_names
    for number, uri in list(enumerate(names))[:20]:
        own = table[table["skill"] == number]
        english = own[(own["language"] == "en") & own["preferred"]]["text"].to_list()
        assert names[uri][0] == english[0]
        assert sorted(names[uri]) == sorted(own["text"])
        n_preferred = int(own["preferred"].sum())
        assert set(names[uri][:n_preferred]) == set(own[own["preferred"]]["text"])


def test_a_skill_is_called_by_its_first_name() -> None:
    """Whichever of its names was found; what the posting had before is gone."""
    names = {"x": ["welding", "schweißen"], "y": ["grinding"]}
    [found] = with_skills([Posting("1", "Schweißer", "Sie schweißen, welding, grinding", ("old",))], names)
    assert found.skills == ("welding", "grinding")


TAXONOMY = skilled_taxonomy()


def test_facts_by_hand() -> None:
    """Each skill once, with its words, its name in the language asked for, and who asks for it."""
    [first, *_] = skill_names(TAXONOMY).values()
    text = f"We love {first[0]}. And {first[0].upper()}, too."
    [fact] = skill_facts(TAXONOMY, SkillMatcher(skill_names(TAXONOMY)).find(text), "de")
    assert fact.mentions == (first[0], first[0].upper())
    assert fact.name != first[0]
    assert (fact.kind, fact.n_occupations) == ("skill", 1)
    assert [each.name for each in fact.occupations] == ["Programmierer"]
    assert skill_facts(TAXONOMY, []) == []


def test_occupations_as_postings() -> None:
    """A posting an English name; the names of one occupation share their text, a line a skill."""
    found = list(occupation_postings(TAXONOMY))
    assert [each.title for each in found][:4] == ["coder", "program writer", "site builder", "web maker"]
    assert found[0].description == found[1].description != found[2].description
    assert [each.occupation_name for each in found][:4] == ["coder", "coder", "site builder", "site builder"]
    assert len(found[0].description.splitlines()) == 9
    assert len({each.id for each in found}) == len(found) == 12
