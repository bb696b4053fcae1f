"""Names of downloads: whole in `filename*`, in ASCII in `filename`, and never more than a name."""

from email.message import Message
from urllib.parse import unquote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from jobmatch.serve.attachments import content_disposition, download_name

ENDING = " linked.csv"
NAMES = {
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


def names_in(header: str) -> tuple[str, str]:
    """Return both names, read by the standard library's parser."""
    message = Message()
    message["Content-Disposition"] = header
    plain = header.partition('filename="')[2].partition('"')[0]
    encoded = header.partition("filename*=UTF-8''")[2]
    assert message.get_content_disposition() == "attachment"
    return plain, unquote(encoded)


@pytest.mark.parametrize(("stem", "names"), NAMES.items(), ids=[ascii(name) for name in NAMES])
def test_both_names(stem: str, names: tuple[str, str]) -> None:
    """Each is what a person would expect."""
    assert names_in(content_disposition(stem, ENDING)) == names
    assert download_name(stem, ENDING) == names[1]


@given(st.text(max_size=400))
@example("ä" * 400)
@example("\u2026hidden")
@example("\u00bd\u2044\u2105\ufe68")  # decomposed, they hold a slash
def test_any_name(stem: str) -> None:
    """The header is ASCII in one line; both names end as they must, and lead into no folder and to no hidden file."""
    header = content_disposition(stem, ENDING)
    assert header.isascii()
    assert header.isprintable()
    for name in names_in(header):
        assert name.endswith(ENDING.strip())
        assert not set('/\\"\r\n\0') & set(name)
        assert not name.startswith((".", " "))
        assert len(name.encode()) <= 255
    assert header.count('"') == 2
