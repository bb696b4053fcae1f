"""Explanations: the effect of leaving out, attention by layer and head, files that are escaped."""

import csv
import io
from html.parser import HTMLParser

import numpy as np
import pytest
import torch

from jobmatch_core.descriptions.aggregators import NetworkConfig
from jobmatch_core.descriptions.attention import AttentionView, summary_rows
from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.explanation import Explanation, explain, vector_without
from jobmatch_core.descriptions.explanation_files import explanation_csv, explanation_html
from jobmatch_core.descriptions.nearest import TitleSpace
from jobmatch_core.descriptions.network import AggregationNetwork
from jobmatch_core.descriptions.posting_skills import PostingSkill
from jobmatch_core.descriptions.postings import Posting
from jobmatch_core.descriptions.skills import SkillFact
from tests.core.descriptions.made_postings import JOBS, WordEncoder

EVIL = "=cmd()\n<script>alert(1)</script> bakes & 'sells' bread.\nYou bake bread.\nApply by Friday."
POSTING = Posting("1", "<b>Baker</b>", EVIL)
TITLES = [title for titles in JOBS for title in titles.split("|")]


def model_of(variant: str) -> DescriptionModel:
    """Return a model with random weights."""
    torch.manual_seed(1)
    network = AggregationNetwork(NetworkConfig(layers=2, heads=2), 16) if variant == "jdan" else None
    return DescriptionModel(WordEncoder(), "words", variant, network=network)


def explained(variant: str, posting: Posting = POSTING) -> Explanation:
    """Explain a posting."""
    return explain(model_of(variant), posting, TitleSpace(WordEncoder(), TITLES, TITLES))


@pytest.mark.parametrize("variant", ["jdan", "sentence-mean", "sentence-max", "document"])
def test_effects_equal_a_posting_without_the_sentence(variant: str) -> None:
    """As if the sentence had never been there."""
    model, found = model_of(variant), explained(variant)
    lines = EVIL.split("\n")
    assert [each.content for each in found.description.segments] == lines
    assert found.shifts is not None
    for place in range(len(lines)):
        shorter = "\n".join(line for number, line in enumerate(lines) if number != place)
        vector = model.encode_descriptions([shorter])[0]
        assert found.shifts[place] == pytest.approx(1 - vector @ found.description.vector, abs=1e-4)
        assert vector_without(model, found.description, [place]) == pytest.approx(vector, abs=1e-4)
    two = model.encode_descriptions(["\n".join(lines[2:])])[0]
    assert vector_without(model, found.description, [0, 1]) == pytest.approx(two, abs=1e-4)


def test_views_of_attention() -> None:
    """Rolled out, a layer's mean, one head; each sums to one; none without a network."""
    found = explained("jdan")
    for view in (AttentionView(), AttentionView(0), AttentionView(1), AttentionView(1, 0)):
        weights = found.weights(view)
        assert weights is not None
        assert weights.sum() == pytest.approx(1, abs=1e-5)
        assert -1 <= (found.agreement(view) or 0) <= 1
    assert found.description.attention is not None
    assert np.array_equal(found.weights(AttentionView(1, 0)), summary_rows(found.description.attention)[1, 0])  # type: ignore[arg-type]
    mean = explained("sentence-mean")
    assert (mean.weights(AttentionView()), mean.agreement(AttentionView())) == (None, None)


@pytest.mark.parametrize("text", ["", "Only one sentence."])
@pytest.mark.parametrize("variant", ["jdan", "sentence-mean", "document"])
def test_nothing_and_one_sentence(variant: str, text: str) -> None:
    """Nothing to be weighed against, and no error."""
    found = explained(variant, Posting("1", "Baker", text))
    assert found.shifts is not None
    assert found.changed is not None
    assert len(found.shifts) == len(found.changed) == len(found.roles) == bool(text)
    assert found.agreement(AttentionView()) is None


def test_a_rank_correlation_needs_enough_sentences() -> None:
    """Of two or four none is said; from five on with their number."""
    for n in (2, 4, 5):
        text = "\n".join(f"- You bake {each} every day." for each in ("bread", "cakes", "rolls", "pies", "tarts")[:n])
        found = explained("jdan", Posting("1", "Baker", text))
        view, words = AttentionView(), found.agreement_words(AttentionView())
        assert len(found.roles) == n
        assert (found.agreement(view) is None) == (n < 5)
        assert words == f"too few sentences for a rank correlation (n = {n})" or words.endswith("(n = 5)")
        assert ("too few" in words) == (n < 5)
    assert explained("sentence-mean").agreement_words(AttentionView()) == ""


class Texts(HTMLParser):
    """Collects the tags and texts of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep the tag; no attribute may load or run anything."""
        self.tags.add(tag)
        assert {name for name, _ in attrs} <= {"lang", "charset", "class", "dir", "style"}

    def handle_data(self, data: str) -> None:
        """Keep the text."""
        self.texts.append(data)


@pytest.mark.parametrize("variant", ["jdan", "sentence-mean"])
def test_html_is_whole_and_escaped(variant: str) -> None:
    """No script, nothing that is loaded; the texts stand there letter by letter."""
    page = explanation_html(explained(variant), AttentionView(), [("<i>baker</i>", 0.5)], [1])
    read = Texts()
    read.feed(page)
    assert not read.tags & {"script", "link", "img", "iframe", "b", "i"}
    assert "<b>Baker</b>" in read.texts
    assert "<script>alert(1)</script> bakes & 'sells' bread." in read.texts
    assert "http" not in page
    assert "without the sentences 2" in page


def test_html_lists_skills() -> None:
    """With the numbers of their sentences; a skill that is meant with its probability."""
    fact = SkillFact("urn:a", "bake <bread>", "skill", ("bakes",), 1, ())
    skills = [PostingSkill(fact, (0, 2), None), PostingSkill(fact, (1,), 0.5)]
    page = explanation_html(explained("jdan"), AttentionView(), [], [], skills)
    assert "bake &lt;bread&gt; <span class=note>sentence 1, 3</span>" in page
    assert "sentence 2, by meaning 0.50" in page


def test_csv() -> None:
    """A row a sentence; what a spreadsheet would take for a formula is no formula."""
    rows = list(csv.DictReader(io.StringIO(explanation_csv(explained("jdan"), AttentionView()))))
    assert [row["number"] for row in rows] == ["1", "2", "3", "4"]
    assert rows[0]["sentence"] == "'=cmd()"
    assert sum(float(row["attention"]) for row in rows) == pytest.approx(1, abs=1e-4)
    mean = list(csv.DictReader(io.StringIO(explanation_csv(explained("sentence-mean"), AttentionView()))))
    assert {row["attention"] for row in mean} == {""}


def test_effects_are_left_for_later() -> None:
    """The rest is the same; what needs them is empty."""
    model, space = model_of("jdan"), TitleSpace(WordEncoder(), TITLES, TITLES)
    quick, whole = (explain(model, POSTING, space, effects=effects) for effects in (False, True))
    assert (quick.shifts, quick.changed, quick.agreement(AttentionView())) == (None, None, None)
    assert np.array_equal(quick.description.vector, whole.description.vector)
    assert quick.roles == whole.roles
    rows = list(csv.DictReader(io.StringIO(explanation_csv(quick, AttentionView()))))
    assert {row["effect"] for row in rows} == {""}
    assert "<script>" not in explanation_html(quick, AttentionView(), [], [])
