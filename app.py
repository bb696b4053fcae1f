"""The workbench's front end, which `jobmatch app` starts."""

from pathlib import Path

import streamlit as st

from pages.shared import sign_in

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
    ("account", "Account", "account_circle"),
)  # folder, title, icon; the first page opens by default

# before the navigation, whose own icon for the tab would be fetched from elsewhere
st.set_page_config(page_icon="💼", layout="wide")
pages = {
    folder: st.Page(
        f"pages/{folder}/{folder}.py",
        title=title,
        icon=f":material/{icon}:",
        default=not number,
        visibility="visible" if sign_in.may_see(folder) else "hidden",
    )
    for number, (folder, title, icon) in enumerate(_PAGES)
}
page = st.navigation(list(pages.values()), position="top")
st.set_page_config(page_title=f"{page.title} · jobmatch")
st.html(Path(__file__).parent / "pages" / "theme.css")
sign_in.show_page(next(folder for folder, listed in pages.items() if listed is page), page.title, page.run)
