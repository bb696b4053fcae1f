"""Settings of links on the page 'Link titles', which another page can set."""

import streamlit as st

from jobmatch_core.linking import Linker
from jobmatch_core.linking.calibration import PRECISION
from jobmatch_core.taxonomy import Manifest
from pages.shared.language import _, language_name, percent
from pages.shared.taxonomy_choice import TAXONOMY_KEY

PRECISIONS = tuple(percent / 100 for percent in range(80, 99))  # that can be chosen
_PRECISION_KEY, _LANGUAGES_KEY, _GROUPS_KEY = "precision", "match_languages", "groups"


def target_precision(linker: Linker) -> float:
    """Draw the target precision with the share of titles that it links; return it."""
    if not linker.calibration.curve:  # weights fitted by an older version
        return PRECISION
    # no default value, of which Streamlit would warn where another page has set one
    st.session_state.setdefault(_PRECISION_KEY, PRECISION)
    precision = st.slider(
        _("Target precision"),
        PRECISIONS[0],
        PRECISIONS[-1],
        step=0.01,
        key=_PRECISION_KEY,
        persist_state="session",
        help=_("Share of correct links on held-out titles; a higher value links fewer titles."),
    )
    coverage = linker.calibration.at_precision(precision).coverage
    st.caption(
        _(
            "Links about {coverage} of the titles that it was measured on; the others are left to check.",
            coverage=percent(coverage),
        )
    )
    return precision


def choose(manifest: Manifest) -> tuple[tuple[str, ...], int, bool]:
    """Draw the other settings; return the languages of names, the number of candidates, and the choice of groups."""
    options = sorted(manifest.languages, key=language_name)
    chosen = st.session_state.get(_LANGUAGES_KEY, [])
    st.session_state[_LANGUAGES_KEY] = [code for code in chosen if code in options]
    languages = st.multiselect(
        _("Match only names in these languages"),
        options,
        key=_LANGUAGES_KEY,
        format_func=language_name,
        placeholder=_("All languages"),
        persist_state="session",
        help=_("If empty, a title is compared with the names in all languages, which usually works best."),
    )
    top = st.slider(_("Occupations shown per title"), 1, 20, 5, key="top", persist_state="session")
    groups = st.toggle(
        _("Also link to ISCO groups"),
        key=_GROUPS_KEY,
        persist_state="session",
        help=_("For titles that stand for a whole group, such as 'Finance managers, other'."),
    )
    return tuple(languages), top, groups


def hand_over(taxonomy: str, precision: float) -> None:
    """Set a taxonomy and a target precision of `PRECISIONS` for links to occupations by names in all languages."""
    st.session_state.update({TAXONOMY_KEY: taxonomy, _PRECISION_KEY: precision, _LANGUAGES_KEY: [], _GROUPS_KEY: False})
