"""Training of the title encoder that jobmatch ships, and of the linker's calibration with it.

Two encoders are trained alike. The first has not seen the names that the calibration takes for titles, nor their
twins: on it the linker's weights and probabilities are fitted, as they would be on titles never seen. The second has
seen all names, and is shipped. No benchmark's data is used.
"""

import hashlib
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import numpy as np
from sentence_transformers import SentenceTransformer
from sentence_transformers.base.modules import Normalize

from jobmatch_core.entities import Encoder, FloatArray, Progress, no_progress
from jobmatch_core.io.folders import written_whole
from jobmatch_core.io.text_files import json_text
from jobmatch_core.linking.calibration import SHIPPED_CALIBRATION, Calibration, drawn_titles
from jobmatch_core.linking.heldout import twins
from jobmatch_core.linking.index import NameIndex
from jobmatch_core.metrics.peak_memory import peak_memory_mb
from jobmatch_core.taxonomy import Taxonomy, TaxonomyStore
from jobmatch_core.taxonomy.lexicon import lexicon_titles
from jobmatch_core.text.folding import fold
from jobmatch_core.titles.concept_table import ConceptTable
from jobmatch_core.titles.concept_training import ConceptRecipe, TrainedBag, train_bag
from jobmatch_core.titles.encoder import TitleEncoder, shipped_folder
from jobmatch_core.titles.sources import (
    coded_titles,
    isco_index,
    onet_titles,
    parallel_sentences,
    skill_names,
    skill_translations,
)
from jobmatch_core.titles.subword import SubwordBag
from jobmatch_core.titles.training_report import current_versions
from jobmatch_core.titles.training_texts import TextCollector, TrainingTexts

_SENTENCE_WEIGHT, _FAMILY_WEIGHT, _TRANSLATION_WEIGHT, _CODED_WEIGHT = 0.3, 0.5, 0.3, 1.0
_LABELS, _PACKAGE = "esco/labels_v1.0.3", "esco/v1.1.1_en"
_CURRENT = ("esco/v1.2.0_occupations", "esco/v1.2.1_occupations")
_HELD_OUT = 5  # of the coded titles and of the lexicon, every so-manieth is not seen by the first encoder
_TEACHER_BLOCK = 2048
Note = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ShippedReport:
    """Data, settings and results of the training.

    Attributes:
        recipe: settings of both trainings.
        teacher: name of the encoder that gave the English targets.
        data_hash: SHA-256 of the taxonomies' files.
        texts, features: numbers for the shipped encoder.
        left_out: number of names that the first encoder did not see.
        losses: losses of each epoch, blind and shipped.
        calibration: figures of the calibration on held-out titles, by the blind encoder.
        seconds, peak_memory_mb: duration and peak memory of the whole training.
        versions: versions of the packages.
    """

    recipe: ConceptRecipe
    teacher: str
    data_hash: str
    texts: int
    features: int
    left_out: int
    losses: dict[str, tuple[float, ...]]
    calibration: dict[str, float]
    seconds: float
    peak_memory_mb: float
    versions: dict[str, str]


def train_shipped_encoder(
    data: Path, out: Path, calibration_file: Path, teacher: Encoder, store: TaxonomyStore,
    *, recipe: ConceptRecipe | None = None, note: Note = lambda text: None, progress: Progress = no_progress,
) -> ShippedReport:  # fmt: skip
    """Train, calibrate and write the model folder.

    Args:
        data: the folder with `esco`, `onet`, `isco` and `parallel`.
        out: the model folder; an older one is replaced.
        calibration_file: file of the linker's calibration; replaced.
        teacher: any encoder that is good at English.
        store: store for the taxonomies of the data.
        recipe: settings of the training.
        note: called with the name of the next stage.
        progress: called with the steps of the stage.

    Raises:
        JobMatchError: a file is missing or damaged; its message says which.
    """
    started = time.perf_counter()
    recipe = recipe or ConceptRecipe()
    note("Importing the taxonomies")
    names, skills = (store.load(_imported(store, data / each)) for each in (_LABELS, _PACKAGE))
    note("Choosing names to leave out")
    index = NameIndex.build(names, groups=True)
    left_out = _left_out(names, index)
    note("Encoding with the teacher")
    texts = _texts(data, names, skills, frozenset())
    taught = _taught(teacher, texts, progress)
    note("Training without the names left out")
    blind_texts = _texts(data, names, skills, left_out)
    blind = _train(blind_texts, taught, recipe, progress)
    blind_folder = out.with_name(f"{out.name}-blind")
    with written_whole(blind_folder) as folder:
        _save(blind, blind_texts.uris, folder)
    note("Calibrating")
    blind_index = NameIndex.build(names, TitleEncoder.load(blind_folder), groups=True, progress=progress)
    calibration = Calibration.fit(blind_index, progress=progress)
    shutil.rmtree(blind_folder)
    note("Training with all names")
    trained = _train(texts, taught, replace(recipe, seed=recipe.seed + 1), progress)
    report = ShippedReport(
        recipe=recipe,
        teacher=teacher.name,
        data_hash=hashlib.sha256((names.manifest.source_hash + skills.manifest.source_hash).encode()).hexdigest(),
        texts=len(texts.texts),
        features=len(trained.vocabulary),
        left_out=len(left_out),
        losses={"blind": blind.losses, "shipped": trained.losses},
        calibration=calibration.held_out,
        seconds=time.perf_counter() - started,
        peak_memory_mb=peak_memory_mb(),
        versions=current_versions(),
    )
    with written_whole(out) as folder:
        _save(trained, texts.uris, folder)
        (folder / "report.json").write_text(json_text(asdict(report), indent=2), "utf-8")
        if (card := out / "README.md").exists():  # written by hand, so it is copied
            shutil.copy(card, folder)
    calibration.save_for(TitleEncoder.load(out).name, calibration_file)
    return report


def shipped_paths() -> tuple[Path, Path]:
    """Return the paths of the shipped encoder and its calibration."""
    return shipped_folder(), Path(str(files("jobmatch_core.linking") / SHIPPED_CALIBRATION))


def _imported(store: TaxonomyStore, folder: Path) -> str:
    return store.import_from(folder, replace=True).id


def _left_out(taxonomy: Taxonomy, index: NameIndex) -> frozenset[tuple[str, str]]:
    """Return (URI, folded form) of the titles that the calibration draws, and of their twins."""
    return frozenset(
        (taxonomy.uris[concept], index.texts[entry])
        for held_out in drawn_titles(index)
        for name, concept, kept in zip(held_out.names, held_out.owners.tolist(), held_out.kept.tolist(), strict=True)
        if name and not kept
        for entry in twins(index, name, concept)
    )


def is_held_out(title: str) -> bool:
    """Return whether a coded title, or one of the lexicon, is put aside: by its folded text, in all sources alike."""
    return sha256(fold(title).encode()).digest()[0] % _HELD_OUT == 0


def _texts(
    data: Path, names: Taxonomy, skills: Taxonomy, current: Sequence[Taxonomy], left_out: frozenset[tuple[str, str]]
) -> TrainingTexts:
    """Collect the training texts; with names to leave out, also without the titles that are held out."""
    collector = TextCollector()
    for taxonomy in (names, skills, *current):
        collector.add_names(taxonomy, left_out)
    collector.add_lexicon(each for each in lexicon_titles() if not (left_out and is_held_out(each.title)))
    coded = coded_titles(data / "titles_coded")
    collector.add_coded_titles((row for row in coded if not (left_out and is_held_out(row[1]))), _CODED_WEIGHT)
    collector.add_sentences(skills, _SENTENCE_WEIGHT)
    collector.add_group_titles(isco_index(data / "isco" / "isco08_index_en.tsv"))
    collector.add_family_titles(onet_titles(data / "onet"), _FAMILY_WEIGHT)
    collector.add_translations(skill_names(skills), _TRANSLATION_WEIGHT)
    collector.add_translations(skill_translations(data / "esco" / "skills", skills), _TRANSLATION_WEIGHT)
    collector.add_translations(parallel_sentences(data / "parallel"), _TRANSLATION_WEIGHT)
    return collector.collected()


def _taught(teacher: Encoder, texts: TrainingTexts, progress: Progress) -> dict[str, FloatArray]:
    """Return the teacher's vectors by text."""
    order = sorted(texts.teacher_texts, key=len)  # so that texts of one length are encoded together
    vectors: dict[str, FloatArray] = {}
    for start in range(0, len(order), _TEACHER_BLOCK):
        block = order[start : start + _TEACHER_BLOCK]
        vectors |= dict(zip(block, teacher.encode(block), strict=True))
        progress(start + len(block), len(order))
    return vectors


def _train(
    texts: TrainingTexts, taught: dict[str, FloatArray], recipe: ConceptRecipe, progress: Progress
) -> TrainedBag:
    vectors = np.stack([taught[text] for text in texts.teacher_texts])
    return train_bag(texts, texts.teacher_targets(vectors), recipe, progress=progress)


def _save(trained: TrainedBag, uris: list[str], folder: Path) -> None:
    bag = SubwordBag(trained.vocabulary.hashes, trained.weights, bits=4)
    model = SentenceTransformer(modules=[bag, Normalize()], device="cpu", trust_remote_code=False)
    model.save_pretrained(str(folder), create_model_card=False)
    ConceptTable.of(uris, trained.occupations).save(folder)
