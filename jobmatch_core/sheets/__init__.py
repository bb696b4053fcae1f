"""Layout of users' tables: encoding, header row, and column of job titles."""
