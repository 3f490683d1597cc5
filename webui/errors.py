"""What a user can do wrong towards a command, said in one sentence."""


class UserError(Exception):
    """A command that cannot be carried out; the message is one sentence for the user."""
