"""Speed of describing postings, compared in the same run with the mean of a transformer's sentence vectors.

The postings are those that come with jobmatch, so that no other data is needed; the long one is made of all of their
sentences, again and again.
"""

from dataclasses import dataclass
from functools import partial
from statistics import median

from jobmatch_core.descriptions.description_model import DescriptionModel
from jobmatch_core.descriptions.explanation import explain
from jobmatch_core.descriptions.nearest import TitleSpace, open_title_space
from jobmatch_core.descriptions.posting_models import load_posting_model
from jobmatch_core.descriptions.postings import Posting, example_postings
from jobmatch_core.encoders.loading import load_encoder
from jobmatch_core.entities import Progress, no_progress
from jobmatch_core.metrics.gauges import peak_memory_mb, timed
from jobmatch_core.taxonomy import BUNDLED_ID, TaxonomyStore
from lab.speed.encode_speed import opponent

N_SENTENCES = 200  # of the long posting
_STEPS = 4


@dataclass(frozen=True, slots=True)
class DescribeSpeed:
    """Seconds and megabytes of one run."""

    model: str
    load_s: float  # reading it from disk, and the title encoder with it
    postings: int  # number of postings, each described once before the timing, because words are cached
    posting_s: float  # sentences, vector and attention of one, the median
    effects_s: float  # the same and what happens without each sentence, the median
    long_sentences: int  # number of sentences of the long posting
    long_s: float  # its sentences, vector and attention, which a page shows at once
    long_effects_s: float  # the same and what happens without each sentence, which a page shows when it is there
    rss_mb: float  # the most memory of the process, before the other encoder is loaded
    against: str  # the other encoder; empty where there is none
    against_s: float  # the sentences of one posting encoded by it and averaged, the median; 0 where there is none
    ratio: float  # against_s / posting_s; 0 where there is none


def measure_describe_speed(
    word: str = "", against: str = "", *, n_sentences: int = N_SENTENCES, progress: Progress = no_progress
) -> DescribeSpeed:
    """Describe postings with a model, and with the mean of another encoder.

    Args:
        word: name of the model, for `load_posting_model`.
        against: a folder or `hub:` and a model hub's name; all-MiniLM-L6-v2 where its package is installed and none is
            given.
        n_sentences: number of sentences of the long posting.

    Raises:
        ModelError: the model cannot be loaded.
        LinkingError: the other encoder cannot be loaded.
    """
    load_s, model = timed(lambda: load_posting_model(word))
    space = open_title_space(TaxonomyStore.open().load(BUNDLED_ID), model.encoder)
    progress(1, _STEPS)
    postings = [posting.posting for posting in example_postings()]
    posting_s, effects_s = _median_s(model, space, postings, effects=False), _median_s(model, space, postings)
    progress(2, _STEPS)
    lines = [segment.content for posting in postings for segment in model.describe(posting).segments]
    long = Posting("long", "", "\n".join(lines[place % len(lines)] for place in range(n_sentences)))
    long_s, _ = timed(lambda: explain(model, long, space, effects=False))
    long_effects_s, explained = timed(lambda: explain(model, long, space))
    rss_mb = peak_memory_mb()
    progress(3, _STEPS)
    name, called = opponent(against)
    against_s = _median_of_other(name, postings) if name else 0.0
    progress(4, _STEPS)
    return DescribeSpeed(
        model=model.name,
        load_s=load_s,
        postings=len(postings),
        posting_s=posting_s,
        effects_s=effects_s,
        long_sentences=len(explained.description.segments),
        long_s=long_s,
        long_effects_s=long_effects_s,
        rss_mb=rss_mb,
        against=called,
        against_s=against_s,
        ratio=against_s / posting_s if name else 0.0,
    )


def _median_s(model: DescriptionModel, space: TitleSpace, postings: list[Posting], *, effects: bool = True) -> float:
    for posting in postings:
        explain(model, posting, space, effects=effects)
    return median(timed(partial(explain, model, posting, space, effects=effects))[0] for posting in postings)


def _median_of_other(name: str, postings: list[Posting]) -> float:
    other = DescriptionModel(load_encoder(name), name, "sentence-mean")
    for posting in postings:
        other.encode_postings([posting])
    return median(timed(partial(other.encode_postings, [posting]))[0] for posting in postings)
