"""Names of downloads are readable, in Unicode and in ASCII, and never a path or a hidden file."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jobmatch_core.io.download_names import ascii_name, download_name

ENDING = " linked.csv"
NAMES = {  # stem -> name in ASCII, name
    "titles": ("titles linked.csv", "titles linked.csv"),
    "Köche, März": ("Koche, Marz linked.csv", "Köche, März linked.csv"),
    "Ko\u0308che": ("Koche linked.csv", "Köche linked.csv"),
    "職種": ("__ linked.csv", "職種 linked.csv"),
    'my "best" \\ titles': ("my _best_ _ titles linked.csv", "my _best_ _ titles linked.csv"),
    "a\r\nX-Evil: 1": ("a__X-Evil_ 1 linked.csv", "a__X-Evil_ 1 linked.csv"),
    "..hidden": ("hidden linked.csv", "hidden linked.csv"),
    "C:\\homes\\ann\\titles": ("C__homes_ann_titles linked.csv", "C__homes_ann_titles linked.csv"),
    "../../etc/passwd": ("_.._etc_passwd linked.csv", "_.._etc_passwd linked.csv"),
    "100%25": ("100_25 linked.csv", "100%25 linked.csv"),
    "titles\u202evsc": ("titles_vsc linked.csv", "titles_vsc linked.csv"),
    "\ud800": ("_ linked.csv", "_ linked.csv"),
    "": ("linked.csv", "linked.csv"),
    " . ": ("linked.csv", "linked.csv"),
    "a; filename=b": ("a; filename=b linked.csv", "a; filename=b linked.csv"),
}


@pytest.mark.parametrize(("stem", "names"), NAMES.items(), ids=[ascii(name) for name in NAMES])
def test_examples(stem: str, names: tuple[str, str]) -> None:
    """Both names are readable."""
    name = download_name(stem, ENDING)
    assert (ascii_name(name), name) == names


@given(st.text(max_size=400))
@example("ä" * 400)
@example("\u2026hidden")
@example("\u00bd\u2044\u2105\ufe68")  # decomposed, they hold a slash
def test_any_name(stem: str) -> None:
    """Both names keep their ending, contain no folder, are not hidden, and are short enough for a file system."""
    name = download_name(stem, ENDING)
    assert ascii_name(name).isascii()
    for safe in (name, ascii_name(name)):
        assert safe.endswith(ENDING.strip())
        assert not set('/\\"\r\n\0') & set(safe)
        assert not safe.startswith((".", " "))
        assert len(safe.encode()) <= 255
