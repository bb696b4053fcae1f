"""Which words are marked: by hand, and that a text parted is the text again."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.retrieval.shared_words import SharedWords

PROJECT = Project(
    id="p", language="en", title="Data engineer", job_title="", description="", family="", family_name="", category="",
    category_name="", mandatory=(NamedSkill("ml", "machine learning"), NamedSkill("cpp", "C++")), bonus=(),
)  # fmt: skip
FREELANCER = Freelancer(
    id="f", language="pl", title="", description="", experience="", family="", family_name="", category="",
    category_name="", skills=(NamedSkill("ml", "uczenie maszynowe"), NamedSkill("sap", "SAP")),
)  # fmt: skip


def marked(project: str, profile: str) -> tuple[list[str], list[str]]:
    """Return what is marked of a project's text and of a profile's."""
    wanted, offered = replace(PROJECT, description=project), replace(FREELANCER, description=profile)
    words = SharedWords.of(wanted, offered)
    return (
        [span.text for span in words[0].mark(project) if span.shared],
        [span.text for span in words[1].mark(profile) if span.shared],
    )


def test_words_that_both_use() -> None:
    """Whatever their case and accents; short and common words say nothing."""
    assert marked("We do Logistique for the 2024 fair", "logistiqué, for the 2024 fair") == (
        ["Logistique", "fair"], ["logistiqué", "fair"],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "About their work with others"),
        ("de", "Über können müssen während"),
        ("fr", "Avec dans pour entre été étée"),
    ],
)
def test_stop_words_are_no_match(language: str, text: str) -> None:
    """Whatever their accents, and where the language is only to be guessed from the text."""
    wanted, offered = (replace(each, language=language, description=text) for each in (PROJECT, FREELANCER))
    assert [span.shared for words in SharedWords.of(wanted, offered) for span in words.mark(text)] == [False, False]
    assert marked("they have been about the tables", "the tables, they have been about") == (["tables"], ["tables"])


def test_names_of_a_skill_that_both_have() -> None:
    """Across languages, each in its own words, as one span."""
    assert marked("you know machine learning.", "znam uczenie  maszynowe (5 lat)") == (
        ["machine learning"], ["uczenie  maszynowe"],
    )  # fmt: skip


def test_names_of_a_skill_that_the_other_side_only_writes() -> None:
    """A profile's text that names what is asked for, and a project's that names what is declared."""
    assert marked("SAP is a bonus", "I wrote C++; not C") == (["SAP"], ["C++"])


def test_a_full_stop_is_no_part_of_a_word() -> None:
    """Nor are other marks beside it."""
    assert marked("“Rust.” and logistics…", "Logistics! RUST?") == (["Rust", "logistics"], ["Logistics", "RUST"])


@pytest.mark.parametrize("text", ["", " ", "\n", "...", "()"])
def test_nothing_to_mark(text: str) -> None:
    """Texts without words."""
    assert marked(text, text) == ([], [])


TEXTS = st.text(st.sampled_from("Ca+.# \n(ł,ßא漢") | st.characters(exclude_categories=["Cs"]), max_size=40)


@given(TEXTS, TEXTS)
def test_the_spans_are_the_text_again(project: str, profile: str) -> None:
    """Whatever is in it; neighbours are never of one kind."""
    words = SharedWords.of(replace(PROJECT, description=project), replace(FREELANCER, description=profile))
    for part, text in zip(words, (project, profile), strict=True):
        spans = part.mark(text)
        assert "".join(span.text for span in spans) == text
        assert all(one.shared != next_.shared for one, next_ in pairwise(spans))
        assert all(span.text for span in spans)
