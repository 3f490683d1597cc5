"""The application: the Flask page and the `tarok` command."""
