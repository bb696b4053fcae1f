"""Why somebody was found: what each part of a profile adds to the score, as one stacked bar with its words."""

from base64 import b64encode

import streamlit as st

from jobmatch_core.retrieval.matches import Contributions
from jobmatch_core.retrieval.section_shares import SectionShare, section_shares

# Okabe and Ito (2008), with a colour for the text on each
_COLOURS = {
    "skills": ("#0072B2", "#ffffff"), "experience": ("#56B4E9", "#10202b"), "title": ("#009E73", "#ffffff"),
    "text": ("#E69F00", "#10202b"), "category": ("#CC79A7", "#10202b"),
}  # fmt: skip
_WIDTH, _HEIGHT = 720, 20
_LETTER = 7.2  # width of a letter in the bar
_LEAST = 0.005  # smaller shares are not named


def show(reason: Contributions) -> None:
    """Draw the bar and its legend."""
    shares = section_shares(reason.freelancer, "freelancer")
    words = ", ".join(f"{share.name} {share.share:.0%}" for share in shares if share.share >= _LEAST)
    against = [share.name for share in shares if share.score < -_LEAST]
    # an image within Markdown: st.image would add a button to each that shows it alone
    st.markdown(f"![{words}](data:image/svg+xml;base64,{b64encode(_bar(shares).encode()).decode()})")
    st.caption(f"Why: {words}{'; against it: ' + ', '.join(against) if against else ''}")


def details(reason: Contributions) -> None:
    """Write what either side's parts add up to."""
    for side, heading in (("freelancer", "Parts of the profile"), ("project", "Parts of the project")):
        shares = section_shares(reason.freelancer if side == "freelancer" else reason.project, side)
        parts = " + ".join(f"{share.name} {share.score:.2f}" for share in shares)
        st.caption(f"{heading}: {parts} = {sum(share.score for share in shares):.2f}")


def _bar(shares: tuple[SectionShare, ...]) -> str:
    """Return the bar as SVG; nothing in it comes from a user."""
    start, pieces = 0.0, []
    for share in shares:
        width = share.share * _WIDTH
        fill, ink = _COLOURS[share.name]
        pieces.append(f'<rect x="{start:.1f}" width="{width:.1f}" height="{_HEIGHT}" fill="{fill}"/>')
        if width > _LETTER * (len(share.name) + 1):
            pieces.append(
                f'<text x="{start + width / 2:.1f}" y="14.5" fill="{ink}" text-anchor="middle" '
                f'font-family="sans-serif" font-size="12.5">{share.name}</text>'
            )
        start += width
    size = f'width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(pieces)}</svg>'
