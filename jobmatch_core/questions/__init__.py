"""The one question that would settle a title, made from the texts of a taxonomy, and what its answer says."""
