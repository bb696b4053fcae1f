"""Titles with known answers: their right candidates, and the probability of the best unit group."""

import numpy as np
import pytest

from jobmatch_core.linking.calibration import Calibration, drawn_titles
from jobmatch_core.linking.candidates import EXACT, OccupationCandidates, feature_names, pool, score_names
from jobmatch_core.linking.corrections import EXACT_NAME
from jobmatch_core.linking.equal_names import EqualNames
from jobmatch_core.linking.examples import (
    CodedTitle,
    Examples,
    coded_examples,
    examples,
    held_out_titles,
    top_candidates,
    top_units,
)
from jobmatch_core.linking.fusion import ConditionalLogit
from jobmatch_core.linking.index import NO_UNIT, NameIndex

LOGIT = ConditionalLogit(np.array([1.0]), 0.0)


def made(*rows: tuple[int, float, int, bool, bool, bool], n: int) -> Examples:
    """Make *n* titles from rows of (title, e^utility, unit group, right, right unit group, equal name)."""
    columns = list(zip(*rows, strict=True))
    queries = np.array(columns[0], np.intp)
    features = np.log(np.array(columns[1]))[:, None].astype(np.float32)
    right, unit_right, equal = (np.array(column, bool) for column in columns[3:])
    candidates = OccupationCandidates(queries, np.arange(len(rows)), np.zeros(len(rows), np.intp), features)
    no = np.zeros(len(rows), bool)
    names = EqualNames(equal, no, no, no, np.zeros((len(rows), 2), np.int8), np.array(columns[2], np.int32))
    return Examples(n, candidates, right, unit_right, names)


def concept(index: NameIndex, name: str) -> int:
    """Return the first concept with a name."""
    return int(index.concepts[index.texts.index(name)])


def test_top_of_units_by_hand() -> None:
    """Title 0: 2, 2 and 3 against 1 for none. The occupation with 3/8 is wrong, the group with 4/8 is right.

    Title 1 has no candidate of a known group; its best occupation, a right one, has 3/4. Title 2 has no candidates.
    """
    made_titles = made(
        (0, 2, 2512, True, True, False),
        (0, 2, 2512, False, True, False),
        (0, 3, 5120, False, False, False),
        (1, 3, NO_UNIT, True, False, False),
        n=3,
    )
    top, correct = top_candidates(LOGIT, made_titles)
    assert (top.tolist(), correct.tolist()) == (pytest.approx([3 / 8, 3 / 4, 0]), [False, True, False])
    top, correct = top_units(LOGIT, made_titles)
    assert (top.tolist(), correct.tolist()) == (pytest.approx([1 / 2, 0, 0]), [True, False, False])


def test_an_equal_name_is_settled() -> None:
    """Its probability is `EXACT_NAME`, whatever its utility, and the title is not fitted on."""
    made_titles = made(
        (0, 1, 5120, True, True, True), (0, 2, 7512, False, False, False), (1, 1, 7512, True, True, False), n=2
    )
    settled = made_titles.probabilities(LOGIT).tolist()
    assert settled == pytest.approx([EXACT_NAME, (1 - EXACT_NAME) * 2 / 3, 1 / 2])
    queries, features, right, n = made_titles.arguments
    assert (queries.tolist(), features.tolist(), right.tolist(), n) == ([0], [[0.0]], [True], 1)


def test_titles_without_candidates_are_fitted_on() -> None:
    """They count for none; titles that equal a name are left out, and the others renumbered."""
    made_titles = made((1, 1, 5120, True, True, True), (3, 2, 7512, True, True, False), n=5)
    queries, _, right, n = made_titles.arguments
    assert (queries.tolist(), right.tolist(), n) == ([2], [True], 4)


def test_parts_are_joined() -> None:
    """The second part's titles follow the first's, also those without candidates."""
    first = made((0, 1, 5120, True, True, False), n=2)
    second = made((0, 3, 7512, False, False, True), (1, 2, 7512, True, False, False), n=2)
    made_titles = Examples.joined([first, second])
    assert (made_titles.n_titles, made_titles.candidates.queries.tolist()) == (4, [0, 2, 3])
    assert made_titles.names.units.tolist() == [5120, 7512, 7512]
    assert (made_titles.right.tolist(), made_titles.unit_right.tolist()) == ([True, False, True], [True, False, False])
    assert made_titles.names.equal.tolist() == [False, True, False]
    assert np.exp(made_titles.candidates.features[:, 0]).tolist() == pytest.approx([1, 3, 2])


def test_coded_titles(tiny_index: NameIndex) -> None:
    """All occupations of the coded groups may be right, unless the occupation is known."""
    app, backend = concept(tiny_index, "app developer"), concept(tiny_index, "backend developer")
    made_titles = coded_examples(
        tiny_index,
        [
            CodedTitle("developer", (2512,)),
            CodedTitle("developer", (2512,), app),
            CodedTitle("developer cook baker", (5120, 7512)),
            CodedTitle("developer", ()),
        ],
    )
    assert made_titles.n_titles == 4
    columns = (
        made_titles.candidates.queries,
        made_titles.candidates.concepts,
        made_titles.right,
        made_titles.unit_right,
        made_titles.names.equal,
    )
    seen = {(query, of): flags for query, of, *flags in zip(*(column.tolist() for column in columns), strict=True)}
    two = {concept(tiny_index, "cook"), concept(tiny_index, "baker")}
    for query, right in ((0, {app, backend}), (1, {app}), (2, two), (3, set())):
        assert {of for (title, of), flags in seen.items() if title == query and flags[0]} == right
    assert {of for (title, of), flags in seen.items() if title == 1 and flags[1]} == {app, backend}
    assert {of for (title, of), flags in seen.items() if title == 0 and flags[2]} == {app, backend}
    assert not any(flags[2] for (title, _), flags in seen.items() if title == 2)
    assert made_titles.names.units.tolist() == tiny_index.units[made_titles.candidates.concepts].tolist()


def test_names_that_are_held_out(tiny_index: NameIndex) -> None:
    """Only the answer is right, with the candidates of its unit group; nothing is right for nonsense."""
    held_out = held_out_titles(tiny_index, 40, seed=1)
    made_titles = examples(tiny_index, held_out)
    answers = held_out.answers[made_titles.candidates.queries]
    np.testing.assert_array_equal(made_titles.right, made_titles.candidates.concepts == answers)
    units = np.where(answers < 0, NO_UNIT, tiny_index.units[answers])
    np.testing.assert_array_equal(made_titles.unit_right, (units != NO_UNIT) & (units == made_titles.names.units))
    column = feature_names(list(tiny_index.scorers)).index(EXACT)
    np.testing.assert_array_equal(made_titles.names.equal, made_titles.candidates.features[:, column] == 1)
    assert made_titles.right.any()
    assert made_titles.names.equal.any()


def test_coded_titles_see_every_name(tiny_index: NameIndex) -> None:
    """Nothing is held out for them."""
    made_titles = coded_examples(tiny_index, [CodedTitle("koch", (5120,))])
    whole = pool(tiny_index, score_names(tiny_index, ["koch"]))
    np.testing.assert_array_equal(made_titles.candidates.features, whole.features)


def test_a_calibration_with_coded_titles(tiny_index: NameIndex) -> None:
    """Half of them are fitted on, half measured; only names count for occupations."""
    coded = [CodedTitle(text, (int(tiny_index.units[concept(tiny_index, text)]),)) for text in tiny_index.texts[:20]]
    plain, more = Calibration.fit(tiny_index, n_titles=40), Calibration.fit(tiny_index, coded=coded, n_titles=40)
    assert more.held_out["titles"] == plain.held_out["titles"] + 10
    assert len(more.unit_curve) > 0
    assert more.unit_curve != plain.unit_curve


def test_a_calibration_of_names_that_were_seen(tiny_index: NameIndex) -> None:
    """Names that are left out of the index do not count, since the encoder knows them; nonsense does."""
    _, check = drawn_titles(tiny_index, 40)
    counted = int((check.name_kept | (check.answers < 0)).sum())
    assert 0 < counted < len(check.titles)
    assert Calibration.fit(tiny_index, names_seen=True, n_titles=40).held_out["titles"] == counted
