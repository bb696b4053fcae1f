"""Markdown as plain text, by the rules of CommonMark with tables.

Exceptions: an asterisk inside a word is a letter (`Kolleg*innen`); words in bold may touch others (`**Aufgaben:**Du`);
lists and quotes stay lines of their own; a link needs an address, so that `[m/w/d](Berlin)` is text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby, pairwise

from markdown_it import MarkdownIt
from markdown_it.rules_inline.state_inline import Delimiter, StateInline
from markdown_it.token import Token

_RULES = tuple(
    """
    heading lheading hr table reference emphasis balance_pairs strikethrough link image autolink backticks escape
    newline
    """.split()
)
_HINT = re.compile(r"\*\*|__|\]\(|\]:|^ {0,3}#+[ \t]|^[ \t]*[|:-][ \t|:-]*$", re.MULTILINE)
_ADDRESS = re.compile(r"[a-z][a-z\d+.-]*:|www\.|[/#.]|[\w.-]+@|[\w-]+\.[\w.-]*/", re.IGNORECASE)
_ITEM = re.compile(r"^[*+-][ \t]+(?=\S)")
_GAP = re.compile(r"\n{3,}")
BULLET = "• "
_LONGEST_RUN = 3  # asterisks; longer runs are ornaments
_FIRST_CJK = "\u2e80"  # from here on, scripts have no spaces between words


def markdown_text(text: str, heading: str = "") -> str:
    """Return the text of Markdown; a text without headings, tables, links and bold words is returned unchanged.

    *heading* is the prefix of headings; headings and bold lines have a blank line on either side.
    """
    if not _HINT.search(text):
        return text
    tokens = _parser().parse(text)
    if not _is_markdown(tokens, text.splitlines()):
        return text
    return _GAP.sub("\n\n", "\n".join(_lines(tokens, heading))).strip()


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("zero").enable(_RULES)
    parser.inline.ruler.at("emphasis", _delimiters)
    parser.validateLink = lambda url: bool(_ADDRESS.match(url))  # type: ignore[method-assign]
    return parser


def _delimiters(state: StateInline, silent: bool) -> bool:
    # a rule of markdown-it: record a run of asterisks or underscores, and whether it may open or close emphasis
    marker = state.src[state.pos]
    if silent or marker not in "*_":
        return False
    end = state.pos
    while end < state.posMax and state.src[end] == marker:
        end += 1
    length, before, behind = end - state.pos, state.src[state.pos - 1 : state.pos], state.src[end : end + 1]
    is_bold = marker == "*" and length > 1 and not behind.isdigit()  # unlike 'Kolleg*innen', '__main__' and '2**3'
    in_word = before.isalnum() and behind.isalnum() and min(before, behind) < _FIRST_CJK
    is_letter = length > _LONGEST_RUN or (in_word and not is_bold)
    for _ in range(length):
        token = state.push("text", "", 0)
        token.content = marker
        if not is_letter:
            opens, closes = bool(behind.strip()), bool(before.strip())
            place = len(state.tokens) - 1
            state.delimiters.append(Delimiter(ord(marker), length, place, end=-1, open=opens, close=closes))
    state.pos = end
    return True


def _is_markdown(tokens: Sequence[Token], lines: Sequence[str]) -> bool:
    return any(
        token.type == "table_open"
        or (token.type == "heading_open" and _is_heading(token, lines))
        or any(_is_sign(*pair) for pair in pairwise(_inline(token)))
        for token in tokens
    )


def _is_heading(token: Token, lines: Sequence[str]) -> bool:
    # a single `#` marks a heading only if it stands alone and is not one of several items
    start, end = token.map or (0, 0)
    if token.markup != "#":
        return token.markup[0] == "#"
    first = lines[start].lstrip(" #")[:1]
    alone = not (start and lines[start - 1].strip()) and not (lines[end : end + 1] or [""])[0].lstrip().startswith("# ")
    return alone and first.isalpha() and not first.islower()


def _is_sign(token: Token, inside: Token) -> bool:
    if token.type == "strong_open":  # `__init__` is a name of programs
        return token.markup == "**" or " " in inside.content
    return token.type == "image" or (token.type == "link_open" and token.markup != "autolink")


def _lines(tokens: Iterable[Token], heading: str) -> Iterator[str]:
    end, kind, cells = 0, "", list[str]()
    for token in tokens:
        if token.level == 0 and token.nesting >= 0 and token.map:
            yield from [""] * (token.map[0] - end)
            end, kind = token.map[1], token.type
        if token.type == "tr_close":
            yield "\t".join(cells)
            cells = []
        elif token.type == "inline" and kind == "table_open":
            cells.append(_written(_inline(token)))
        elif token.type == "inline" and kind == "heading_open":
            yield from ("", heading + _written(_inline(token)), "")
        elif token.type == "inline":
            yield from _paragraph(_inline(token))


def _inline(token: Token) -> list[Token]:
    # markdown-it leaves empty texts in place of asterisks
    return [child for child in token.children or () if child.type != "text" or child.content]


def _paragraph(tokens: Iterable[Token]) -> Iterator[str]:
    for is_break, group in groupby(tokens, lambda token: token.type in ("softbreak", "hardbreak")):
        if is_break:
            continue
        line = list(group)
        in_bold = (line[0].type, line[-1].type) == ("strong_open", "strong_close")
        text = _ITEM.sub(BULLET, _written(line))
        yield from ("", text, "") if in_bold else (text,)


def _written(tokens: Iterable[Token]) -> str:
    return "".join(" " if token.type in ("softbreak", "hardbreak") else token.content for token in tokens)
