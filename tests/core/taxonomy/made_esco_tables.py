"""Contents of ESCO's files for tests, and their tables."""

from pathlib import Path

from jobmatch_core.taxonomy.esco import esco_files, read_esco
from jobmatch_core.taxonomy.tables import TaxonomyTables

U = "http://data.europa.eu/esco/occupation/"
V103 = "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,description\n"
V111 = (
    "conceptType,conceptUri,iscoGroup,preferredLabel,altLabels,hiddenLabels,status,modifiedDate,"
    "regulatedProfessionNote,scopeNote,definition,inScheme,description,code\n"
)
V120 = V111.replace("code\n", "code,naceCode\n")
NURSE = V103 + f"Occupation,{U}1,2221,nurse,,\n"


def esco_tables(folder: Path) -> TaxonomyTables:
    """Return the tables of a folder of ESCO's files."""
    return read_esco(esco_files(folder)).tables
