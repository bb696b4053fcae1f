"""Text pairs are read in the shapes in which they are published; a damaged file is reported with its line."""

import gzip
from pathlib import Path

import pytest

from jobmatch_core.errors import DataFileError
from jobmatch_core.search.pair_files import SHAPES, TextPair, read_pairs, read_parallel

_SICK = (
    "pair_ID\tsentence_A\tsentence_B\tentailment_label\tsentence_A_original\tsentence_B_original\tSemEval_set\n"
    "1\tEen hond rent\tEen dier rent\tENTAILMENT\tA dog runs\tAn animal runs\tTRAIN\n"
    "2\tEen hond rent\tEen hond slaapt\tCONTRADICTION\tA dog runs\tA dog sleeps\tTRIAL\n"
    "3\tEen hond rent\tEen hond blaft\tNEUTRAL\tA dog runs\tA dog barks\tTEST\n"
)
_XNLI = "language\tgold_label\tsentence1\tsentence2\nes\tneutral\tLlueve.\tHace frío.\nes\t-\tLlueve.\tTal vez.\n"


@pytest.mark.parametrize(
    ("shape", "text", "pairs"),
    [
        ("tsv", "bread\tbaker\nbricks\tmason\n", [TextPair("bread", "baker"), TextPair("bricks", "mason")]),
        ("tsv", "bread\tbaker\t0.5\n", [TextPair("bread", "baker", 0.5)]),
        ("tsv", "bread\tbaker\t\t2.5\n", [TextPair("bread", "baker", None, 2.5)]),
        ("parallel", "Brot\tbread\n\n", [TextPair("Brot", "bread")]),
        ("judgments", "glue\tGlue stick\tFree delivery\tGood\n", [TextPair("glue", "Glue stick\nFree delivery", 1.0)]),
        ("judgments", "glue\tA passage.\t0\r\n", [TextPair("glue", "A passage.", 0.0)]),
        ("jsonl", '{"query": "a", "document": "b"}\n', [TextPair("a", "b")]),
        ("jsonl", '{"query": "a", "document": ["b", "c"], "label": 2}\n', [TextPair("a", "b\nc", 2.0)]),
        ("jsonl", '{"query": "a", "document": "b", "weight": 3}\n', [TextPair("a", "b", None, 3.0)]),
        ("xnli", "Es regnet.\tEs ist nass.\tentailment\n", [TextPair("Es regnet.", "Es ist nass.", 1.0)]),
        ("xnli", _XNLI, [TextPair("Llueve.", "Hace frío.", 0.0)]),
        ("sick", _SICK, [TextPair("Een hond rent", "Een dier rent", 1.0)]),
        ("sick-test", _SICK, [TextPair("Een hond rent", "Een hond blaft", 0.0)]),
        ("sick-original", _SICK, [TextPair("A dog runs", "An animal runs", 1.0)]),
        ("sick-original-test", _SICK, [TextPair("A dog runs", "A dog barks", 0.0)]),
    ],
)
def test_each_shape(tmp_path: Path, shape: str, text: str, pairs: list[TextPair]) -> None:
    """Each shape gives its pairs."""
    file = tmp_path / "pairs.txt"
    file.write_text(text, encoding="utf-8", newline="")
    assert read_pairs(file, shape) == pairs


def test_contradictions(tmp_path: Path) -> None:
    """Contradictions are left out."""
    file = tmp_path / "xnli.txt"
    relations = ("entailment", "neutral", "contradiction")
    file.write_text("".join(f"It rains.\tThat is {each}.\t{each}\n" for each in relations))
    assert [pair.label for pair in read_pairs(file, "xnli")] == [1.0, 0.0]


def test_packed_file(tmp_path: Path) -> None:
    """A compressed file is read like the plain one, without its byte order mark."""
    file = tmp_path / "pairs.txt.gz"
    file.write_bytes(gzip.compress("\ufeffBrot\tbread\n".encode()))
    assert read_pairs(file, "parallel") == [TextPair("Brot", "bread")]


def test_parallel_files(tmp_path: Path) -> None:
    """Lines of two files are translations of each other."""
    german, english = tmp_path / "x.deu", tmp_path / "x.eng"
    german.write_text("Guten Tag.\nDanke.\n", encoding="utf-8")
    english.write_text("Good day.\nThank you.\n", encoding="utf-8")
    assert read_parallel(german, english) == [TextPair("Guten Tag.", "Good day."), TextPair("Danke.", "Thank you.")]


def test_parallel_lengths(tmp_path: Path) -> None:
    """Two files of different length are refused; the shorter one is named."""
    german, english = tmp_path / "x.deu", tmp_path / "x.eng"
    german.write_text("Guten Tag.\n", encoding="utf-8")
    english.write_text("Good day.\nThank you.\n", encoding="utf-8")
    with pytest.raises(DataFileError, match=r"x\.deu: fewer lines"):
        read_parallel(german, english)


@pytest.mark.parametrize(
    ("shape", "text", "problem"),
    [
        ("tsv", "only a query\n", "line 1: expected query, document"),
        ("tsv", "query\tdocument\tperhaps\n", "must be a number, Good or Bad"),
        ("tsv", "query\tdocument\tnan\n", "must be a number, Good or Bad"),
        ("tsv", "query\t \n", "line 1: the query or the document is empty"),
        ("parallel", "a\tb\n\na\tb\tc\n", "line 3: expected a sentence"),
        ("judgments", "query\tGood\n", "expected query, document and judgment"),
        ("jsonl", "{\n", "this is not JSON"),
        ("jsonl", '{"query": 1, "document": "b"}\n', "expected {"),
        ("xnli", "a\tb\tmaybe\n", "the relation 'maybe' is unknown"),
        ("sick", "sentence_A\tsentence_B\nx\ty\n", "the column entailment_label is missing"),
        ("sick", "sentence_A\tsentence_B\tentailment_label\tSemEval_set\nx\n", "line 2: expected at least 4 fields"),
        ("words", "a\tb\n", "unknown shape 'words'; give one of tsv, "),
        ("tsv", "", "the file has no pairs"),
    ],
)
def test_wrong_lines(tmp_path: Path, shape: str, text: str, problem: str) -> None:
    """The error names the line."""
    file = tmp_path / "pairs.txt"
    file.write_text(text)
    with pytest.raises(DataFileError, match=problem.replace("{", r"\{")):
        read_pairs(file, shape)


def test_damaged_files(tmp_path: Path) -> None:
    """Damaged, missing and foreign files are reported."""
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(b"a\tb\n" * 1000)[:-12])
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Bäcker\tbaker\n".encode("latin-1"))
    for file in (cut, tmp_path / "none.txt", tmp_path):
        with pytest.raises(DataFileError, match="cannot be read"):
            read_pairs(file, "tsv")
    with pytest.raises(DataFileError, match="not UTF-8"):
        read_pairs(latin, "tsv")


def test_words(tmp_path: Path) -> None:
    """Every shape refuses a file of words."""
    file = tmp_path / "words.txt"
    file.write_text("just some words\nin two lines\n")
    for shape in SHAPES:
        with pytest.raises(DataFileError):
            read_pairs(file, shape)
