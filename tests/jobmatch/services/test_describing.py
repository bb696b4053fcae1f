"""A text in any form as a posting: its title, its description."""

import pytest

from jobmatch.services.describing import posting_of

HTML = (
    "Coordinateur de formation\n\n"
    "<b>1 Coordinateur</b>, charg&eacute; de&nbsp;: <ul><li>accueil</li><li>suivi</li></ul>"
)


@pytest.mark.parametrize(
    ("text", "title", "description"),
    [
        ("Baker\n\nYou bake.", "Baker", "You bake."),
        ("\n Baker \r\n\r\nYou bake.\r\nYou sell.\r", "Baker", "You bake.\nYou sell."),
        ("Baker\n  \nYou bake.", "Baker", "You bake."),
        ("Baker\nYou bake.", "", "Baker\nYou bake."),
        ("You bake.", "", "You bake."),
        ("", "", ""),
        ("<script>x</script><br>", "", ""),
        (HTML, "Coordinateur de formation", "1 Coordinateur, chargé de :\n• accueil\n• suivi"),
        ("<h1>Baker</h1><p>You bake.</p>", "Baker", "You bake."),
        ("# Baker\nYou bake *bread*.", "Baker", "You bake bread."),
        ("**Baker (m/f/d)**\nYou bake.", "Baker (m/f/d)", "You bake."),
        ("C# developer\n\n* <5 years\n* a < b", "C# developer", "* <5 years\n* a < b"),
    ],
)
def test_posting_of(text: str, title: str, description: str) -> None:
    """A first line followed by a blank one is the title, unless a title is given."""
    assert (posting_of("x", text).title, posting_of("x", text).description) == (title, description)
    assert posting_of("x", text, " ") == posting_of("x", text)
    given = posting_of("x", text, "R&amp;D")
    assert given.title == "R&D"
    assert given.description.startswith(title)
