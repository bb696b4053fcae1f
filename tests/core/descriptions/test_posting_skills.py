"""Skills of a posting: named ones first, then those that are meant, with their sentences, and as a file."""

import csv
import io
from dataclasses import replace

from jobmatch_core.descriptions.posting_skill_files import posting_skills_csv
from jobmatch_core.descriptions.posting_skills import is_read, posting_skills, sentences_of
from jobmatch_core.descriptions.skill_extractor import SkillExtractor
from jobmatch_core.descriptions.skills import SkillMatcher, skill_names
from tests.core.descriptions.test_skill_extractor import EXTRACTOR, INDEX
from tests.core.descriptions.test_skill_index import TAXONOMY

MATCHER = SkillMatcher(skill_names(TAXONOMY))
EAGER = SkillExtractor(INDEX, replace(EXTRACTOR.model, features=replace(EXTRACTOR.model.features, threshold=0.02)))
TEXT = "- You love sorting pages.\n- You sort a page, too.\n- Sorting pages again.\n"


def test_named_skills_have_their_sentences() -> None:
    """Without the extractor, by name alone; in the language asked for."""
    [skill] = posting_skills(TAXONOMY, sentences_of(TEXT), MATCHER, None, language="de")
    assert (skill.fact.name, skill.sentences, skill.probability) == ("Seiten-Ordnen", (0, 2), None)


def test_meant_skills_follow_named_ones() -> None:
    """The extractor adds sentences to a named skill, and further skills by falling probability."""
    parts = sentences_of(TEXT)
    skills = posting_skills(TAXONOMY, parts, MATCHER, EAGER)
    assert skills[0].fact.name == "sorting pages"
    assert skills[0].probability is None
    probabilities = [skill.probability for skill in skills[1:] if skill.probability is not None]
    assert len(probabilities) == len(skills) - 1
    assert probabilities == sorted(probabilities, reverse=True)
    assert all(set(skill.sentences) <= {0, 1, 2} for skill in skills)


def test_an_improbable_name_does_not_count() -> None:
    """In English, a name that the extractor does not find at all probable is no skill; without the extractor it is."""
    parts = sentences_of("We are the best team for you and we offer weighing fields in the office with tea.")
    never = replace(EXTRACTOR.model.features, bias=-30.0)
    doubtful = SkillExtractor(INDEX, replace(EXTRACTOR.model, features=never))
    assert len(posting_skills(TAXONOMY, parts, MATCHER, None)) == 1
    assert posting_skills(TAXONOMY, parts, MATCHER, doubtful) == []


def test_sentences_say_something() -> None:
    """Dots alone are no sentence."""
    assert sentences_of("...") == ()
    assert [part.content for part in sentences_of("You bake.\nYou sell.")] == ["You bake.", "You sell."]


def test_a_row_for_each_skill_and_sentence() -> None:
    """Numbers start at 1; no skill, no file."""
    parts = sentences_of(TEXT)
    rows = list(csv.DictReader(io.StringIO(posting_skills_csv(posting_skills(TAXONOMY, parts, MATCHER, None), parts))))
    assert [(row["skill"], row["sentence_number"], row["found_by"]) for row in rows] == [
        ("sorting pages", "1", "name"),
        ("sorting pages", "3", "name"),
    ]
    assert rows[0]["sentence"] == "You love sorting pages."
    assert posting_skills_csv([], parts) == ""


def test_english_is_read() -> None:
    """The extractor was trained on English sentences."""
    assert is_read(sentences_of("You will work with the team and you have experience in the field."))
    assert not is_read(sentences_of("Sie arbeiten mit dem Team und haben Erfahrung in der Pflege."))
