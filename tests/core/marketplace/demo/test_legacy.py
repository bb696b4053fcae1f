"""The legacy system ranks by shared words, language, category and chance; answers depend on the coverage."""

from datetime import date

import numpy as np
import pytest

from jobmatch_core.entities import Freelancer, NamedSkill, Project
from jobmatch_core.marketplace.demo.generator import LegacySystem, answers
from jobmatch_core.marketplace.marketplace import Need, SkillTruth, skill_rows


def freelancer(row: int, *, title: str, category: str, language: str = "en") -> Freelancer:
    """Return a profile with a title."""
    return Freelancer(f"f{row + 1:07d}", language, title, "", "", "", "", category, "", (NamedSkill("k", "tool"),))


def project(job_title: str, category: str) -> Project:
    """Return an English project for a job."""
    return Project("p1", "en", "", job_title, "", "", "", category, "", (), (), created="2026-02-27")


def met(people: list[Freelancer], wanted: Project, seed: int = 1) -> list[int]:
    """Return the rows of the freelancers shown to a project."""
    legacy = LegacySystem()
    legacy.add(people)
    [rows] = legacy.shown([wanted], np.random.default_rng(seed))
    return rows.tolist()


def test_shared_words_come_first() -> None:
    """All three painters among a hundred bakers are shown to a project for a painter."""
    people = [freelancer(row, title="bread baker", category="b") for row in range(100)]
    people += [freelancer(100 + row, title="Wall PAINTER", category="p") for row in range(3)]
    shown = met(people, project("painter", "p"))
    assert {100, 101, 102} <= set(shown)
    assert len(shown) == len(set(shown)) <= 18


def test_the_same_language_comes_first() -> None:
    """Among freelancers with the same words."""
    people = [freelancer(row, title="painter", category="p", language=("de", "en")[row % 2]) for row in range(60)]
    shown = [row for seed in range(20) for row in met(people, project("painter", "p"), seed)]
    assert np.mean([row % 2 for row in shown]) > 0.6


def test_some_come_by_chance() -> None:
    """Freelancers of the same category are shown without a shared word."""
    people = [freelancer(row, title="Bäcker", category="bp"[row % 2]) for row in range(60)]
    shown = met(people, project("painter", "p"))
    assert len(shown) >= 8
    assert all(row % 2 for row in shown)


def test_nobody_to_show() -> None:
    """No freelancer is shown if neither a word nor the category is shared."""
    assert met([freelancer(0, title="baker", category="b")], project("painter", "p")) == []


def test_it_is_drawn_anew() -> None:
    """Only the random generator determines the choice."""
    people = [freelancer(row, title="painter", category="p") for row in range(60)]
    one, same, other = (met(people, project("painter", "p"), seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_answers() -> None:
    """Freelancers with full coverage are mostly interested, those with none rarely; a fifth does not answer."""
    count = 4000
    mastered = [[0] if row % 2 else [] for row in range(count)]
    truth = SkillTruth(
        ("a",),
        mastered=skill_rows(mastered, 1),
        mandatory=skill_rows([Need((0,), ()).mandatory], 1),
        bonus=skill_rows([()], 1),
    )
    shown = [np.arange(count, dtype=np.int32)]
    given = list(answers([project("painter", "p")], shown, truth, np.random.default_rng(1)))
    assert len(given) / count == pytest.approx(0.8, abs=0.03)
    for able, share in ((1, 0.988), (0, 0.027)):  # sigmoid(8 (1 - 0.45)), sigmoid(8 (0 - 0.45))
        said = [answer.positive for answer in given if (int(answer.freelancer[1:]) - 1) % 2 == able]
        assert np.mean(said) == pytest.approx(share, abs=0.02)
    days = [(date.fromisoformat(answer.date) - date(2026, 2, 27)).days for answer in given]
    assert min(days) == 1
    assert np.mean(days) == pytest.approx(4.5, abs=0.5)


def test_no_answers() -> None:
    """There are no answers if no freelancer is shown."""
    truth = SkillTruth(("a",), skill_rows([[0]], 1), skill_rows([[0]], 1), skill_rows([[]], 1))
    empty = np.empty(0, dtype=np.int32)
    assert list(answers([project("painter", "p")], [empty], truth, np.random.default_rng(1))) == []
