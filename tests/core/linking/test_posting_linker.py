"""Whole postings linked: title and description fused, or one of them."""

import zlib
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from jobmatch_core.entities import FloatArray
from jobmatch_core.errors import LinkingError
from jobmatch_core.linking import Linker
from jobmatch_core.linking.own_names import OwnName
from jobmatch_core.linking.posting_linker import (
    LEAST_PROBABILITY,
    OWN_MEANING,
    SHIPPED_WEIGHTS,
    PostingLinker,
    PostingWeights,
    informativeness,
)
from jobmatch_core.text.folding import fold
from jobmatch_core.vectors import normalised

WEIGHTS = PostingWeights((1.0, 8.0, 8.0), 9.0, 1 / 3, {})
BAKERY = "Bakers make bread and cakes.\nShop sales assistant: sell bread and cakes at the counter."
SHOP = "The shop assistant helps customers.\nTill and counter."


class Words:
    """Encoder by the means of random word vectors."""

    name = "words"

    def encode_titles(self, titles: Sequence[str]) -> FloatArray:
        """Return L2-normalised vectors."""
        vectors = np.zeros((len(titles), 64), dtype=np.float32)
        for row, text in enumerate(titles):
            for word in fold(text).split():
                vectors[row] += np.random.default_rng(zlib.crc32(word.encode())).normal(size=64)
        return normalised(vectors)

    encode_descriptions = encode_titles


@pytest.fixture(scope="module")
def of_bundled(bundled: Linker) -> PostingLinker:
    """A linker of postings over the bundled taxonomy, whose names and descriptions are encoded once."""
    return PostingLinker(bundled, Words(), WEIGHTS)


@pytest.fixture
def fused(tiny: Linker) -> PostingLinker:
    """A linker of postings to the tiny taxonomy."""
    return PostingLinker(tiny, Words(), WEIGHTS)


def test_a_vague_title_is_resolved_by_its_description(fused: PostingLinker) -> None:
    """The evidence shows that the description decided; the probabilities sum to less than one."""
    result = fused.link("Associate", SHOP)
    best = result.candidates[0]
    assert best.name == "shop assistant"
    assert best.evidence.scores["title"] < 0.5
    assert set(best.evidence.scores) == {"title", "names", "description"}
    assert sum(best.evidence.scores.values()) == pytest.approx(1, abs=0.001)
    everything = fused.link("Associate", SHOP, top=100)
    assert len(everything.candidates) == len(fused.concepts)
    probabilities = [candidate.probability for candidate in everything.candidates]
    assert probabilities == sorted(probabilities, reverse=True)
    assert 0 < sum(probabilities) < 1


def test_a_clear_title_stays(fused: PostingLinker) -> None:
    """The description does not change the link; names are in the shown language."""
    best = fused.link("Krankenschwester", "Parking is free.", show="fr").candidates[0]
    assert best.name == "infirmier·ère"
    assert best.evidence.language == "de"
    assert best.evidence.scores["title"] > 0.5


@pytest.mark.parametrize(
    ("probabilities", "fields", "weight"),
    [
        pytest.param([], [], 0, id="nothing found"),
        pytest.param([0.01] * 8, range(8), 1 - 0.92**2, id="generic: eight fields, far from all"),
        pytest.param([0.01] * 8, [3] * 8, 1, id="far from all, of one field"),
        pytest.param([0.12] * 8, range(8), 1 - 0.04**2, id="eight fields, near to all"),
        pytest.param([0.1, 0.1], [0, 1], 1 - (0.8 / 3) ** 2, id="two of eight fields"),
        pytest.param([0.99], [0], 1, id="sure"),
    ],
)
def test_informativeness_by_hand(probabilities: list[float], fields: list[int], weight: float) -> None:
    """A title says little if 'none of these' is likely and its candidates are of many fields of work."""
    assert informativeness(np.array(probabilities), np.array(fields, np.int64)) == pytest.approx(weight)


@pytest.mark.parametrize(
    "title", ["Associate", "Employee", "Mitarbeiter", "Mitarbeiter/in (m/w/d)", "Team member", "Job", "", "???"]
)
def test_a_title_that_says_nothing_leaves_it_to_the_description(of_bundled: PostingLinker, title: str) -> None:
    """The answers are those without a title, in the same order."""
    alone = [candidate.uri for candidate in of_bundled.link("", BAKERY).candidates[:2]]
    result = of_bundled.link(title, BAKERY)
    assert [candidate.uri for candidate in result.candidates[:2]] == alone
    assert result.candidates[0].evidence.scores["title"] < 0.2


def test_judged_text(of_bundled: PostingLinker) -> None:
    """A judgment of a generic title includes the description, so that it does not count for others."""
    assert of_bundled.judged_text("Baker (m/w/d)", BAKERY) == "Baker (m/w/d)"
    text = of_bundled.judged_text("Associate", "You bake bread.\nYou sell it.")
    assert text == "Associate You bake bread. You sell it."
    assert of_bundled.judged_text("", "You bake bread.") == "You bake bread."
    assert len(of_bundled.judged_text("Associate", "word " * 100)) <= 160


def test_one_of_the_two_alone(fused: PostingLinker, tiny: Linker) -> None:
    """If title or description is empty, the other one decides."""
    assert fused.link("nurse", "  ", top=3) == tiny.link("nurse", top=3)
    assert fused.link("", SHOP).candidates[0].name == "shop assistant"
    assert fused.link_all([None, "nurse"], [SHOP, float("nan")]) == fused.link_all(["", "nurse"], [SHOP, ""])


def test_many_together_are_linked_as_each_alone(fused: PostingLinker) -> None:
    """With and without title or description, in order."""
    titles, descriptions = ["Associate", "nurse", "", "Krankenschwester"], [SHOP, " ", BAKERY, "Parking is free."]
    together = fused.link_all(titles, descriptions, show="de", top=3)
    alone = [fused.link(title, text, show="de", top=3) for title, text in zip(titles, descriptions, strict=True)]
    assert fused.link_all([], []) == []
    for many, one in zip(together, alone, strict=True):
        assert (many.title, many.abstained, many.reason) == (one.title, one.abstained, one.reason)
        assert [candidate.uri for candidate in many.candidates] == [candidate.uri for candidate in one.candidates]
        assert [candidate.probability for candidate in many.candidates] == pytest.approx(
            [candidate.probability for candidate in one.candidates], abs=1e-5
        )


def test_a_general_title_is_shared_by_all_names_with_its_words(tiny: Linker) -> None:
    """Shared by the formula, from the title's own probabilities; an accepted title keeps its meaning."""
    accepted = tiny.with_own_names([OwnName("Driver", "bus", ("Ann",), date(2026, 3, 9))])
    general, settled = (PostingLinker(linker, Words(), WEIGHTS, general_titles=True) for linker in (tiny, accepted))
    plain = PostingLinker(tiny, Words(), WEIGHTS)
    uris = [tiny.taxonomy.uris[concept] for concept in plain.concepts.tolist()]

    def by_title(linker: PostingLinker, title: str) -> dict[str, float]:
        scores = next(linker.features([title], [""]))[0][:, 0]
        return dict(zip(uris, scores.tolist(), strict=True))

    weight = plain._informativeness("developer", tiny.rank(["developer"])[0])
    before, after = by_title(plain, "developer"), by_title(general, "developer")
    for uri, score in before.items():
        probability = LEAST_PROBABILITY * np.exp(score / weight) if score else 0.0
        shared = (OWN_MEANING * probability + (uri in ("app", "backend"))) / (OWN_MEANING + 2)
        assert after[uri] == pytest.approx(
            weight * np.log(max(shared, LEAST_PROBABILITY) / LEAST_PROBABILITY), abs=1e-3
        )
    assert by_title(settled, "Driver") == by_title(PostingLinker(accepted, Words(), WEIGHTS), "Driver")


def test_nonsense_is_not_linked(fused: PostingLinker) -> None:
    """The linker abstains."""
    result = fused.link("xyzzy", "qwertz uiop")
    assert result.abstained
    assert result.best is None


def test_features_equal_a_naive_loop(fused: PostingLinker) -> None:
    """Features do not depend on the blocks."""
    titles, descriptions = ["cook", "Associate"] * 150, ["Prepares meals.", SHOP] * 150
    blocks = list(fused.features(titles, descriptions))
    features = np.concatenate(blocks)
    assert len(blocks) == 2
    assert features.shape == (300, len(fused.concepts), 3)
    encoder, taxonomy = Words(), fused.linker.taxonomy
    for place, concept in enumerate(fused.concepts.tolist()):
        occupation = taxonomy.occupation(taxonomy.uris[concept])
        names = encoder.encode_titles([name.text for name in occupation.names if name.language == "en"])
        mean = normalised(names.mean(axis=0, keepdims=True))[0]
        vector = encoder.encode_descriptions([SHOP])[0]
        own = encoder.encode_descriptions([occupation.description])[0]
        assert features[1, place, 1:] == pytest.approx([vector @ mean, vector @ own], abs=1e-5)
    assert features[0, :, 0].max() > 5 > 0 == features[0, :, 0].min()


def test_weights_are_kept(tmp_path: Path) -> None:
    """A file reads back; a damaged one is refused."""
    weights = PostingWeights((1.0, 2.0, 3.0), 9.0, 0.5, {"accuracy": 0.5})
    weights.save(tmp_path / "w.json")
    assert PostingWeights.load(tmp_path / "w.json") == weights
    (tmp_path / "w.json").write_text("{}", "utf-8")
    with pytest.raises(LinkingError, match="weights of postings"):
        PostingWeights.load(tmp_path / "w.json")


def test_the_shipped_weights() -> None:
    """Both title and description have weight."""
    assert min(PostingWeights.load(SHIPPED_WEIGHTS).weights) > 0


def test_another_encoder_may_read_the_taxonomy(tiny: Linker) -> None:
    """A caching encoder reads the taxonomy, but no postings; names are counted first, then descriptions."""
    read_texts: list[str] = []

    class Keeping(Words):
        def encode_titles(self, titles: Sequence[str]) -> FloatArray:
            read_texts.extend(titles)
            return super().encode_titles(titles)

        encode_descriptions = encode_titles

    seen: list[tuple[int, int]] = []
    fused = PostingLinker(tiny, Words(), WEIGHTS, taxonomy_encoder=Keeping(), progress=lambda *step: seen.append(step))
    n_names, n_descriptions = seen[0][1], seen[-1][1]
    assert seen == [(0, n_names), (n_names, n_names), (0, n_descriptions), (n_descriptions, n_descriptions)]
    assert len(read_texts) == n_names + n_descriptions > n_names
    assert fused.link("Associate", SHOP) == PostingLinker(tiny, Words(), WEIGHTS).link("Associate", SHOP)
    assert SHOP not in read_texts
