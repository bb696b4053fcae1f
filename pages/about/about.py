"""Page 'Help': the purpose of each page, keyboard shortcuts, versions, and data sources."""

from pages.shared import entry

entry.load_libraries()

import platform
from importlib.metadata import version

import streamlit as st

from jobmatch_core import __version__
from jobmatch_core.labelling.judging import REASONS
from jobmatch_core.settings import Settings
from pages.label_pairs.keys import REASON_KEYS
from pages.shared import resources, sign_in
from pages.shared.page_list import PAGES
from pages.shared.widgets import PAGE_WIDTH, errors_shown, plain, taxonomy_title

_KEYS = {
    "Link titles, list": {"A": "this is right", "N": "none of these", "U": "undo the last decision"},
    "Label pairs": {
        "1 to 4": "the verdicts",
        "U": "undo",
        "N": "add a note",
        "G": "guidelines",
        **{key: f"reason: {REASONS[reason].lower()}" for reason, key in REASON_KEYS.items()},
    },
    "Everywhere": {"Enter": "submit the typed text", "Tab": "next control", "Esc": "close a dialog"},
}
_SOURCES = (
    "Title encoder: trained on ESCO (© European Union, CC BY 4.0), O*NET 27 (US Department of Labor, CC BY 4.0), "
    "the ISCO-08 index (ILO), NTREX-128 and FLORES-200 (CC BY-SA 4.0), Tatoeba (CC BY 2.0 FR), with "
    "all-MiniLM-L6-v2 (Apache-2.0) as the teacher model for English.",
    "Job-description network: trained on postings from NHS Jobs (English), France Travail (French) and EURES "
    "(eleven countries), and on O*NET tasks.",
    "Published figures on the scoreboard: MELO (Retyk et al. 2024, Avature, MIT).",
)


def _page() -> None:
    with st.container(width=PAGE_WIDTH):
        st.title("About and help", anchor=False)
        st.markdown(
            "jobmatch links job titles in any language to occupations, finds freelancers for projects, and trains "
            "its models on your judgments. Everything runs on the computer that serves this page; nothing you enter "
            "leaves it."
        )
        left, right = st.columns([3, 2], gap="large")
        with left:
            _pages()
            _attributions()
        with right:
            _keys()
            _versions()


def _pages() -> None:
    st.markdown("## The pages")
    for folder, listed in PAGES.items():
        if not (listed.purpose and sign_in.may_see(folder)):
            continue
        link, text = st.columns([1, 3], vertical_alignment="center", gap="small")
        link.page_link(f"pages/{folder}/{folder}.py", label=listed.title)
        text.markdown(listed.purpose)


def _keys() -> None:
    st.markdown("## Keys")
    places = {"Link titles, list": sign_in.may("judge"), "Label pairs": sign_in.may_see("label_pairs")}
    for place, keys in _KEYS.items():
        if not places.get(place, True):
            continue
        st.markdown(f"**{place}**")
        st.markdown("\n".join(f"- `{key}`: {action}" for key, action in keys.items()))


def _versions() -> None:
    st.markdown("## Version and data")
    st.markdown(
        f"jobmatch {__version__} · Apache-2.0 · Python {platform.python_version()} · "
        f"Streamlit {version('streamlit')} · torch {version('torch')}"
    )
    with errors_shown():
        st.markdown("Lists, labels, taxonomies and models are stored in this folder:")
        st.code(str(Settings.from_environment().home), language=None, wrap_lines=True)


def _attributions() -> None:
    st.markdown("## Data sources")
    sources = []
    with errors_shown():
        for manifest in resources.installed():
            source = plain(manifest.attribution) or "No source was given at import."
            sources.append(f"**{plain(taxonomy_title(manifest))}**: {source}")
    st.markdown("\n".join(f"- {source}" for source in [*sources, *map(plain, _SOURCES)]))


_page()
