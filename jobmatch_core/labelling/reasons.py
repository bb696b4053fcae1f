"""What a verdict on a project and a freelancer may hang on: keys that are stored, and what people read."""

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
