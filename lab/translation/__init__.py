"""Translation of the pages: their texts in catalogues, and whether all of them are there."""
