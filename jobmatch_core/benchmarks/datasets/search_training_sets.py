"""Public pairs to train a search encoder on, and those that `search_sets` measures it with, in samples.

Training: the ads that people judged good for a query stand for clicks (XGLUE's query-ad, training part); inferences
are XNLI's German training part and SICK without its test part, in Dutch and English; translations are NTREX-128's.
Equal pairs of the test sets are left out. Most queries of XGLUE's training part are in its test part, too, with other
ads, as they are in a search log; `UNSEEN` holds the test pairs of the others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from jobmatch_core.benchmarks.datasets.search_sets import PairSet, SearchSet, TranslationSet, public_sets
from jobmatch_core.errors import DataFileError
from jobmatch_core.search.pair_files import TextPair, read_pairs

CLICKS, INFERENCE, TRANSLATIONS = "clicks", "inference", "translations"
SEARCHED, PASSAGES, UNSEEN = "query-ad", "query-passage", "query-ad, unseen queries"
INFERENCES = ("xnli-de", "esxnli", "sick-nl", "sick-en")
BITEXT = "tatoeba"
_TRAINING = {
    CLICKS: (("XGlue_Query_Ad_train.txt.gz", "judgments"),),
    INFERENCE: (("XGlue_NLI_train.txt.gz", "xnli"), ("SICK_NL.txt", "sick"), ("SICK_NL.txt", "sick-original")),
}
_PARALLEL = "ntrex"
_LANGUAGES = ("deu", "nld", "spa", "fra")  # of the translations that are trained on
_MEASURED = ("deu", "nld")  # and of those that are measured with


@dataclass(frozen=True, slots=True)
class SampleSizes:
    """Maximum sizes of the samples: queries of query-ad, pairs of all other sets."""

    inference: int = 4000
    translations: int = 4000
    queries: int = 1200
    pairs: int = 1000


@dataclass(frozen=True, slots=True)
class SearchTrainingSets:
    """Pairs to train on by task, and sets to measure with.

    Attributes:
        training: pairs of each task.
        tests: sets of judged pairs and of translations, drawn from the test sets.
    """

    training: dict[str, list[TextPair]]
    tests: tuple[PairSet | TranslationSet, ...]

    @property
    def clicks(self) -> list[TextPair]:
        """The pairs that stand for clicks."""
        return self.training[CLICKS]

    def test(self, name: str) -> PairSet:
        """Return a set of judged pairs."""
        return next(each for each in self.tests if isinstance(each, PairSet) and each.name == name)


def search_training_sets(
    folders: Sequence[Path], sizes: SampleSizes | None = None, *, seed: int = 0
) -> SearchTrainingSets:
    """Read and draw all pairs.

    Args:
        folders: folders to look in, and in those therein.
        sizes: how much is drawn.
        seed: of the draw.

    Raises:
        DataFileError: a file is missing or damaged.
    """
    sizes = sizes or SampleSizes()
    random = np.random.default_rng(seed)
    tests = {name: _only(folders, name) for name in (SEARCHED, PASSAGES, *INFERENCES)}
    tested = {(pair.query, pair.document) for each in tests.values() for pair in each.pairs}
    training = {
        name: [
            pair
            for file, shape in files
            for pair in read_pairs(_file(folders, file), shape)
            if (pair.query, pair.document) not in tested
        ]
        for name, files in _TRAINING.items()
    }
    clicks = [pair for pair in training[CLICKS] if pair.label]
    known = {pair.query for pair in clicks}
    searched = tests.pop(SEARCHED)
    drawn = {SEARCHED: PairSet(SEARCHED, _of_some_queries(searched.pairs, sizes.queries, random), ranked=True)}
    drawn[UNSEEN] = PairSet(UNSEEN, [pair for pair in searched.pairs if pair.query not in known])
    drawn |= {name: PairSet(name, _drawn(each.pairs, sizes.pairs, random)) for name, each in tests.items()}
    bitext = [
        TranslationSet(each.name, each.language, each.pairs[: sizes.pairs])
        for each in _translations(folders, BITEXT, _MEASURED)
    ]
    parallel = [pair for each in _translations(folders, _PARALLEL, _LANGUAGES) for pair in each.pairs]
    return SearchTrainingSets(
        {
            CLICKS: clicks,
            INFERENCE: _drawn(training[INFERENCE], sizes.inference, random),
            TRANSLATIONS: _drawn(parallel, sizes.translations, random),
        },
        (*drawn.values(), *bitext),
    )


def _only(folders: Sequence[Path], name: str) -> PairSet:
    found: list[SearchSet] = list(public_sets(folders, name))
    match found:
        case [PairSet() as only, *_]:
            return only
    raise DataFileError(folders[0], f"the set {name!r} is missing here; give all folders with public sets")


def _file(folders: Sequence[Path], name: str) -> Path:
    for folder in folders:
        if found := sorted(folder.rglob(name)):
            return found[0]
    raise DataFileError(folders[0], f"{name} is missing here; give all folders with public sets")


def _translations(folders: Sequence[Path], name: str, languages: Sequence[str]) -> list[TranslationSet]:
    read = [each for each in public_sets(folders, name) if isinstance(each, TranslationSet)]
    if found := [each for each in read if each.language in languages]:
        return found
    wanted = ", ".join(languages)
    raise DataFileError(folders[0], f"no translations of {name} in one of {wanted} are here; give their folder, too")


def _drawn(pairs: Sequence[TextPair], most: int, random: np.random.Generator) -> list[TextPair]:
    return [pairs[row] for row in np.sort(random.permutation(len(pairs))[:most]).tolist()]


def _of_some_queries(pairs: Sequence[TextPair], most: int, random: np.random.Generator) -> list[TextPair]:
    queries = list(dict.fromkeys(pair.query for pair in pairs))
    kept = {queries[row] for row in random.permutation(len(queries))[:most].tolist()}
    return [pair for pair in pairs if pair.query in kept]
