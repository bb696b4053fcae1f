"""Reasons for a verdict on a project and a freelancer: stored keys, and their names on the page."""

REASONS = {
    "mandatory-skills": "Must-have skills",
    "experience": "Experience",
    "seniority": "Seniority",
    "field": "Field of work",
    "language": "Language",
    "place": "Place",
    "day-rate": "Day rate",
    "too-little-said": "Too little said",
}
