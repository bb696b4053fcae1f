"""HTML and Markdown as plain text; plain text stays as it is.

A text with a whole HTML tag, a comment or a character reference is HTML. A text with a heading, a table, bold words or
a link to an address is Markdown. `C#`, `<5 years`, `a < b` and `List<String>` are plain text.

In the result each heading, paragraph, list item (`• `) and table row is a line, as in the `innerText` of a browser. The
standard library's HTML parser builds no tree, so that time grows with length however deeply tags are nested.
"""

import re
from html.entities import html5
from html.parser import HTMLParser

from jobmatch_core.text.markdown import BULLET, markdown_text

_LAYERS = 3  # maximum number of times that HTML was escaped, as in feeds
_LINES = tuple(
    """
    address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure
    footer form header html legend li main nav ol option pre section select summary table tbody tfoot thead tr ul
    """.split()
)
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_PARAGRAPHS = ("p", "hr", *_HEADINGS)
_INLINE = tuple(
    """
    a abbr acronym area audio b base bdi bdo big br button canvas cite code col colgroup data del dfn em embed font
    head i iframe img input ins kbd label link map mark math meta meter object optgroup output param path picture
    progress q rp rt ruby s samp small source span strike strong sub sup svg td textarea th time track tt u var
    video wbr
    """.split()
)
_UNSEEN = frozenset(("noscript", "script", "style", "template", "title"))
_BREAKS = dict.fromkeys(_LINES, 1) | dict.fromkeys(_PARAGRAPHS, 2)
_ELEMENTS = frozenset((*_BREAKS, *_INLINE, *_UNSEEN))
_NAMES = "|".join(sorted(_ELEMENTS))
_TAG = re.compile(
    rf"</(?:{_NAMES})\s*>|<(?:br|hr|li|p)\s*/?>|<(?:{_NAMES})\s[^<>=]*=[^<>]*>|<!doctype\s[^<>]*>", re.IGNORECASE
)
_REFERENCE = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|([a-zA-Z][a-zA-Z\d]{1,31}));")
_NO_REFERENCE = re.compile(r"&(?!(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[a-zA-Z][a-zA-Z\d]{1,31});)")
_SECTION = re.compile(r"<!\[(?:CDATA\[|[^<>]*>)?|\]\]>")  # CDATA and the conditional sections of word processors
_FOREIGN = re.compile(r"[a-z\d]+[-:][\w.-]+")  # elements of word processors, and custom elements
_BLANKS = re.compile(r"[^\S\n]+")
_LINE_END = re.compile(r" ?\n[ \n]*")
_TRAILING = re.compile(r"[ \t]+(?=\n)")
_COUNTED = (
    ("line", _BREAKS.keys() - {"hr"}),
    ("list", {"ul", "ol"}),
    ("unseen", _UNSEEN),
    ("pre", {"pre"}),
)


def plain_text(text: str, heading: str = "") -> str:
    """Return the text of HTML or Markdown, with *heading* as the prefix of headings; other texts unchanged.

    Time and memory grow in proportion to the length.
    """
    for _ in range(_LAYERS):
        has_tags = _has_tags(text)
        if not has_tags and not _has_references(text):
            break
        text = _html_text(text, heading)
        if has_tags:
            break
    return markdown_text(text, heading)


def plain_line(text: str) -> str:
    """Return the text of a title in HTML or Markdown as one line; other titles unchanged."""
    plain = plain_text(text)
    return text if plain == text else " ".join(plain.split())


def _has_tags(text: str) -> bool:
    comment = text.find("<!--")
    return bool(_TAG.search(text)) or (comment >= 0 and text.find("-->", comment) >= 0)


def _has_references(text: str) -> bool:
    return any(not match[1] or f"{match[1]};" in html5 for match in _REFERENCE.finditer(text))


def _html_text(text: str, heading: str) -> str:
    parser = _Reader(heading)
    parser.feed(_closed(_NO_REFERENCE.sub("&amp;", _SECTION.sub("", text.replace("\r\n", "\n")))))
    parser.close()
    return _TRAILING.sub("", "".join(parser.parts)).strip()


def _closed(text: str) -> str:
    # escape tags and comments that never end: the parser would look for each end up to the end of the text
    for opening, closing in (("<!--", "-->"), ("<", ">")):
        end = text.rfind(closing) + 1
        text = text[:end] + text[end:].replace(opening, opening.replace("<", "&lt;"))
    return text


class _Reader(HTMLParser):
    def __init__(self, heading: str) -> None:
        super().__init__()
        self.parts: list[str] = []  # of the text so far
        self._heading = heading
        self._breaks = 0  # line ends before the next word
        self._mark, self._tab = "", ""  # bullet or heading prefix, and tab, before the next word
        self._open = dict.fromkeys(("line", "list", "unseen", "pre"), 0)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _ELEMENTS:  # text such as `List<String>`
            if not _FOREIGN.fullmatch(tag):
                self._write(self.get_starttag_text() or "")
        elif tag == "br":
            self._breaks = min(self._breaks + 1, 2)
        elif tag in ("td", "th"):
            self._tab = "\t"
        self._break(tag)
        self._mark = BULLET if tag == "li" else self._heading if tag in _HEADINGS else self._mark
        self._count(tag, 1)

    def handle_endtag(self, tag: str) -> None:
        self._mark = "" if tag == "li" or tag in _HEADINGS else self._mark  # an empty one gets no prefix
        self._count(tag, -1)
        self._break(tag)

    def handle_data(self, data: str) -> None:
        if not self._open["pre"]:
            # outside of block elements line ends stay, as in plain text with some tags
            end = _own_line_end if self._open["line"] else _kept_line_end
            data = _LINE_END.sub(end, _BLANKS.sub(" ", data))
        self._write(data)

    def _write(self, text: str) -> None:
        if self._open["unseen"]:
            return
        if self._breaks or self._mark or not self.parts or self.parts[-1][-1].isspace():
            text = text.lstrip() if not self._open["pre"] else text
        if not text:
            return
        if self.parts:
            self.parts.append("\n" * self._breaks or self._tab)
        self.parts += (self._mark, text)
        self._breaks, self._mark, self._tab = 0, "", ""

    def _break(self, tag: str) -> None:
        breaks = _BREAKS.get(tag, 0)
        self._breaks = max(self._breaks, min(breaks, 1) if self._open["list"] else breaks)

    def _count(self, tag: str, change: int) -> None:
        for name, tags in _COUNTED:
            if tag in tags:
                self._open[name] = max(0, self._open[name] + change)


def _own_line_end(match: re.Match[str]) -> str:
    return "\n\n" if match[0].count("\n") > 1 else " "


def _kept_line_end(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")
