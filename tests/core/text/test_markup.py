"""HTML and Markdown become text, plain text stays unchanged, and hostile input is fast."""

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.text.markup import plain_line, plain_text

TITLE = "Coordinateur de formation"
HTML = (
    f"{TITLE}\n\n<b>1 {TITLE} (H/F)</b>, sera charg&eacute; de la coordination des programmes&nbsp;; "
    "<ul><li>accueil au d&eacute;marrage</li><li>suivi des pr&eacute;sences</li></ul>Contact : "
    '<a href="mailto:x@example.org?subject=Offre%20ODE">x@example.org</a>. <script>alert(1)</script>'
)
PLAIN = (
    "C# and C++",
    "<5 years",
    "a < b > c",
    "a<b",
    "<3",
    ">:(",
    ":-*",
    "*_*",
    "^_^",
    "* item",
    "** note **",
    "***",
    "*optional",
    "4* hotel",
    "5 * 3 * 2",
    "2**3 + 4**5",
    "****HOT JOB****",
    "*now*",
    "_now_",
    "snake_case_name",
    "__init__",
    "____",
    "- item",
    "• item",
    "> 5 years",
    "1. one",
    "2) two",
    "R&D",
    "AT&T;",
    "Q&A",
    "a & b;",
    "&",
    "# of posts: 3",
    "#1 in Europe",
    "#hashtag",
    "[m/w/d]",
    "[m/w/d](Berlin)",
    "[1]: see below",
    "a | b",
    "|",
    "----",
    "=====",
    "~~~~",
    "~5",
    "`",
    "it`s",
    "```",
    "List<String>",
    "Map<String, List<B>>",
    "<jane@example.org>",
    "<https://example.org>",
    "<Company Name>",
    "Kolleg*innen",
    "Bäcker*in und Koch*Köchin",
    "\\o/",
    "C:\\temp\\*",
    "x_1",
    "!",
    "\t",
    "\xa0",
    "  ",
    "\r",
    "<!--",
    "-->",
    "<script>",
    "<",
    "**kwargs",
    "f(*args, **kwargs)",
    "Salary** and bonus**",
    "重要な*点",
    "# python",
    "日本語（*）",
)
plain_texts = st.lists(
    st.tuples(
        st.sampled_from(PLAIN) | st.from_regex(r"\w{1,9}", fullmatch=True), st.sampled_from(["\n", "\n\n", " . "])
    ),
    max_size=12,
).map(lambda pairs: "".join(map("".join, pairs)))


@pytest.mark.parametrize("text", PLAIN)
def test_plain_text_stays(text: str) -> None:
    """Alone and within a sentence."""
    assert plain_text(text) is text
    assert plain_text(f"We say {text} here.\n{text}\n") == f"We say {text} here.\n{text}\n"
    assert plain_line(text) is text


@given(plain_texts)
def test_plain_texts_stay(text: str) -> None:
    """In any order."""
    assert plain_text(text) is text


@given(st.text(st.characters(exclude_characters="*_#[|`~&")))
def test_any_text_survives_html(text: str) -> None:
    """Escaped text in an element is returned, with the white space of HTML."""
    assert plain_text(f"<p>{escape(text)}</p>").split() == text.split()


@given(st.text())
def test_any_text_is_read(text: str) -> None:
    """Any text between a tag and bold words."""
    for each in (text, f"<p>{text}", f"<ul><li {text}", f"{text}\n**bold** {text}"):
        assert isinstance(plain_text(each), str)


@pytest.mark.parametrize(
    ("html", "text"),
    [
        (
            HTML,
            f"{TITLE}\n\n1 {TITLE} (H/F), sera chargé de la coordination des programmes ;\n• accueil au démarrage\n"
            "• suivi des présences\nContact : x@example.org.",
        ),
        ("<h1>DBA</h1><p>We are\n  looking for</p><p>you</p>", "DBA\n\nWe are looking for\n\nyou"),
        ("<div>one</div><div>two<br>three<br/><br/>four</div>", "one\ntwo\nthree\n\nfour"),
        ("<ol><li><p>a</p></li>\n<li>b<ul><li>c</li></ul></li><li></li></ol>d", "• a\n• b\n• c\nd"),
        ("<table><tr><th>Ort</th><td>Ulm</td></tr><tr><td>Geld</td><td>60</td></tr></table>", "Ort\tUlm\nGeld\t60"),
        ("one<p>two<li>three", "one\n\ntwo\n• three"),
        ("<style>p {}</style><title>x</title><noscript>no</noscript><p>yes</p><script>if (a<b) '</p>'</script>", "yes"),
        ("<p>yes</p><script>alert(1) <p>no</p>", "yes"),
        ("a<!-- <p>no</p> --> b <![CDATA[c]]> <![if !x]>d<![endif]><o:p></o:p><br>", "a b c d"),
        (
            "<p>C# &lt;5 years, a < b, List<String>, <x@example.org> &amp; R&D &#8364; &#x41;</p>",
            "C# <5 years, a < b, List<String>, <x@example.org> & R&D € A",
        ),
        ("Line one\nLine two <b>bold</b>\n\nLine four", "Line one\nLine two bold\n\nLine four"),
        ("charg&eacute;\n* R&amp;D", "chargé\n* R&D"),
        ("&lt;p&gt;R&amp;amp;D&lt;/p&gt;&lt;ul&gt;&lt;li&gt;a&lt;/li&gt;&lt;/ul&gt;", "R&D\n\n• a"),
        ("see https://x.org/?a=1&section=2 <br>", "see https://x.org/?a=1&section=2"),
        ("<p>**Aufgaben**</p><p>## Profil</p>", "Aufgaben\n\nProfil"),
        ("<pre>a\n  b</pre>", "a\n  b"),
    ],
)
def test_html(html: str, text: str) -> None:
    """No tag, reference or script is left; headings, paragraphs and items are lines."""
    assert plain_text(html) == text
    assert plain_text(html.replace("\n", "\r\n")) == text


def test_a_title_is_a_line() -> None:
    """Even if tags break it."""
    assert plain_line("<p>R&amp;D<br>Manager</p>\n") == "R&D Manager"
    assert plain_line("**Koch**  (m/w/d)") == "Koch (m/w/d)"
    assert plain_line("two  spaces") == "two  spaces"


def test_headings_can_be_marked() -> None:
    """For readers that split a text at its headings."""
    assert plain_text("<h2>Profil</h2><p>SQL</p>", "# ") == plain_text("## Profil\nSQL", "# ") == "# Profil\n\nSQL"


def hostile(size: int) -> list[str]:
    """Return texts on which parsers take quadratic time, or run out of stack."""
    half = size // 2
    return [
        "<p>" + "<div>" * size,
        "<div><p>" * half,
        "".join(f"<b id={n}><p>" for n in range(half)),
        "<p>" * half + "</i>" * half,
        "<p><table><tr><td>" * half,
        "<ul><li>" * half,
        "<p>" + "<!--" * size,
        "<p>" + "<![CDATA[" * size,
        "<p>" + "<?" * size,
        "<p>" + "<a " * size + ">",
        "<p>" + '<a x="' * size + ">",
        "<p>x</p><script>" + "<" * size,
        "<script>" * size,
        "<p " + "=" * size,
        "<p>" + " \n" * size,
        f"<p title='{'x' * 100 * size}'>x</p>",
        "<p>" + "&#" * size,
        "&lt;" * size,
        "**a** " + "[" * size,
        "**a** " + "![" * size,
        "**a** " + "[a](" * half,
        "**a " * size,
        "**a**" + "_*" * half,
        "**a** " + "`" * size,
        "|" * size + "\n" + "-|" * size,
        "a|b\n-|-\n" + "a|b\n" * half,
        "[a\n" * half + "**b**",
        "[a]: http://x '" + "\n'" * half + "**b**",
        "**a** " + "[" * half + "]" * half,
        "__a" + " " * size + "__",
    ]


@pytest.mark.parametrize("text", hostile(1_000), ids=lambda text: text[:16])
def test_hostile_text(text: str) -> None:
    """No tag is left."""
    assert not re.search(r"</?(?:p|div|li|td)>", plain_text(text))


@pytest.mark.thorough
@pytest.mark.parametrize("text", hostile(30_000), ids=lambda text: text[:16])
def test_hostile_text_of_any_length(text: str) -> None:
    """With quadratic time, the longer text would take minutes."""
    plain_text(text)
