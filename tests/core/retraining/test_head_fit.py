"""How far the concept head moves: as far as helps titles that had no part in it, and not at all where nothing helps."""

from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.linking import Linker, open_linker
from jobmatch_core.linking.refit import JudgedCandidates
from jobmatch_core.retraining.head_fit import fit_head
from jobmatch_core.retraining.title_labels import JudgedTitle, judged_candidates
from jobmatch_core.settings import Settings

STRANGE = ("zorblatt one", "zorblatt two", "senior zorblatt", "zorblatt east", "zorblatt three", "junior zorblatt")


@pytest.fixture(scope="module")
def linker(linker_home: Path) -> Linker:
    """The linker of the bundled taxonomy, to be read only."""
    return open_linker(settings=Settings(linker_home))


def occupation_of(linker: Linker, title: str) -> int:
    """Return the number of the occupation that comes first."""
    return linker.taxonomy.uris.index(linker.link(title).candidates[0].uri)


def judged(linker: Linker, meant: str) -> list[JudgedTitle]:
    """Return strange titles that people accepted for an occupation, which nothing in its names would tell."""
    number = occupation_of(linker, meant)
    return [JudgedTitle(title, frozenset([number]), frozenset()) for title in STRANGE]


def nobody(linker: Linker) -> JudgedCandidates:
    """Return no names."""
    return judged_candidates(linker, [])


def test_what_helps_others_moves_the_head(linker: Linker) -> None:
    """A word that no name has leads to the occupation that it was accepted for, in a title that nobody judged."""
    titles = judged(linker, "baker")
    fit = fit_head(linker, titles, nobody, seed=1)
    assert fit.moves is not None
    assert fit.strength > 0
    [number] = titles[0].right
    assert fit.moves.uris == (linker.taxonomy.uris[number],)
    assert fit.unseen.n_titles == len(titles)
    moved = Linker(linker.taxonomy, linker.index, linker.calibration, fit.moves)
    assert moved.version == f"{linker.version}, head {fit.moves.digest}"
    before, after = (
        each.index.encoder.occupation_scores(each.index.encoder.encode(["zorblatt north"]))[
            0, each.index.encoder.columns(np.array([number]))[0]
        ]
        for each in (linker, moved)
        if each.index.encoder is not None
    )
    assert after > before + 0.1


def test_what_helps_nobody_moves_nothing(linker: Linker) -> None:
    """A judgment against what everybody says helps no other title."""
    number = occupation_of(linker, "dentist")
    other = occupation_of(linker, "truck driver")
    titles = [
        JudgedTitle("baker", frozenset([number]), frozenset()),
        JudgedTitle("nurse", frozenset([other]), frozenset()),
    ]
    fit = fit_head(linker, titles, nobody, seed=1)
    assert fit.strength == 0
    assert fit.moves is not None
    assert fit.moves.uris == ()


@pytest.mark.thorough
def test_names_that_nobody_judged_count_too(linker: Linker) -> None:
    """Where a move costs them more than it brings, it is not made."""
    titles, number = judged(linker, "baker"), occupation_of(linker, "dentist")
    names = [JudgedTitle("dentist", frozenset([number]), frozenset())] * (2 * len(titles))

    def spoiled(by: Linker) -> JudgedCandidates:
        candidates = judged_candidates(by, names)
        if by.moves is None or not by.moves.uris:
            return candidates
        return candidates.of_titles(np.zeros(candidates.n_titles, dtype=np.bool_))

    assert fit_head(linker, titles, spoiled, seed=1).strength == 0


@pytest.mark.thorough
def test_letters_and_words_alone_have_no_head(lexical_home: Path) -> None:
    """Then only the weights are fitted."""
    linker = open_linker(encoder=None, settings=Settings(lexical_home))
    titles = judged(linker, "baker")
    fit = fit_head(linker, titles, nobody, seed=1)
    assert (fit.strength, fit.moves) == (0, None)
    assert fit.unseen.n_titles == judged_candidates(linker, titles).n_titles


@pytest.mark.thorough
def test_a_moved_head_stays_moved_in_parts(linker: Linker) -> None:
    """In some languages alone; moved anew it begins from where it was fitted; a left-out name feels the move, too."""
    fit = fit_head(linker, judged(linker, "baker"), nobody, seed=1)
    assert fit.moves is not None
    moves = fit.moves.by_concept(linker.taxonomy.uris)
    encoder = linker.index.encoder
    assert encoder is not None
    moved = encoder.moved(moves)
    [concept] = np.flatnonzero(moves.any(axis=1)).tolist()
    [column] = moved.columns(np.array([concept])).tolist()
    part = linker.index.with_head_moved(moves).in_languages(linker.taxonomy, ["en"]).encoder
    assert part is not None
    assert np.array_equal(part.head.vectors, moved.head.vectors)
    assert np.array_equal(moved.moved(np.zeros_like(moves)).head.vectors, encoder.head.vectors)
    query = moved.encode(["zorblatt"])[0]
    whole = moved.without(query, concept, np.empty(0, np.intp))
    assert whole == pytest.approx(float(query @ moved.head.vectors[column]), abs=2e-3)  # names lie in half precision
    assert whole > encoder.without(query, concept, np.empty(0, np.intp)) + 0.1
