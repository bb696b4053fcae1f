"""Training of the model of titles in context, see `jobmatch_core/linking/context_model`.

The United Kingdom's coding index names, beside a title, what decides between unit groups: the employer's industry, and
words such as `metal`. Titles that need no such words are trained on alone and, so that a context that does not matter
changes little, beside a random one. ESCO's names with some of their occupation's skills stand for titles with duties.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.io.tables import rows_with
from jobmatch_core.linking.context_model import context_words_of, joint_hashes
from jobmatch_core.taxonomy import Taxonomy
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.locales import ENGLISH
from jobmatch_core.titles.group_classifier import GroupTensors
from jobmatch_core.titles.ngrams import FeatureRows, Hashes, NgramVocabulary
from jobmatch_core.titles.packing import pack
from lab.shipping.concept_training import ConceptRecipe, SparseBag
from lab.shipping.group_training import GroupLayer, possible_groups
from lab.shipping.shipped_encoder import is_held_out
from lab.shipping.training_texts import coding_indexes, isco_index

BRITISH = "titles_coded/uk_soc2020.tsv"
_COLUMNS = ("title", "qualifier_add", "qualifier_industry", "isco08")
CONTEXT_RECIPE = ConceptRecipe(
    dimension=96,
    most_features=140_000,
    least_texts=2,
    epochs=8,
    batch_size=512,
    dropout=0.65,
    rate=0.05,
    head_rate=0.01,
)
_BESIDE_ANY = 0.2  # share of the titles without a context that get a random one
_N_SKILLS = 3  # of a title with duties
_MOST_WITH_SKILLS = 15_000


@dataclass(frozen=True, slots=True)
class ContextExample:
    """A title, the texts beside it, and the unit groups that it may mean as numbers."""

    title: str
    context: tuple[str, ...]
    units: frozenset[int]


def british_titles(data: Path) -> Iterator[ContextExample]:
    """Yield the titles of the United Kingdom's index with their qualifiers."""
    for row in rows_with(data / BRITISH, *_COLUMNS):
        texts = tuple(filter(None, (row["qualifier_add"], row["qualifier_industry"])))
        yield ContextExample(row["title"], texts, frozenset({int(row["isco08"])}))


def context_examples(data: Path, skills: Taxonomy, *, blind: bool, seed: int = 1) -> list[ContextExample]:
    """Return the examples to train on.

    Args:
        data: the folder with `titles_coded` and `isco`.
        skills: ESCO with skills.
        blind: leave out the titles that are held out.
        seed: seed of the draws.
    """
    random = np.random.default_rng(seed)
    british = list(british_titles(data))
    settings = [example.context for example in british if example.context]
    alone = [(example.title, example.units) for example in british]
    alone += [(row.title, _units(row.groups)) for row in coding_indexes(data / "titles_coded") if row.title == row.stem]
    alone += [(title, _units((code,))) for code, title in isco_index(data / "isco" / "isco08_index_en.tsv")]
    alone += [(row.title, _units((row.isco,))) for row in lexicon_titles() if row.language == ENGLISH]
    beside_any = [
        replace(example, context=settings[int(random.integers(len(settings)))])
        for example in british
        if not example.context and random.random() < _BESIDE_ANY
    ]
    with_duties = list(_with_skills(skills, random))
    there = {
        int(code[:UNIT_DIGITS]) for code in skills.isco_codes if len(code) >= UNIT_DIGITS
    }  # crosswalks name others
    examples: dict[tuple[str, tuple[str, ...]], frozenset[int]] = {}
    alone_examples = [ContextExample(title, (), units) for title, units in alone]
    for example in (*british, *alone_examples, *beside_any, *with_duties):
        key = example.title, example.context
        examples[key] = examples.get(key, frozenset()) | example.units
    return [
        ContextExample(title, context, units & there)
        for (title, context), units in examples.items()
        if units & there and not (blind and is_held_out(title))
    ]


def _units(codes: tuple[str, ...]) -> frozenset[int]:
    return frozenset(int(code) for code in codes if code.isdigit())


def _with_skills(taxonomy: Taxonomy, random: np.random.Generator) -> Iterator[ContextExample]:
    names = taxonomy.tables.names
    rows = names[names["language"] == ENGLISH]
    order = random.permutation(len(rows))[:_MOST_WITH_SKILLS]
    for concept, title in rows.iloc[order][["concept", "text"]].itertuples(index=False):
        code = taxonomy.isco_codes[concept][:UNIT_DIGITS]
        skills = [skill.name for skill in taxonomy.skills(taxonomy.uris[concept]) if skill.essential]
        if len(code) == UNIT_DIGITS and skills:
            chosen = random.permutation(len(skills))[:_N_SKILLS]
            yield ContextExample(title, tuple(skills[place] for place in chosen.tolist()), frozenset({int(code)}))


def train_context(
    examples: list[ContextExample], recipe: ConceptRecipe = CONTEXT_RECIPE, *, progress: Progress = no_progress
) -> GroupTensors:
    """Train the model, and return its tensors.

    Args:
        recipe: settings; those of the encoder's other losses are ignored.
        progress: called with batches done and batches in total.
    """
    codes = np.array(sorted({code for example in examples for code in example.units}), dtype=np.int32)
    hashes = [joint_hashes(fold(example.title), context_words_of(" ".join(example.context))) for example in examples]
    vocabulary = NgramVocabulary.from_hashes(hashes, least=recipe.least_texts, most=recipe.most_features)
    bag, possible = SparseBag(len(vocabulary), recipe), possible_groups([example.units for example in examples], codes)
    dropping, drawing = (np.random.default_rng(recipe.seed) for _ in range(2))
    layer = GroupLayer(bag, _features(vocabulary, hashes), possible, recipe, dropping)
    layer.train(drawing, progress)
    return GroupTensors(vocabulary.hashes, *pack(bag.weights.numpy()), *layer.weights(), codes)


def _features(vocabulary: NgramVocabulary, hashes: list[Hashes]) -> FeatureRows:
    rows = [vocabulary.find(of_text) for of_text in hashes]
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    return FeatureRows(np.concatenate(rows), starts)
