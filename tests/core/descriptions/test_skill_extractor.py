"""The skill extractor: the named skill comes first, and only probable skills are found."""

from dataclasses import replace

from jobmatch_core.descriptions.skill_extractor import SkillExtractor, has_english_skills
from tests.core.descriptions.test_skill_index import INDEX, TAXONOMY
from tests.made_taxonomy import skilled_taxonomy

EXTRACTOR = SkillExtractor.open(TAXONOMY)


def test_the_named_skill_is_first() -> None:
    """With the words that name it, at their position."""
    sentence = "You have experience in weighing fields."
    [first, second] = EXTRACTOR.rank(sentence, 2)
    assert TAXONOMY.skill_catalogue.name(first.skill, "en") == "weighing fields"
    assert sentence[first.start : first.end] == first.text
    assert "weighing fields" in first.text
    assert first.probability > second.probability
    assert len(EXTRACTOR.rank(sentence, 500)) <= len(INDEX.numbers)


def test_only_probable_skills_are_found() -> None:
    """By sentence, from the threshold on; progress is told for each sentence."""
    sentences = ["", "You have experience in weighing fields.", "We offer tea.", "Knowledge of sorting pages"]
    weights = EXTRACTOR.model.features
    told: list[tuple[int, int]] = []
    extractor = SkillExtractor(INDEX, replace(EXTRACTOR.model, features=replace(weights, threshold=0.0)))
    found = extractor.find(sentences, progress=lambda done, total: told.append((done, total)))
    assert [skill.sentence for skill in found] == sorted(skill.sentence for skill in found)
    assert told[-1] == (4, 4)
    strict = SkillExtractor(INDEX, replace(EXTRACTOR.model, features=replace(weights, threshold=0.5)))
    assert strict.find(sentences) == extractor.find(sentences, least=0.5)
    assert strict.find(sentences) == tuple(skill for skill in found if skill.probability >= 0.5)


def test_it_is_the_same_every_time() -> None:
    """Two extractors of the same taxonomy agree to the last bit."""
    again = SkillExtractor.open(skilled_taxonomy())
    assert again.rank("You are sorting pages and weighing fields", 9) == EXTRACTOR.rank(
        "You are sorting pages and weighing fields", 9
    )


def test_skills_in_english() -> None:
    """The made taxonomy has some; without its English names it has none."""
    assert has_english_skills(TAXONOMY)
    names = TAXONOMY.tables.skill_names
    tables = replace(TAXONOMY.tables, skill_names=names[names["language"] != "en"])
    assert not has_english_skills(type(TAXONOMY)(TAXONOMY.manifest, tables))
