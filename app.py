"""The workbench's front end: `streamlit run app.py`."""

import streamlit as st

st.set_page_config(page_title="jobmatch", page_icon="💼", layout="wide")
st.navigation(
    [
        st.Page("pages/link_titles.py", title="Link titles", icon=":material/link:", default=True),
        st.Page("pages/find_freelancers.py", title="Find freelancers", icon=":material/person_search:"),
        st.Page("pages/taxonomies.py", title="Taxonomies", icon=":material/account_tree:"),
        st.Page("pages/scoreboard.py", title="Scoreboard", icon=":material/leaderboard:"),
    ],
    position="top",
).run()
