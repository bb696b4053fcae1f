"""Page 'Help': the purpose of each page, keyboard shortcuts, words, data sources, and versions."""

from pages.shared import entry
from pages.shared.page_links import page_link

entry.load_libraries()

import platform
from importlib.metadata import version

import streamlit as st

from jobmatch.access.current_access import current_access
from jobmatch.services.documentation import PATH as DOCUMENTATION
from jobmatch.services.documentation import documentation_folder
from jobmatch_core import __version__
from jobmatch_core.labelling.judging import REASONS
from jobmatch_core.settings import Settings
from pages.label_pairs.keys import REASON_KEYS
from pages.shared import resources, sign_in, tour
from pages.shared.language import N_, _, choose_language
from pages.shared.page_list import PAGES
from pages.shared.widgets import PAGE_WIDTH, errors_shown, plain, taxonomy_name, title_line

_LIST_KEYS = {
    "A": N_("accept the first"),
    N_("1 to 9"): N_("pick one of the list"),
    "G": N_("the unit group is enough"),
    "N": N_("none of these"),
    "S": N_("skip to the next title"),
    "B": N_("back to the title above"),
    "U": N_("undo"),
    "X": N_("clear the decision"),
    "/": N_("search for another occupation"),
    "F": N_("search the list"),
    N_("Enter, Escape"): N_("leave a search box"),
}
_PAIR_KEYS = {
    "1": N_("fits"),
    "2": N_("lacks skills"),
    "3": N_("not sure"),
    "4": N_("skip"),
    "N": N_("note"),
    "U": N_("undo"),
    "G": N_("guidelines"),
}
_WORDS = {
    N_("Occupation"): N_("an entry of a taxonomy, with names in several languages."),
    N_("Unit group"): N_("the finest level of ISCO-08: occupations with similar work, under one code of four digits."),
    N_("Sure, likely, unsure"): N_("the probability that a link is right is at least 0.8, at least 0.5, or lower."),
    N_("To check"): N_("no occupation or unit group is likely enough, so the title waits for your decision."),
    N_("Judgment"): N_(
        "what you decide about a link or a pair. Judgments are stored permanently; your last one counts."
    ),
    N_("Promote"): N_("put a trained model into use."),
}
_SOURCES = (
    N_(
        "Title encoder: trained on ESCO (© European Union, CC BY 4.0), O*NET 27 (US Department of "
        "Labor, CC BY 4.0), the ISCO-08 index (ILO), NTREX-128 and FLORES-200 (CC BY-SA 4.0), "
        "Tatoeba (CC BY 2.0 FR), with all-MiniLM-L6-v2 (Apache-2.0) as the teacher model for English."
    ),
    N_(
        "Job-description network: trained on postings from NHS Jobs (English), France Travail "
        "(French) and EURES (eleven countries), and on O*NET tasks."
    ),
    N_("Published figures on the scoreboard: MELO (Retyk et al. 2024, Avature, MIT)."),
)


def _page() -> None:
    with st.container(width=PAGE_WIDTH):
        with title_line(_("Help")):
            choose_language()
            if st.button(_("Show the tour"), key="show_tour", icon=":material/tour:", on_click=tour.reopen):
                st.switch_page("pages/link_titles/link_titles.py", query_params={"view": "one"})
        st.markdown(_("Everything runs on the computer that serves this page; nothing you enter leaves it."))
        if current_access() is not None and documentation_folder() is not None:  # only the server has its pages
            st.markdown(
                _(
                    "Tutorials, commands and the API are explained in the [documentation]({documentation}), in "
                    "English.",
                    documentation=DOCUMENTATION,
                )
            )
        _pages()
        left, right = st.columns(2, gap="large")
        with left:
            _keys()
        with right:
            _words()
        left, right = st.columns(2, gap="large")
        with left:
            _sources()
        with right:
            _versions()


def _pages() -> None:
    st.markdown(_("## The pages"))
    listed = [folder for folder, page in PAGES.items() if page.purpose and sign_in.may_see(folder)]
    half = (len(listed) + 1) // 2
    for column, folders in zip(st.columns(2, gap="xsmall"), (listed[:half], listed[half:]), strict=True):
        with column, st.container(gap="xsmall"):
            for folder in folders:
                page = PAGES[folder]
                page_link(folder, f"**{_(page.title)}:** {_(page.purpose)}")


def _keys() -> None:
    st.markdown(_("## Keys"))
    if sign_in.may("judge"):
        st.markdown(_("**Link titles, a list:** {keys}", keys=_in_words(_LIST_KEYS)))
    if sign_in.may_see("label_pairs"):
        st.markdown(_("**Label pairs:** {keys}", keys=_in_words(_PAIR_KEYS)))
        reasons = {key: _(REASONS[reason]).lower() for reason, key in REASON_KEYS.items()}
        st.markdown(_("**Label pairs, reasons:** {keys}", keys=_in_words(reasons)))
    st.markdown(_("In a box for text, Enter submits; in a large one, Ctrl and Enter."))


def _in_words(keys: dict[str, str]) -> str:
    return " · ".join(f"`{_(key)}`\u00a0{_(action)}" for key, action in keys.items())


def _words() -> None:
    st.markdown(_("## Words"))
    st.markdown("\n".join(f"- **{_(word)}:** {_(meaning)}" for word, meaning in _WORDS.items()))


def _sources() -> None:
    st.markdown(_("## Data sources"))
    sources = []
    with errors_shown():
        for manifest in resources.installed():
            source = plain(manifest.attribution) or _("No source was given at import.")
            sources.append(f"**{plain(taxonomy_name(manifest))}:** {source}")
    st.caption("\n".join(f"- {source}" for source in [*sources, *(plain(_(source)) for source in _SOURCES)]))


def _versions() -> None:
    st.markdown(_("## Version"))
    st.code(
        f"jobmatch {__version__} · Python {platform.python_version()} · Streamlit {version('streamlit')} · "
        f"torch {version('torch')}",
        language=None,
        wrap_lines=True,
    )
    st.caption(_("Apache-2.0. Copy this line into a report of an error."))
    if sign_in.may("administer"):
        with errors_shown():
            st.markdown(_("Lists, judgments, taxonomies and models are stored in this folder:"))
            st.code(str(Settings.from_environment().home), language=None, wrap_lines=True)


_page()
