"""Public sets that a search encoder is trained on, and samples that it is measured with meanwhile.

The ads that people judged good for a query stand for clicks (XGLUE's query-ad, training part); inferences are XNLI's
German training part and SICK without its test part, in Dutch and English; translations are NTREX-128's. Equal pairs of
the test sets are left out. Most queries of XGLUE's training part are in its test part, too, with other ads, as they are
in a search log; `UNSEEN` holds the test pairs of the others. Licences: `benchmarks/datasets/search_sets.py`.
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
_LANGUAGES = ("deu", "nld", "spa", "fra")  # languages of the translations for training
_MEASURED = ("deu", "nld")  # and of those for measuring
_MOST_TRAINED = 4000  # pairs per task
_MOST_QUERIES = 1200  # of a set with several documents per query
_MOST_PAIRS = 1000  # of any other set


@dataclass(frozen=True, slots=True)
class SearchTrainingSets:
    """Pairs to train on by task, and sets to measure with."""

    training: dict[str, list[TextPair]]  # pairs of each task
    tests: tuple[PairSet | TranslationSet, ...]  # samples of the test sets

    @property
    def clicks(self) -> list[TextPair]:
        """The pairs used as clicks."""
        return self.training[CLICKS]

    def test(self, name: str) -> PairSet:
        """Return a set of judged pairs."""
        return next(test for test in self.tests if isinstance(test, PairSet) and test.name == name)


def search_training_sets(folders: Sequence[Path]) -> SearchTrainingSets:
    """Read all pairs of folders and their subfolders, and sample them.

    Raises:
        DataFileError: a file is missing or damaged.
    """
    random = np.random.default_rng(0)
    tests = {name: _only(folders, name) for name in (SEARCHED, PASSAGES, *INFERENCES)}
    tested = {(pair.query, pair.document) for pairs in tests.values() for pair in pairs.pairs}
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
    trained_queries = {pair.query for pair in clicks}
    searched = tests.pop(SEARCHED)
    drawn = {SEARCHED: PairSet(SEARCHED, _of_some_queries(searched.pairs, _MOST_QUERIES, random), ranked=True)}
    drawn[UNSEEN] = PairSet(UNSEEN, [pair for pair in searched.pairs if pair.query not in trained_queries])
    drawn |= {name: PairSet(name, _drawn(pairs.pairs, _MOST_PAIRS, random)) for name, pairs in tests.items()}
    bitext = [
        TranslationSet(translations.name, translations.language, translations.pairs[:_MOST_PAIRS])
        for translations in _translation_sets(folders, BITEXT, _MEASURED)
    ]
    parallel = [
        pair for translations in _translation_sets(folders, _PARALLEL, _LANGUAGES) for pair in translations.pairs
    ]
    return SearchTrainingSets(
        {
            CLICKS: clicks,
            INFERENCE: _drawn(training[INFERENCE], _MOST_TRAINED, random),
            TRANSLATIONS: _drawn(parallel, _MOST_TRAINED, random),
        },
        (*drawn.values(), *bitext),
    )


def _only(folders: Sequence[Path], name: str) -> PairSet:
    sets: list[SearchSet] = list(public_sets(folders, name))
    match sets:
        case [PairSet() as only, *_]:
            return only
    raise DataFileError(folders[0], f"the set {name!r} is missing here; give all folders with public sets")


def _file(folders: Sequence[Path], name: str) -> Path:
    for folder in folders:
        if paths := sorted(folder.rglob(name)):
            return paths[0]
    raise DataFileError(folders[0], f"{name} is missing here; give all folders with public sets")


def _translation_sets(folders: Sequence[Path], name: str, languages: Sequence[str]) -> list[TranslationSet]:
    read = [candidate for candidate in public_sets(folders, name) if isinstance(candidate, TranslationSet)]
    if chosen := [translations for translations in read if translations.language in languages]:
        return chosen
    wanted = ", ".join(languages)
    raise DataFileError(folders[0], f"no translations of {name} in one of {wanted} are here; give their folder, too")


def _drawn(pairs: Sequence[TextPair], most: int, random: np.random.Generator) -> list[TextPair]:
    return [pairs[row] for row in np.sort(random.permutation(len(pairs))[:most]).tolist()]


def _of_some_queries(pairs: Sequence[TextPair], most: int, random: np.random.Generator) -> list[TextPair]:
    queries = list(dict.fromkeys(pair.query for pair in pairs))
    drawn = {queries[row] for row in random.permutation(len(queries))[:most].tolist()}
    return [pair for pair in pairs if pair.query in drawn]
