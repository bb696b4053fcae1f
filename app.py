"""The workbench's front end: `streamlit run app.py`."""

from pathlib import Path

import streamlit as st

# before the navigation, whose own icon for the tab would be fetched from elsewhere
st.set_page_config(page_icon="💼", layout="wide")
page = st.navigation(
    [
        st.Page("pages/link_titles.py", title="Link titles", icon=":material/link:", default=True),
        st.Page("pages/job_descriptions.py", title="Job descriptions", icon=":material/description:"),
        st.Page("pages/find_freelancers.py", title="Find freelancers", icon=":material/person_search:"),
        st.Page("pages/label_pairs.py", title="Label pairs", icon=":material/rule:"),
        st.Page("pages/train_models.py", title="Train models", icon=":material/model_training:"),
        st.Page("pages/latent_map.py", title="Latent map", icon=":material/scatter_plot:"),
        st.Page("pages/taxonomies.py", title="Taxonomies", icon=":material/account_tree:"),
        st.Page("pages/scoreboard.py", title="Scoreboard", icon=":material/leaderboard:"),
        st.Page("pages/about.py", title="Help", icon=":material/help:"),
    ],
    position="top",
)
st.set_page_config(page_title=f"{page.title} · jobmatch")
st.html(Path(__file__).parent / "pages" / "theme.css")
page.run()
