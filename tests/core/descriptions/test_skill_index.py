"""The index of skill names: candidates, names of skills, traits, and scores as a naive loop has them."""

import numpy as np

from jobmatch_core.descriptions.skill_index import SkillIndex
from jobmatch_core.titles.encoder import shipped_encoder
from tests.made_taxonomy import SKILLS_OF_EACH, skilled_taxonomy

TAXONOMY = skilled_taxonomy()
INDEX = SkillIndex(TAXONOMY, shipped_encoder())


def name_of(skill: int) -> str:
    """Return the English name of a skill of the index."""
    return TAXONOMY.skill_catalogue.name(int(INDEX.numbers[skill]), "en")


def test_a_name_proposes_its_skill() -> None:
    """Also an alternative name."""
    for text in ("weighing fields", "craft Dc"):
        names = INDEX.candidates(INDEX.encode([text]))
        assert "weighing fields" in map(name_of, names.skills)


def test_names_of_skills() -> None:
    """Two names each, the preferred one first; the best score of each skill is that of its best name."""
    skills = np.array([0, 7])
    names = INDEX.names_of(skills)
    assert names.rows.tolist() == [0, 1, 14, 15]
    assert names.starts.tolist() == [0, 2]
    assert names.best(np.array([[0.1, 0.4, 0.3, 0.2]], dtype=np.float32)).tolist() == [
        [np.float32(0.4), np.float32(0.3)]
    ]
    likeness = INDEX.letters(INDEX.encode([name_of(7)]), names)
    assert likeness[0].argmax() == 2


def test_a_text_covers_a_name() -> None:
    """Wholly if it has all its words, in part with one of two, not with none."""
    names = INDEX.names_of(np.array([0]))
    covered = INDEX.covered(INDEX.encode(["bytes want hammering", "hammering", "tea"]), names)[:, 0]
    assert covered[0] == np.float32(1)
    assert 0 < covered[1] < 1
    assert covered[2] == 0


def test_traits_by_hand() -> None:
    """One occupation requires each skill; none is knowledge or transversal; without descriptions names stand in."""
    assert INDEX.traits.shape == (6 * SKILLS_OF_EACH, 3)
    assert np.allclose(INDEX.traits, [np.log(2), 0, 0])
    assert np.allclose(INDEX.descriptions[3], shipped_encoder().encode([name_of(3)])[0])
