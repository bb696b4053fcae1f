"""The application: the command line and the use cases that need both the library and the label store."""
