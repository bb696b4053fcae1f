"""Skills of a posting on the page 'Job descriptions': chips, their sentences, and a table."""

from streamlit.testing.v1 import AppTest

from tests.pages.observed import texts


def _skills() -> None:
    import streamlit as st

    from jobmatch_core.descriptions.postings import Posting
    from jobmatch_core.taxonomy import TaxonomyStore
    from pages.job_descriptions import skills

    skills.show(TaxonomyStore.open().load("isco-08"), Posting("", "", st.session_state["text"]), "en")


def test_skills_are_chips_with_their_sentences() -> None:
    """A selected skill shows its sentences; words and occupations are in a table; a text without skills says so."""
    app = AppTest.from_function(_skills, default_timeout=60)
    app.session_state["text"] = "You know Python and SQL."
    app.run()
    assert not app.exception
    chips = app.pills(key="describe_skill")
    assert chips.options[:2] == ["Python", "SQL"]
    assert not app.dataframe
    chips.select(chips.options[0]).run()
    assert "> 1 · You know Python and SQL" in texts(app)
    assert "named" in texts(app)
    opened = AppTest.from_function(_skills, default_timeout=60)
    opened.session_state["text"], opened.session_state["describe_skills"] = "You know Python and SQL.", True
    table = opened.run().dataframe[0].value
    assert table["In the posting"].to_list()[:2] == ["Python", "SQL"]
    assert table["Sentences"].to_list()[0] == "1 · You know Python and SQL."
    assert (table["Occupations that require it"] > 0).all()
    app.session_state["text"] = "You are kind."
    assert "does not mention any skill" in texts(app.run())


def test_skills_that_are_meant_are_marked() -> None:
    """An English posting is also read for skills in other words; a German one says that it is not."""
    app = AppTest.from_function(_skills, default_timeout=60)
    app.session_state["text"] = "You will write programs in Python with the team, and you have experience in the field."
    app.run()
    assert not app.exception
    assert app.pills(key="describe_skill").options
    german = AppTest.from_function(_skills, default_timeout=60)
    german.session_state["text"] = "Sie arbeiten mit dem Team und haben Erfahrung in der Pflege und mit Python."
    assert "English postings only" in texts(german.run())
