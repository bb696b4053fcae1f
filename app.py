"""The workbench's front end, which `jobmatch app` starts."""

from pathlib import Path

import streamlit as st

_PAGES = (
    ("link_titles", "Link titles", "link"),
    ("search", "Search", "search"),
    ("job_descriptions", "Job descriptions", "description"),
    ("find_freelancers", "Find freelancers", "person_search"),
    ("label_pairs", "Label pairs", "rule"),
    ("train_models", "Train models", "model_training"),
    ("latent_map", "Latent map", "scatter_plot"),
    ("taxonomies", "Taxonomies", "account_tree"),
    ("scoreboard", "Scoreboard", "leaderboard"),
    ("about", "Help", "help"),
)  # folder, title, icon; the first one is opened by default

# before the navigation, whose own icon for the tab would be fetched from elsewhere
st.set_page_config(page_icon="💼", layout="wide")
page = st.navigation(
    [
        st.Page(f"pages/{folder}/{folder}.py", title=title, icon=f":material/{icon}:", default=not number)
        for number, (folder, title, icon) in enumerate(_PAGES)
    ],
    position="top",
)
st.set_page_config(page_title=f"{page.title} · jobmatch")
st.html(Path(__file__).parent / "pages" / "theme.css")
page.run()
