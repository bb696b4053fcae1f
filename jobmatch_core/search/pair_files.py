"""Files of text pairs that search encoders are trained and measured on, in their published formats.

Of inferences, entailment is a match and neutral is none; contradiction is left out, as in the paper (section III).
"""

import io
import json
import math
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path

from jobmatch_core.errors import DataFileError
from jobmatch_core.io.table_limits import single_lines, unpacking
from jobmatch_core.io.text_files import check_regular

INFERENCES = {"entailment": 1.0, "neutral": 0.0}
_LEFT_OUT = ("contradiction", "-")  # a dash marks disagreement of the annotators
_JUDGMENTS = {"good": 1.0, "bad": 0.0}

_Rows = Iterator[tuple[int, list[str]]]  # (line, fields)


@dataclass(frozen=True, slots=True)
class TextPair:
    """A query and a document."""

    query: str  # query, premise or sentence
    document: str  # document, hypothesis or translation; a document of several texts has one per line
    label: float | None = None  # 1 for a match, 0 for none, or a grade; None in a file of matches only
    weight: float = 1.0  # factor of the pair's training loss, such as the inverse propensity of a search log entry


def read_pairs(path: Path, shape: str) -> list[TextPair]:
    """Read a file of pairs in a shape of `SHAPES`, plain or gzip-compressed (`.gz`).

    Raises:
        DataFileError: unknown shape, unreadable file, wrong shape, or no pairs.
    """
    if shape not in SHAPES:
        raise DataFileError(path, f"unknown shape {shape!r}; give one of {', '.join(SHAPES)}")
    pairs = list(SHAPES[shape](path))
    if not pairs:
        raise DataFileError(path, f"the file has no pairs; check that its shape is {shape!r}")
    return pairs


def read_parallel(path: Path, translations: Path) -> list[TextPair]:
    """Read two files of queries and documents whose lines are translations, such as those of FLORES, NTREX and Tatoeba.

    Raises DataFileError if a file cannot be read, the line counts differ, or a line is empty.
    """
    pairs = []
    for line, (query, document) in enumerate(zip_longest(_lines(path), _lines(translations)), start=1):
        if query is None or document is None:
            ended = path if query is None else translations
            raise DataFileError(ended, "fewer lines than in the other file; give files of the same sentences")
        pairs.append(_pair(path, line, query, document))
    return pairs


def _lines(path: Path) -> Iterator[str]:
    try:
        check_regular(path)
        opened = unpacking(path) if path.suffix == ".gz" else path.open("rb")
        with opened as file, io.TextIOWrapper(file, encoding="utf-8-sig", newline="\n") as text:
            yield from single_lines(path, text)
    except UnicodeDecodeError as error:
        raise DataFileError(path, "this is not UTF-8 text; give the file as published") from error
    except (OSError, EOFError, zlib.error) as error:  # a damaged compressed file raises any of the three
        raise DataFileError(path, f"the file cannot be read ({error})") from error


def _rows(path: Path) -> _Rows:
    for line, text in enumerate(_lines(path), start=1):
        if text.strip():
            yield line, text.rstrip("\r\n").split("\t")


def _named_rows(path: Path, names: tuple[str, ...]) -> Iterator[tuple[int, list[str]]]:
    places: list[int] = []
    for line, fields in _rows(path):
        if not places:
            if missing := [name for name in names if name not in fields]:
                raise DataFileError(path, f"the column {missing[0]} is missing in the first line", line=line)
            places = [fields.index(name) for name in names]
        elif len(fields) <= max(places):
            raise DataFileError(path, f"expected at least {max(places) + 1} fields separated by tabs", line=line)
        else:
            yield line, [fields[place] for place in places]


def _tsv(path: Path) -> Iterator[TextPair]:
    """Yield lines of query, document, and optionally a label and a weight; the label before a weight may be empty."""
    for line, fields in _rows(path):
        if len(fields) not in (2, 3, 4):
            problem = "expected query, document and optionally a label and a weight, separated by tabs"
            raise DataFileError(path, problem, line=line)
        query, document, label, weight = [*fields, "", ""][:4]
        is_judged = len(fields) == 3 or label
        yield _pair(path, line, query, document, _judgment(path, line, label) if is_judged else None, weight or "1")


def _parallel(path: Path) -> Iterator[TextPair]:
    """Yield lines of a sentence and its translation."""
    for line, fields in _rows(path):
        if len(fields) != 2:
            raise DataFileError(path, "expected a sentence and its translation, separated by a tab", line=line)
        yield _pair(path, line, fields[0], fields[1])


def _judged(path: Path) -> Iterator[TextPair]:
    """Yield lines of query, one or more texts of a document, and a judgment, as in XGLUE."""
    for line, fields in _rows(path):
        if len(fields) < 3:
            raise DataFileError(path, "expected query, document and judgment, separated by tabs", line=line)
        query, *texts, judgment = fields
        yield _pair(path, line, query, "\n".join(texts), _judgment(path, line, judgment))


def _jsonl(path: Path) -> Iterator[TextPair]:
    """Yield lines of {"query": text, "document": text or list of texts, "label": number, "weight": number}.

    Label and weight are optional.
    """
    for line, text in enumerate(_lines(path), start=1):
        if not text.strip():
            continue
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise DataFileError(path, f"this is not JSON ({error})", line=line) from error
        yield _of_record(path, line, record)


def _of_record(path: Path, line: int, record: object) -> TextPair:
    match record:
        case {"query": str(query), "document": str(document)}:
            pass
        case {"query": str(query), "document": [*texts]} if all(isinstance(text, str) for text in texts):
            document = "\n".join(map(str, texts))
        case _:
            problem = 'expected {"query": text, "document": text or list of texts, "label": number, "weight": number}'
            raise DataFileError(path, problem, line=line)
    label, weight = (record.get(key) if isinstance(record, dict) else None for key in ("label", "weight"))
    label = None if label is None else _judgment(path, line, str(label))
    return _pair(path, line, query, document, label, "1" if weight is None else str(weight))


def _xnli(path: Path) -> Iterator[TextPair]:
    """Yield lines of premise, hypothesis and relation, or the columns of XNLI's original files."""
    first = next(_rows(path), (1, [""]))[1]
    if "gold_label" in first:
        return _inferences(path, _named_rows(path, ("sentence1", "sentence2", "gold_label")))
    return _inferences(path, _rows(path))


def _sick(path: Path, suffix: str = "", *, test: bool = False) -> Iterator[TextPair]:
    """Yield the pairs of SICK's test set or all others; `suffix` selects the columns of the original sentences."""
    names = (f"sentence_A{suffix}", f"sentence_B{suffix}", "entailment_label", "SemEval_set")
    rows = ((line, fields[:3]) for line, fields in _named_rows(path, names) if (fields[3] == "TEST") is test)
    return _inferences(path, rows)


def _inferences(path: Path, rows: _Rows) -> Iterator[TextPair]:
    for line, fields in rows:
        if len(fields) != 3:
            raise DataFileError(path, "expected premise, hypothesis and relation, separated by tabs", line=line)
        premise, hypothesis, relation = fields
        relation = relation.strip().lower()
        if relation in INFERENCES:
            yield _pair(path, line, premise, hypothesis, INFERENCES[relation])
        elif relation not in _LEFT_OUT:
            labels = ", ".join((*INFERENCES, *_LEFT_OUT))
            raise DataFileError(path, f"the relation {relation!r} is unknown; expected one of {labels}", line=line)


def _judgment(path: Path, line: int, word: str) -> float:
    try:
        label = _JUDGMENTS.get(word.strip().lower())
        number = float(word) if label is None else label
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise DataFileError(path, f"the label {word!r} must be a number, Good or Bad", line=line)
    return number


def _pair(path: Path, line: int, query: str, document: str, label: float | None = None, weight: str = "1") -> TextPair:
    if not query.strip() or not document.strip():
        raise DataFileError(path, "the query or the document is empty", line=line)
    return TextPair(query.strip(), document.strip(), label, _weight(path, line, weight))


def _weight(path: Path, line: int, word: str) -> float:
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if not math.isfinite(number) or number <= 0:
        raise DataFileError(path, f"the weight {word!r} must be a number above 0", line=line)
    return number


SHAPES: dict[str, Callable[[Path], Iterator[TextPair]]] = {
    "tsv": _tsv,
    "jsonl": _jsonl,
    "judgments": _judged,
    "xnli": _xnli,
    "sick": _sick,
    "sick-test": partial(_sick, test=True),
    "sick-original": partial(_sick, suffix="_original"),
    "sick-original-test": partial(_sick, suffix="_original", test=True),
    "parallel": _parallel,
}
