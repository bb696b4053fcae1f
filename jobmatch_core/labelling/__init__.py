"""What people say of pairs: which to show them, how far they agree, what it comes to, in and out of files."""
