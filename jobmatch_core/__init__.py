"""Match jobs, people and occupations across languages: the library, without Streamlit and SQL."""

__version__ = "0.2.0"
