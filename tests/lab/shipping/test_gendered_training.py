"""Learning of rules for gendered words, in miniature."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from jobmatch_core.settings import Settings
from jobmatch_core.taxonomy import TaxonomyStore
from jobmatch_core.titles.gendered_words import SAME, EndingChange, GenderedWords
from lab.shipping.gendered_training import learned_changes, learned_endings, learned_gendered_words

STEMS = ("tischle", "maure", "lehre", "bauarbeite", "gartne", "forste", "dachdecke", "zimmere", "drucke", "trockne")
PAIRED = [("de", [[f"{stem}r", f"{stem}rin"]]) for stem in STEMS]  # each name states both forms


def test_words_of_stated_and_of_separate_names() -> None:
    """`weberin` is a name of its own beside `weber`; `benzin` and English words stay, and so does what stands alone."""
    changes = learned_changes(
        [
            *PAIRED,
            ("de", [["weber"], ["weberin"], ["benzin"]]),
            ("de", [["leiterin im bau"], ["leiter im bau"]]),
            ("en", [["masseurin"], ["masseur"]]),
            ("de", [["masseur", "masseurin"]]),
            ("de", [["oberin"]]),
        ]
    )
    drop = EndingChange(2, "")
    assert changes["tischlerin"] == changes["weberin"] == changes["leiterin"] == drop
    same = ("tischler", "weber", "benzin", "masseurin", "oberin", "im", "bau")
    assert [changes[word] for word in same] == [SAME] * len(same)


def test_what_seldom_stands_beside_a_masculine_form_is_left_out() -> None:
    """It may be feminine or not: no rule is learned from it."""
    alone = [("de", [["musikerin"]])] * 3
    assert "musikerin" not in learned_changes([*PAIRED, ("de", [["musiker", "musikerin"]]), *alone])
    assert learned_changes([*PAIRED, *[("de", [["musiker", "musikerin"]])] * 3, *alone])["musikerin"] == EndingChange(
        2, ""
    )


def test_rare_changes_are_none() -> None:
    """Two names that differ by a change that hardly any stated pair has are two names, not forms of one."""
    changes = learned_changes([*PAIRED, ("de", [["tierpfleger"], ["tierpflegen"]])])
    assert changes["tierpflegen"] == changes["tierpfleger"] == SAME


def test_the_shortest_endings_that_are_right() -> None:
    """By hand: a rule sees what it cuts; `kerin` is an exception to shorter endings, and one word to that."""
    words = {f"{stem}rin": EndingChange(2, "") for stem in STEMS}
    others = {f"{letter}kerin": SAME for letter in "abcdefghij"} | {"xkerin": EndingChange(2, "")}
    assert learned_endings(words | dict.fromkeys(STEMS, SAME)) == {"in": EndingChange(2, "")}
    endings = learned_endings(words | others)
    assert endings["<xkerin"] == EndingChange(2, "")
    read = GenderedWords(endings)
    assert [read.one_form(word) for word in ("maurerin", "bakerin", "xkerin")] == ["maurer", "bakerin", "xker"]


@given(
    st.dictionaries(
        st.text("abc", min_size=3, max_size=6),
        st.sampled_from([SAME, EndingChange(1, ""), EndingChange(1, "x")]),
        min_size=1,
        max_size=30,
    )
)
def test_what_was_learned_from_is_read_as_it_was(changes: dict[str, EndingChange]) -> None:
    """Whatever the endings have in common: exceptions have rules of their own."""
    read = GenderedWords(learned_endings(changes))
    expected = {word: word[: len(word) - change.cut] + change.added for word, change in changes.items()}
    assert {word: read.one_form(word) for word in changes} == expected


def test_from_a_taxonomy(tmp_path: Path) -> None:
    """Its names are folded and expanded; both forms are then one word."""
    rows = "".join(f"uri:{n},de,{stem.title()}r/{stem.title()}rin,,,\n" for n, stem in enumerate(STEMS))
    file = tmp_path / "trades.csv"
    file.write_text("concept_id,language,preferred,alternatives,parent,description\n" + rows, "utf-8")
    store = TaxonomyStore.open(Settings(tmp_path / "home"))
    words = learned_gendered_words([store.load(store.import_from(file).id)])
    assert words.words_of("Dachdeckerin und Schreinerin") == ["dachdecker", "und", "schreiner"]
