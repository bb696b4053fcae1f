"""The header that names a download: whole in `filename*`, in ASCII in `filename`."""

from email.message import Message
from urllib.parse import unquote

from hypothesis import example, given
from hypothesis import strategies as st

from jobmatch.serve.attachments import content_disposition
from jobmatch_core.io.download_names import ascii_name, download_name

ENDING = " linked.csv"


def names_in(header: str) -> tuple[str, str]:
    """Return both names, read by the standard library's parser."""
    message = Message()
    message["Content-Disposition"] = header
    plain = header.partition('filename="')[2].partition('"')[0]
    encoded = header.partition("filename*=UTF-8''")[2]
    assert message.get_content_disposition() == "attachment"
    return plain, unquote(encoded)


@given(st.text(max_size=400))
@example("Köche, März")
@example('my "best" \\ titles')
@example("a\r\nX-Evil: 1")
@example("100%25")
@example("a; filename=b")
def test_any_name(stem: str) -> None:
    """The header is one line of ASCII, from which both names can be read."""
    header = content_disposition(stem, ENDING)
    assert header.isascii()
    assert header.isprintable()
    assert header.count('"') == 2
    name = download_name(stem, ENDING)
    assert names_in(header) == (ascii_name(name), name)
