"""The club's server, to which many tables report. It needs the `club` extra. No table loads it."""
