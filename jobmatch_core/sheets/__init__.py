"""How a table that a person brings is laid out: its encoding, the row of its header, its column of job titles."""
