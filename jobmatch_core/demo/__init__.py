"""A made-up month of a small agency: titles, postings, annotators and a recruiter for `jobmatch demo`.

Projects and freelancers are those of `marketplace/demo`. Everything depends on the seed and the last day alone.
"""
