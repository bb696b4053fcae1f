"""Audits of linkers and matching models by counterfactual twins, and the evidence pack."""
