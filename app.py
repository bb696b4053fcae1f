"""The workbench's front end, which `jobmatch app` starts."""

from pathlib import Path

import streamlit as st

# before the navigation, whose own icon for the tab would be fetched from elsewhere
st.set_page_config(page_icon="💼", layout="wide")
page = st.navigation(
    [
        st.Page(
            "pages/link_titles/page.py",
            url_path="link_titles",
            title="Link titles",
            icon=":material/link:",
            default=True,
        ),
        st.Page(
            "pages/job_descriptions/page.py",
            url_path="job_descriptions",
            title="Job descriptions",
            icon=":material/description:",
        ),
        st.Page(
            "pages/find_freelancers/page.py",
            url_path="find_freelancers",
            title="Find freelancers",
            icon=":material/person_search:",
        ),
        st.Page("pages/label_pairs/page.py", url_path="label_pairs", title="Label pairs", icon=":material/rule:"),
        st.Page(
            "pages/train_models/page.py",
            url_path="train_models",
            title="Train models",
            icon=":material/model_training:",
        ),
        st.Page("pages/latent_map/page.py", url_path="latent_map", title="Latent map", icon=":material/scatter_plot:"),
        st.Page("pages/taxonomies/page.py", url_path="taxonomies", title="Taxonomies", icon=":material/account_tree:"),
        st.Page("pages/scoreboard/page.py", url_path="scoreboard", title="Scoreboard", icon=":material/leaderboard:"),
        st.Page("pages/about/page.py", url_path="about", title="Help", icon=":material/help:"),
    ],
    position="top",
)
st.set_page_config(page_title=f"{page.title} · jobmatch")
st.html(Path(__file__).parent / "pages" / "theme.css")
page.run()
