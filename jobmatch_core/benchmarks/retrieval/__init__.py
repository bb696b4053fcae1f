"""How well systems retrieve freelancers for projects, and what people search for."""
