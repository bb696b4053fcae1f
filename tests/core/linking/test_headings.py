"""Headings of adverts: the parts are weighed against the whole, and a title with nothing of an advert stays whole."""

import numpy as np
import pytest

from jobmatch_core.linking import Linker
from jobmatch_core.linking.headings import (
    LATER,
    NO_JOB,
    PART,
    WHOLE,
    WHOLE_IS_SURE,
    heading_parts,
    heading_probabilities,
    heading_ranking,
    is_sure,
)
from jobmatch_core.linking.index import NO_UNIT
from jobmatch_core.linking.ranking import Ranking
from jobmatch_core.titles.cleaning import CleanTitle

UNITS = np.array([7112, 7112, 7131, NO_UNIT, NO_UNIT])  # of the concepts of `ranking`


def ranking(*probabilities: float) -> Ranking:
    """A ranking of the concepts 0, 1, … with these probabilities, best first."""
    concepts = np.arange(len(probabilities))
    made = Ranking(concepts, concepts, concepts, np.ones((len(concepts), 1)), np.array(probabilities))
    return made.take(np.argsort(-made.probabilities, kind="stable"))


@pytest.mark.parametrize(
    ("title", "aside", "parts"),
    [
        ("URGENT! Bricklayer, nights, free parking", (), ("URGENT", "Bricklayer", "nights", "free parking")),
        ("Bricklayer – 3 years", (), ("Bricklayer", "3 years")),
        ("看護助手/日勤のみ/時給1,350円", (), ("看護助手", "日勤のみ", "時給1", "350円")),
        ("建築塗装工★日給1.4万円★寮完備", (), ("建築塗装工", "日給1.4万円", "寮完備")),
        ("洗车工 12小时两班倒 工资日结", (), ("洗车工", "12小时两班倒", "工资日结")),
        ("مطلوب: معلم بيتزا – جدة – 4500", (), ("مطلوب", "معلم بيتزا", "جدة")),
        ("cook – remote", ("remote",), ("cook", "remote")),
        ("Hôte(sse) de caisse – 8h", (), ("Hôte/sse de caisse", "8h")),
        ("operator, quarry", (), ()),  # a job and its field
        ("technician, machines, electric", (), ()),
        ("remote operated vehicle (ROV) operator", ("ROV",), ()),
        ("nurse (night)", (), ()),
        ("nurse", (), ()),
        ("", (), ()),
        ("★★★", (), ()),
        (", ".join(["word 1"] * 13), (), ()),  # a list, not a heading
    ],
)
def test_parts(title: str, aside: tuple[str, ...], parts: tuple[str, ...]) -> None:
    """Marks and, in Chinese and Japanese, spaces divide a heading; what is set aside of a title tells an advert."""
    assert heading_parts(title, CleanTitle((title,), aside)) == parts


def test_a_list_of_jobs_is_no_heading() -> None:
    """A list of jobs is no heading, but the heading of an advert may name several jobs."""
    jobs = (0, 1)
    assert heading_parts("Koch | Kellner", CleanTitle(("koch", "kellner"), (), jobs=jobs)) == ()
    assert heading_parts("Koch/Kellner | Köln | 1x", CleanTitle(("koch", "kellner"), (), jobs=jobs)) != ()


def test_sure_titles_are_not_read_by_their_parts() -> None:
    """Occupations of one unit group are sure together; a title that nothing is like may have a part."""
    assert is_sure(ranking(WHOLE_IS_SURE - 0.1, 0.1), UNITS)
    assert not is_sure(ranking(), UNITS)
    assert not is_sure(ranking(0.5, 0.0, 0.4), UNITS)


def test_probabilities_are_a_conditional_logit_of_whole_and_best_part() -> None:
    """Against the formula, written out; later parts count less, and what says nothing is no feature."""
    whole, first, second = {7112: 0.5, 7131: 0.001}, {7112: 0.9}, {7131: 0.8}
    of_7112 = np.exp(WHOLE * np.log(500) + PART * np.log(900))
    of_7131 = np.exp(PART * LATER * np.log(800))

    probabilities = heading_probabilities([whole, first, second])

    total = of_7112 + of_7131 + np.exp(NO_JOB)
    assert probabilities == pytest.approx({7112: of_7112 / total, 7131: of_7131 / total})


def test_the_text_that_says_most_of_the_likeliest_group_answers() -> None:
    """Its candidates share their group's probability as before, and are ordered by it."""
    whole, part = ranking(0.1, 0.1, 0.3), ranking(0.5, 0.25, 0.01)

    answer, answered = heading_ranking([whole, part, ranking(0.0, 0.0, 0.02)], UNITS)

    likeliest = heading_probabilities([{7112: 0.2, 7131: 0.3}, {7112: 0.75, 7131: 0.01}, {7131: 0.02}])
    assert answer == 1
    assert answered.concepts.tolist() == [0, 1, 2]
    assert answered.probabilities == pytest.approx([likeliest[7112] * 2 / 3, likeliest[7112] / 3, likeliest[7131]])


def test_rounding_does_not_choose_the_text() -> None:
    """A part that is read like the whole, but for the last digits, does not answer in its place."""
    assert heading_ranking([ranking(0.6, 0.1), ranking(0.6 + 1e-7, 0.1)], UNITS)[0] == 0


def test_occupations_without_codes_are_groups_of_their_own() -> None:
    """A taxonomy needs no codes."""
    answer, answered = heading_ranking([ranking(0, 0, 0, 0.2, 0.3), ranking(0, 0, 0, 0.9, 0.0)], UNITS)

    assert answer == 1
    assert answered.concepts[0] == 3
    assert answered.probabilities.sum() < 1


def test_texts_that_say_nothing_leave_the_whole() -> None:
    """A heading without a candidate leaves the whole title, too."""
    for texts in ([ranking(), ranking()], [ranking(0.0001), ranking(0.0002), ranking()]):
        assert heading_ranking(texts, UNITS) == (0, texts[0])


def test_headings_of_adverts_are_linked(bundled: Linker) -> None:
    """They have the answer of the part that names the job; the other parts are set aside."""
    titles = ["品出しスタッフ 早朝6:00-9:00 高校生不可", "Sushi chef ★ Berlin Mitte ★ 2.800 ★ Xyzzy Gmbh ★ plugh"]

    whole, parts = bundled.link_all(titles), bundled.link_all(["品出しスタッフ", "Sushi chef"])

    for heading, part in zip(whole, parts, strict=True):
        assert not heading.abstained
        assert heading.candidates[0].isco == part.candidates[0].isco
        assert heading.set_aside


def test_headings_among_other_titles(bundled: Linker) -> None:
    """Answers stay with their titles where only some of a batch are read by their parts."""
    titles = [
        "品出しスタッフ 早朝6:00-9:00 高校生不可",
        "nurse",
        "管理栄養士◎年間休日120日◎賞与3.5ヶ月",
        "",
        "★ 1 ★ 2 ★ 3",
    ]

    results = bundled.link_all(titles)

    assert [result.title for result in results] == titles
    assert [result.candidates[0].isco if result.level else "" for result in results] == ["9334", "2221", "2265", "", ""]


@pytest.mark.parametrize("mark", [" (m/f/d)", "  (m/f/d)", " (f/m)"])
def test_a_mark_of_gender_changes_nothing(bundled: Linker, mark: str) -> None:
    """A title is as sure as without it where one part says as much as the whole; blanks do not count."""
    for title in ("accounts of a cook", "assistant in a big warehouse", "Küchenkraft für alles"):
        alone, marked = bundled.link_all([title, title.replace(" ", "  ") + mark])
        assert marked.set_aside
        assert marked.probability == pytest.approx(alone.probability, abs=1e-6)
        assert [found.uri for found in marked.candidates] == [found.uri for found in alone.candidates]
