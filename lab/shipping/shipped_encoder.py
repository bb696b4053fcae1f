"""Training of the title encoder that jobmatch ships, its classifier of unit groups, and the linker's calibration.

Two encoders are trained alike. The first has not seen the titles that the calibration is fitted and measured on: a
fifth of the coded titles and of the lexicon and, where the training starts from random weights, names of the taxonomy
with their twins. The second has seen all titles, and is shipped. So it is with the classifier. Both encoders read
gendered words by the same rules, which all of ESCO's names teach. No benchmark's data is used.
"""

import hashlib
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Self, cast

import numpy as np
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.io.folders import atomic_folder
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.calibration import SHIPPED_CALIBRATION, Calibration, drawn_titles
from jobmatch_core.linking.examples import NO_CONCEPT, CodedTitle, twins
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.metrics.gauges import peak_memory_mb
from jobmatch_core.model_store.saved_model import weights_digest
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.lexicon import LexiconTitle, lexicon_digest, lexicon_titles, with_lexicon
from jobmatch_core.taxonomy.tables import UNIT_DIGITS
from jobmatch_core.text.folding import fold
from jobmatch_core.text.forms import expand_forms
from jobmatch_core.titles.encoder import ConceptTable, TitleEncoder, shipped_folder
from jobmatch_core.titles.gendered_words import GenderedWords
from jobmatch_core.titles.group_classifier import GROUPS_FILE
from jobmatch_core.titles.subword import SubwordBag
from jobmatch_core.training.reports import current_versions
from lab.shipping.concept_training import ConceptRecipe, StartModel, TrainedBag, train_bag
from lab.shipping.gendered_training import learned_gendered_words
from lab.shipping.group_training import GROUP_RECIPE, GroupTitle, TrainedGroups, group_titles, train_groups
from lab.shipping.training_texts import (
    MOST_GROUPS,
    CodedRow,
    TextCollector,
    TrainingTexts,
    coded_titles,
    coding_indexes,
    further_lists,
    isco_index,
    onet_titles,
    parallel_sentences,
    skill_names,
    skill_translations,
)

_SENTENCE_WEIGHT, _FAMILY_WEIGHT, _TRANSLATION_WEIGHT, _CODED_WEIGHT = 0.3, 0.5, 0.3, 1.0
_LABELS, _PACKAGE = "esco/labels_v1.0.3", "esco/v1.1.1_en"
_CURRENT = ("esco/v1.2.0_occupations", "esco/v1.2.1_occupations")
_HELD_OUT = 5  # of the coded titles and of the lexicon, every so-manieth is not seen by the first encoder
_TEACHER_BLOCK = 2048
_SEED = 7  # of the draw of coded titles for the calibration
_MOST_HELD_OUT = 8_000  # titles of the lexicon that the calibration draws, so that coded titles count beside them
UPDATE = ConceptRecipe(epochs=4, rate=0.012, head_rate=0.005, target_weight=8.0)  # of a training that goes on
Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ShippedReport:
    """Data, settings and results of the training."""

    recipe: ConceptRecipe  # settings of both trainings of the encoder
    group_recipe: ConceptRecipe  # settings of both trainings of the classifier
    teacher: str  # name of the encoder that gave the English targets; '' if the start model did
    start: str  # name of the encoder that the training went on from; '' for random weights
    data_hash: str  # SHA-256 of the taxonomies' files and the lexicon
    # texts, features: numbers for the shipped encoder
    texts: int
    features: int
    left_out: int  # number of names that the first encoder did not see, apart from the titles held out
    group_titles: int  # number of titles that the shipped classifier is trained on
    gendered_endings: int  # number of rules by which the encoder reads gendered words
    # losses of each epoch, blind and shipped, of the encoder and of the classifier
    losses: dict[str, tuple[float, ...]]
    calibration: dict[str, float]  # figures of the calibration on held-out titles, by the blind encoder
    # seconds, peak_memory_mb: duration and peak memory of the whole training
    seconds: float
    peak_memory_mb: float
    versions: dict[str, str]  # versions of the packages


def train_shipped_encoder(
    data: Path,
    out: Path,
    calibration_file: Path,
    store: TaxonomyStore,
    *,
    teacher: Encoder | None = None,
    start: TitleEncoder | None = None,
    recipe: ConceptRecipe | None = None,
    group_recipe: ConceptRecipe = GROUP_RECIPE,
    note: Note = lambda text: None,
    progress: Progress = no_progress,
) -> ShippedReport:
    """Train, calibrate and write the model folder.

    Args:
        data: the folder with `esco`, `onet`, `isco`, `parallel`, `titles_coded` and `titles_coded_2`.
        out: the model folder; an older one is replaced.
        calibration_file: file of the linker's calibration; replaced.
        store: store for the taxonomies of the data.
        teacher: any encoder that is good at English; without one the training goes on from *start*, which is its own
            teacher then.
        start: the encoder to go on from, the shipped one by default; one that has seen titles that are held out now
            makes the figures of the calibration too good.
        recipe: settings of the training of the encoder.
        group_recipe: settings of the training of the classifier.
        note: called with the name of the next stage.

    Raises JobMatchError if a file is missing or damaged; its message says which.
    """
    started = time.perf_counter()
    start = (start or TitleEncoder.load(shipped_folder())) if teacher is None else None
    recipe = recipe or (UPDATE if start else ConceptRecipe())
    note("Importing the taxonomies")
    sources = _Sources.read(data, store)
    left_out: frozenset[tuple[str, str]] = frozenset()
    if start is None:
        note("Choosing names to leave out")
        taxonomy = sources.with_known_titles()
        left_out = _left_out(taxonomy, NameIndex.build(taxonomy, groups=True))
    texts = sources.texts(taught=start is None)
    blind_texts = sources.texts(left_out, blind=True, taught=start is None)
    coded, blind_coded = sources.group_titles(), sources.group_titles(left_out, blind=True)
    gendered_words = learned_gendered_words((sources.names, sources.skills, *sources.current))
    note("Encoding with the teacher")
    taught = _taught(teacher or cast(Encoder, start), texts, progress)
    note("Training without the titles held out")
    blind = _train(blind_texts, taught, recipe, start, progress)
    blind_groups = train_groups(blind_coded, group_recipe, progress=progress)
    blind_folder = out.with_name(f"{out.name}-blind")
    with atomic_folder(blind_folder) as folder:
        _save(blind, blind_groups, gendered_words, blind_texts.uris, folder)
    note("Calibrating")
    calibration = _calibrated(sources, TitleEncoder.load(blind_folder), seen=start is not None, progress=progress)
    shutil.rmtree(blind_folder)
    note("Training with all titles")
    trained = _train(texts, taught, replace(recipe, seed=recipe.seed + 1), start, progress)
    groups = train_groups(coded, group_recipe, progress=progress)
    report = ShippedReport(
        recipe=recipe,
        group_recipe=group_recipe,
        teacher=teacher.name if teacher else "",
        start=start.name if start else "",
        data_hash=sources.digest,
        texts=len(texts.texts),
        features=len(trained.vocabulary),
        left_out=len(left_out),
        group_titles=len(coded),
        gendered_endings=len(gendered_words.endings),
        losses={
            "blind": blind.losses,
            "shipped": trained.losses,
            "blind groups": blind_groups.losses,
            "shipped groups": groups.losses,
        },
        calibration=calibration.held_out,
        seconds=time.perf_counter() - started,
        peak_memory_mb=peak_memory_mb(),
        versions=current_versions(),
    )
    with atomic_folder(out) as folder:
        _save(trained, groups, gendered_words, texts.uris, folder)
        (folder / "report.json").write_text(json_text(asdict(report), indent=2), "utf-8")
        if (card := out / "README.md").exists():  # written by hand, so it is copied
            shutil.copy(card, folder)
    calibration = replace(calibration, classifier=weights_digest(out, GROUPS_FILE))
    calibration.save_for(TitleEncoder.load(out).name, calibration_file)
    return report


def shipped_paths() -> tuple[Path, Path]:
    """Return the paths of the shipped encoder and its calibration."""
    return shipped_folder(), Path(str(files("jobmatch_core.linking") / SHIPPED_CALIBRATION))


def _left_out(taxonomy: Taxonomy, index: NameIndex) -> frozenset[tuple[str, str]]:
    """Return (URI, folded form) of the titles that the calibration draws, and of their twins."""
    return frozenset(
        (taxonomy.uris[concept], index.texts[entry])
        for held_out in drawn_titles(index)
        for name, concept, is_kept in zip(
            held_out.names, held_out.owners.tolist(), held_out.name_kept.tolist(), strict=True
        )
        if name and not is_kept
        for entry in twins(index, name, concept)
    )


def is_held_out(title: str) -> bool:
    """Return whether a coded title, or one of the lexicon, is held out: by its folded text, in all sources alike."""
    return _digest(title)[0] % _HELD_OUT == 0


def is_calibrated_on(title: str) -> bool:
    """Return whether a title that is held out may be calibrated on; the other half is for measuring lists."""
    return _digest(title)[1] % 2 == 0


def _digest(title: str) -> bytes:
    return hashlib.sha256(fold(title).encode()).digest()


def _held_out_row(row: CodedRow) -> bool:
    """Return whether a coded title is held out: by its own text, by a form of it, or by that which it qualifies."""
    return any(map(is_held_out, (row.title, row.stem, *expand_forms(row.title))))


@dataclass(frozen=True, slots=True)
class _Sources:
    """The data: ESCO 1.0.3 in all languages, 1.1.1 with skills, the current releases, and the folder of the others."""

    names: Taxonomy
    skills: Taxonomy
    current: tuple[Taxonomy, ...]
    folder: Path

    @classmethod
    def read(cls, data: Path, store: TaxonomyStore) -> Self:
        names, skills, *current = (
            store.load(store.import_from(data / folder, replace=True).id) for folder in (_LABELS, _PACKAGE, *_CURRENT)
        )
        return cls(names, skills, tuple(current), data)

    @property
    def digest(self) -> str:
        """SHA-256 of the taxonomies and the lexicon."""
        hashes = [taxonomy.manifest.source_hash for taxonomy in (self.names, self.skills, *self.current)]
        return hashlib.sha256("".join([*hashes, lexicon_digest()]).encode()).hexdigest()

    def texts(
        self, left_out: frozenset[tuple[str, str]] = frozenset(), *, blind: bool = False, taught: bool
    ) -> TrainingTexts:
        """Collect the training texts.

        Args:
            left_out: names to leave out, see `TextCollector.add_names`; of the lexicon, titles that equal one.
            blind: also without the coded titles and those of the lexicon that are held out.
            taught: whether the teacher knows more of coded titles and the lexicon than the encoder.
        """
        collector = TextCollector()
        for taxonomy in (self.names, self.skills, *self.current):
            collector.add_names(taxonomy, left_out)
        collector.add_sentences(self.skills, _SENTENCE_WEIGHT)
        collector.add_group_titles(isco_index(self.folder / "isco" / "isco08_index_en.tsv"))
        collector.add_family_titles(onet_titles(self.folder / "onet"), _FAMILY_WEIGHT)
        collector.add_translations(skill_names(self.skills), _TRANSLATION_WEIGHT)
        skills = skill_translations(self.folder / "esco" / "skills", self.skills)
        collector.add_translations(skills, _TRANSLATION_WEIGHT)
        collector.add_translations(parallel_sentences(self.folder / "parallel"), _TRANSLATION_WEIGHT)
        lexicon = self._known_titles() if blind else lexicon_titles()
        unseen = {text for _, text in left_out}
        collector.add_lexicon((row for row in lexicon if fold(row.title) not in unseen), taught=taught)
        coded = (row for row in self._coded_titles() if not (blind and _held_out_row(row)))
        collector.add_coded_titles(coded, _CODED_WEIGHT, taught=taught)
        return collector.collected()

    def group_titles(
        self, left_out: frozenset[tuple[str, str]] = frozenset(), *, blind: bool = False
    ) -> list[GroupTitle]:
        """Collect the titles that the classifier of unit groups is trained on; arguments as those of `texts`."""
        unseen = {text for _, text in left_out}
        lists = chain(coding_indexes(self.folder / "titles_coded"), further_lists(self.folder / "titles_coded_2"))
        index = isco_index(self.folder / "isco" / "isco08_index_en.tsv")
        titles = chain(
            ((row.groups, row.title) for row in lists if not (blind and _held_out_row(row))),
            (((code,), title) for code, title in index if not (blind and is_held_out(title))),
            (((row.isco,), row.title) for row in (self._known_titles() if blind else lexicon_titles())),
            *(_names(taxonomy) for taxonomy in (self.names, self.skills, *self.current)),
        )
        units = {code for code in self.names.isco_codes if len(code) == UNIT_DIGITS}  # crosswalks name others, too
        rows = ((units.intersection(codes), title) for codes, title in titles if fold(title) not in unseen)
        return group_titles(rows, chain.from_iterable(parallel_sentences(self.folder / "parallel")))

    def _coded_titles(self) -> Iterator[CodedRow]:
        further = further_lists(self.folder / "titles_coded_2")
        return chain(
            coded_titles(self.folder / "titles_coded"), (row for row in further if len(row.groups) <= MOST_GROUPS)
        )

    @staticmethod
    def _known_titles() -> list[LexiconTitle]:
        return [row for row in lexicon_titles() if not is_held_out(row.title)]

    def with_known_titles(self) -> Taxonomy:
        """Return the names that are calibrated on, and beside them the titles of the lexicon that are not held out."""
        return with_lexicon(self.names, self._known_titles())

    def titles_like_real_ones(self, taxonomy: Taxonomy) -> tuple[list[CodedTitle], list[CodedTitle]]:
        """Return titles to calibrate on, in an order of their own, and held-out titles to fit the trust in names on.

        The first are a mixture like the titles that people link: of the lexicon some that are held out, and twice as
        many that are not; as many coded ones, which are harder, all of them held out. The second are not among those
        of the mixture that the fit is measured on. Of all that is held out, half is in neither, to measure lists with.
        """
        numbers = {uri: number for number, uri in enumerate(taxonomy.uris)}
        random = np.random.default_rng(_SEED)
        held_out: list[CodedTitle] = []
        titles: list[CodedTitle] = []
        for entry in lexicon_titles():
            title = CodedTitle(fold(entry.title), (int(entry.isco),), numbers.get(entry.esco, NO_CONCEPT))
            if not is_held_out(entry.title):
                titles.append(title)
            elif is_calibrated_on(entry.title):
                held_out.append(title)
        coded = [
            CodedTitle(fold(row.title), tuple(int(code) for code in row.groups))
            for row in self._coded_titles()
            if _held_out_row(row) and is_calibrated_on(row.title)
        ]
        drawn = _drawn(held_out, _MOST_HELD_OUT, random)
        both = [*drawn, *_drawn(titles, 2 * len(drawn), random), *_drawn(coded, len(drawn), random)]
        mixture = _drawn([title for title in both if title.text], len(both), random)
        checked = set(mixture[1::2])  # by `Calibration.fit`
        return mixture, [title for title in (*held_out, *coded) if title.text and title not in checked]


def _names(taxonomy: Taxonomy) -> Iterator[tuple[tuple[str], str]]:
    """Yield (unit groups, name) of the names of occupations."""
    codes = {number: taxonomy.isco_codes[number][:UNIT_DIGITS] for number in taxonomy.occupation_numbers.tolist()}
    table = taxonomy.tables.names
    for concept, text in zip(table["concept"], table["text"], strict=True):
        if len(codes.get(concept, "")) == UNIT_DIGITS:
            yield (codes[concept],), text


def _drawn(titles: Sequence[CodedTitle], most: int, random: np.random.Generator) -> list[CodedTitle]:
    return [titles[row] for row in random.permutation(len(titles))[:most].tolist()]


def _calibrated(sources: _Sources, encoder: TitleEncoder, *, seen: bool, progress: Progress) -> Calibration:
    """Fit the calibration with the encoder that has not seen what is held out; *seen* if it has seen all names."""
    taxonomy = sources.with_known_titles()
    index = NameIndex.build(taxonomy, encoder, groups=True, progress=progress)
    mixture, held_out = sources.titles_like_real_ones(taxonomy)
    return Calibration.fit(index, coded=mixture, named=held_out, names_seen=seen, progress=progress)


def _taught(teacher: Encoder, texts: TrainingTexts, progress: Progress) -> dict[str, FloatArray]:
    order = sorted(texts.teacher_texts, key=len)  # so that texts of one length are encoded together
    vectors: dict[str, FloatArray] = {}
    for start in range(0, len(order), _TEACHER_BLOCK):
        block = order[start : start + _TEACHER_BLOCK]
        vectors |= dict(zip(block, teacher.encode(block), strict=True))
        progress(start + len(block), len(order))
    return vectors


def _train(
    texts: TrainingTexts,
    taught: dict[str, FloatArray],
    recipe: ConceptRecipe,
    start: TitleEncoder | None,
    progress: Progress,
) -> TrainedBag:
    vectors = np.stack([taught[text] for text in texts.teacher_texts])
    model = StartModel(start.hashes, start.weights(), start.concept_vectors(texts.uris)) if start else None
    return train_bag(texts, texts.teacher_targets(vectors), recipe, start=model, progress=progress)


def _save(
    trained: TrainedBag, groups: TrainedGroups, gendered_words: GenderedWords, uris: list[str], folder: Path
) -> None:
    bag = SubwordBag(trained.vocabulary.hashes, trained.weights, bits=4, gendered_words=gendered_words)
    model = SentenceTransformer(modules=[bag, Normalize()], device="cpu", trust_remote_code=False)
    model.save_pretrained(str(folder), create_model_card=False)
    ConceptTable.of(uris, trained.occupations).save(folder)
    groups.weights.save(folder)
