"""How much of a coded sample can be coded automatically."""
