"""Links of several titles: a list that notebooks show as a table and pandas takes as a data frame."""

from typing import TYPE_CHECKING

from jobmatch_core.entities import LinkResult, links_html
from jobmatch_core.linking.link_rows import link_columns

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 50  # rows in a notebook


class LinkResults(list[LinkResult]):
    """Links of titles, in the order of the titles."""

    def to_pandas(self, index: "pd.Index | None" = None) -> "pd.DataFrame":
        """Return a data frame with the titles and the columns of their links, see docs/cli.md.

        Texts have the type `str` and `link_probability` is a float, with NaN for nothing; `link_alternatives` and
        `link_jobs` have lists of dicts.

        Args:
            index: index of the data frame, such as that of the titles' own; 0, 1, 2 and so on by default.
        """
        import pandas as pd  # takes longer than linking a title

        columns = ["title", *link_columns(LinkResult("", (), True, None, "", ()))]
        frame = pd.DataFrame([{"title": result.title} | link_columns(result) for result in self], index, columns)
        lists = dict.fromkeys(["link_alternatives", "link_jobs"], "object")
        return frame.astype(dict.fromkeys(columns, "str") | lists | {"link_probability": "float64"})

    def _repr_html_(self) -> str:
        """Return a table of the first links, which notebooks show."""
        more = len(self) - _SHOWN
        return links_html(self[:_SHOWN]) + (f"<p>and {more:,} more titles</p>" if more > 0 else "")
