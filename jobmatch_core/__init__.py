"""Match jobs, people and occupations across languages.

The library behind the app and the command line: no Streamlit and no SQL in here.
"""

__version__ = "0.2.0"
