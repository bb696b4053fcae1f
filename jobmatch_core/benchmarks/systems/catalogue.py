"""The systems that can be evaluated, by name.

`encoder:FOLDER` encodes bare titles, `prompted:FOLDER` the MELO paper's prompt. `linker:corpus` and `encoder:titles`
use only a dataset's texts, like the published systems; `linker` and `linker:TAXONOMY` use all names of a taxonomy.
"""

from collections.abc import Callable
from functools import partial

from jobmatch_core.benchmarks.systems.corpus_linker import CorpusLinker
from jobmatch_core.benchmarks.systems.lexical import BM25, EditDistance, TfIdf
from jobmatch_core.benchmarks.systems.linker_system import LinkerSystem
from jobmatch_core.benchmarks.systems.random_system import RandomSystem
from jobmatch_core.benchmarks.systems.system import BiEncoder, System, TitleEncoderSystem
from jobmatch_core.encoders.loading import EmbeddingCache, load_encoder
from jobmatch_core.errors import SettingsError
from jobmatch_core.settings import Settings

# name -> constructor
SYSTEMS: dict[str, Callable[[Settings], System]] = {
    "linker": LinkerSystem,
    "linker:corpus": lambda settings: CorpusLinker(),
    "encoder:titles": lambda settings: TitleEncoderSystem(),
    "random": lambda settings: RandomSystem(),
    "edit_distance": lambda settings: EditDistance("edit_distance"),
    "word_tf_idf": lambda settings: TfIdf("word_tf_idf", "word"),
    "word_tf_idf_lemmas": lambda settings: TfIdf("word_tf_idf_lemmas", "word", lemmas=True),
    "char_tf_idf": lambda settings: TfIdf("char_tf_idf", "char"),
    "char_tf_idf_lemmas": lambda settings: TfIdf("char_tf_idf_lemmas", "char", lemmas=True),
    "bm25": lambda settings: BM25("bm25"),
    "bm25_lemmas": lambda settings: BM25("bm25_lemmas", lemmas=True),
}
_FORMER = {"title_encoder": "encoder:titles"}  # names until version 0.1.0


def _bi_encoder(name: str, settings: Settings, *, prompted: bool) -> System:
    return BiEncoder(EmbeddingCache(load_encoder(name, settings), settings.caches / "embeddings"), prompted=prompted)


# prefix before the colon -> constructor, given the part after the colon
KINDS: dict[str, Callable[[str, Settings], System]] = {
    "linker": lambda taxonomy, settings: LinkerSystem(settings, taxonomy),
    "encoder": partial(_bi_encoder, prompted=False),
    "prompted": partial(_bi_encoder, prompted=True),
}


def open_system(name: str, *, settings: Settings | None = None) -> System:
    """Make a system.

    Args:
        name: one of `SYSTEMS`, or `KIND:NAME` with one of `KINDS`.

    Raises:
        SettingsError: there is no system of that name.
        ModelError: there is no such encoder.
        LinkingError: the encoder cannot be loaded.
    """
    settings = settings or Settings.from_environment()
    name = _FORMER.get(name, name)
    kind, _, rest = name.partition(":")
    if name in SYSTEMS:
        return SYSTEMS[name](settings)
    if kind in KINDS and rest:
        return KINDS[kind](rest, settings)
    names = ", ".join([*SYSTEMS, *(f"{kind}:NAME" for kind in KINDS)])
    raise SettingsError(
        f"There is no system '{name}'; choose one of {names}. NAME is a sentence-transformers model, or the folder "
        "that holds one."
    )
