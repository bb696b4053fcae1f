"""Figures of a search encoder in an experiment: what it finds, its speed, and ways to read several texts.

The ways take the encoder, the pairs that it was trained on, the pairs to score, and a seed; only attention learns.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
import torch

from jobmatch_core.benchmarks.datasets.search_sets import PairSet, TranslationSet
from jobmatch_core.benchmarks.retrieval.search_experiment import figures_of_groups
from jobmatch_core.entities import FloatArray
from jobmatch_core.metrics.judgment_metrics import auc, translation_hits
from jobmatch_core.search.pair_files import TextPair
from jobmatch_core.search.search_encoder import SearchEncoder
from jobmatch_core.vectors import normalised
from lab.experiments.search_training_sets import BITEXT, INFERENCE, INFERENCES
from lab.experiments.text_attention import AttentionConfig, DocumentTexts, fit_text_attention

NDCG = "ndcg_at_10"
AUC, RANKED, ACCURACY = "AUC", "nDCG@10", "accuracy"
INFERENCE_AUC = f"{INFERENCE} {AUC}"
_VECTORS, _SEARCHES, _ROUNDS = 100_000, 50, 3
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"

Figures = dict[str, float]


def measured(encoder: SearchEncoder, tests: Iterable[PairSet | TranslationSet]) -> Figures:
    """Return AUC, nDCG@10 and bitext accuracy of an encoder by set, and the mean AUC of inferences."""
    figures: Figures = {}
    hits = []
    for test in tests:
        if isinstance(test, PairSet):
            figures |= judged(test, joined(encoder, (), test.pairs, 0))
        else:
            left = _vectors(encoder.encode, [pair.query for pair in test.pairs])
            right = _vectors(encoder.encode, [pair.document for pair in test.pairs])
            hits.append(translation_hits(left @ right.T))
    inferences = [figures[f"{name} {AUC}"] for name in INFERENCES if f"{name} {AUC}" in figures]
    if inferences:
        figures[INFERENCE_AUC] = float(np.mean(inferences))
    if hits:
        figures[f"{BITEXT} {ACCURACY}"] = float(np.concatenate(hits).mean())
    return figures


def with_addresses(pairs: Iterable[TextPair], random: np.random.Generator) -> list[TextPair]:
    """Return the pairs with a random web address as a further text of each document."""
    return [replace(pair, document=f"{pair.document}\n{_address(random)}") for pair in pairs]


def _address(random: np.random.Generator) -> str:
    host, folder, key = ("".join(random.choice(list(_LETTERS), size)) for size in (8, 6, 11))
    return f"https://www.{host}.com/{folder}?v={key}"


def judged(pairs: PairSet, scores: FloatArray) -> Figures:
    """Return AUC of scored pairs, and nDCG@10 where their documents can be ranked."""
    labels = np.array([pair.label or 0.0 for pair in pairs.pairs], dtype=np.float32)
    figures = {f"{pairs.name} {AUC}": auc(scores.astype(np.float64), labels > 0)}
    ranked = figures_of_groups(pairs, scores, labels) if pairs.ranked else {}
    return figures | ({f"{pairs.name} {RANKED}": float(ranked[NDCG].mean())} if ranked else {})


def joined(encoder: SearchEncoder, trained: Sequence[TextPair], pairs: Sequence[TextPair], seed: int) -> FloatArray:
    """Return the cosines of queries and whole documents."""
    documents = _vectors(encoder.encode, [pair.document for pair in pairs])
    cosines: FloatArray = (_queries(encoder, pairs) * documents).sum(axis=1)
    return cosines


def averaged(encoder: SearchEncoder, trained: Sequence[TextPair], pairs: Sequence[TextPair], seed: int) -> FloatArray:
    """Return the cosines of queries and the means of a document's texts."""
    means = normalised(_texts(encoder, pairs).vectors.sum(axis=1))
    cosines: FloatArray = (_queries(encoder, pairs) * means).sum(axis=1)
    return cosines


def attended(encoder: SearchEncoder, trained: Sequence[TextPair], pairs: Sequence[TextPair], seed: int) -> FloatArray:
    """Return the cosines of queries and documents by an attention that is fitted to the trained pairs."""
    config = AttentionConfig(seed=seed)
    attention = fit_text_attention(_queries(encoder, trained), _texts(encoder, trained), config)
    documents, encoded_queries = _texts(encoder, pairs), torch.from_numpy(_queries(encoder, pairs))
    with torch.inference_mode():
        vectors = attention(encoded_queries, torch.from_numpy(documents.vectors), torch.from_numpy(documents.present))
        cosines: FloatArray = (vectors * encoded_queries).sum(dim=1).numpy()
    return cosines


def _texts(encoder: SearchEncoder, pairs: Sequence[TextPair]) -> DocumentTexts:
    return DocumentTexts.encoded(encoder, [pair.document.split("\n") for pair in pairs])


def _queries(encoder: SearchEncoder, pairs: Sequence[TextPair]) -> FloatArray:
    return _vectors(encoder.encode_queries, [pair.query for pair in pairs])


def _vectors(encode: Callable[[Sequence[str]], FloatArray], texts: Sequence[str]) -> FloatArray:
    """Return the vector of each text; none is encoded twice."""
    places = {text: place for place, text in enumerate(dict.fromkeys(texts))}
    return encode(list(places))[[places[text] for text in texts]]


def search_figures(dimension: int, seed: int) -> Figures:
    """Return the size of many vectors, and the median time in which the nearest ten are found among all."""
    random = np.random.default_rng(seed)
    vectors = normalised(random.standard_normal((_VECTORS, dimension), dtype=np.float32))
    seconds = []
    for query in vectors[:_SEARCHES]:
        start = time.perf_counter()
        np.argpartition(vectors @ query, -10)[-10:]
        seconds.append(time.perf_counter() - start)
    return {f"{_VECTORS:,} vectors, MB": vectors.nbytes / 1e6, "search, ms": 1000 * float(np.median(seconds))}


def encoding_speeds(encoders: dict[str, SearchEncoder], texts: Sequence[str]) -> Figures:
    """Return each encoder's texts a second in the best of some rounds, in which they take turns."""
    best = dict.fromkeys(encoders, np.inf)
    for _ in range(_ROUNDS):
        for name, encoder in encoders.items():
            start = time.perf_counter()
            encoder.encode(texts)
            best[name] = min(best[name], time.perf_counter() - start)
    return {name: len(texts) / seconds for name, seconds in best.items()}
