"""The subcommands of `tarok`, one module each."""
