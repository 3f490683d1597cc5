"""What a user can do wrong towards a command, said in one sentence."""

import argparse


class UserError(Exception):
    """A command that cannot be carried out; the message is one sentence for the user."""


def require_positive(args: argparse.Namespace, *options: str) -> None:
    """Raise UserError naming the first of these `options` that is below 1."""
    for option in options:
        if getattr(args, option) < 1:
            raise UserError(f"--{option} {getattr(args, option)}: must be 1 or more")
