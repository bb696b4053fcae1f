"""Files of skill spans, and a model trained on made ones: it learns what a span and a right skill look like."""

from pathlib import Path

import pytest

from jobmatch_core.descriptions.skill_extractor import SkillExtractor
from jobmatch_core.descriptions.skill_index import SkillIndex
from jobmatch_core.errors import DataFileError
from jobmatch_core.titles.encoder import shipped_encoder
from lab.experiments.skill_linking import preferred_numbers
from lab.shipping.skill_span_files import read_linked, read_tagged, right_skills, without_spans
from lab.shipping.skill_training import train_skill_model
from tests.lab.shipping.made_skill_spans import write_skill_spans
from tests.made_taxonomy import skilled_taxonomy


def test_files_are_read(tmp_path: Path) -> None:
    """A sentence once, with all its skills; labels of no skill are none."""
    write_skill_spans(tmp_path)
    linked = read_linked(tmp_path, "tech", "validation")
    assert linked[0].names == {"hammering bytes"}
    assert linked[-1].names == frozenset()
    tagged = read_tagged(tmp_path, "dev")
    assert tagged[0].text == "You are good at hammering bytes ."
    assert tagged[0].skill == (False, False, False, False, True, True, False)
    assert len(without_spans(tagged)) == 27


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    """The error names the file; a taxonomy without the skills is another one."""
    with pytest.raises(DataFileError, match=r"dev\.json"):
        read_tagged(tmp_path, "dev")
    (tmp_path / "dev.json").write_text('{"tokens": ["a"], "tags_skill": [], "tags_knowledge": []}', "utf-8")
    with pytest.raises(DataFileError, match="numbers of tokens"):
        read_tagged(tmp_path, "dev")
    (tmp_path / "tech_test_annotations.csv").write_text("sentence,text\nYou,a\n", "utf-8")
    with pytest.raises(DataFileError, match="tech_test"):
        read_linked(tmp_path, "tech", "test")
    write_skill_spans(tmp_path)
    with pytest.raises(DataFileError, match=r"ESCO 1\.1\.1"):
        right_skills(read_linked(tmp_path, "tech", "test"), {})


def test_a_trained_model_finds_skills_of_other_sentences(tmp_path: Path) -> None:
    """The first skill of a test sentence is right, and a sentence about tea asks for none."""
    write_skill_spans(tmp_path)
    taxonomy = skilled_taxonomy()
    index, numbers = SkillIndex(taxonomy, shipped_encoder()), preferred_numbers(taxonomy)
    model, report = train_skill_model(tmp_path, index, numbers)
    assert report["linked sentences"] == 29
    assert model.features.encoder == shipped_encoder().name
    extractor = SkillExtractor(index, model)
    linked = [sentence for sentence in read_linked(tmp_path, "house", "test") if sentence.names]
    right = right_skills(linked, numbers)
    firsts = [extractor.rank(sentence.text, 1)[0].skill for sentence in linked]
    assert sum(first in wanted for first, wanted in zip(firsts, right, strict=True)) > 0.8 * len(linked)
    assert not extractor.find(["We offer tea and fruit on Monday"])
