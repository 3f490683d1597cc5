"""`tarok completion`: let the shell complete the commands and options of `tarok`."""

import argparse

import shtab


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok completion`."""
    parser.description = (
        "Print what lets a shell complete the words of tarok. In bash, put this line into ~/.bashrc: "
        'eval "$(tarok completion bash)". In zsh save it as _tarok in a folder of $fpath; in fish as '
        "~/.config/fish/completions/tarok.fish."
    )
    parser.add_argument("shell", choices=shtab.SUPPORTED_SHELLS)


def run(args: argparse.Namespace) -> int:
    """Print a script for the shell that knows the arguments of every command."""
    from webui.cli import COMMANDS, build_parser

    print(shtab.complete(build_parser(*COMMANDS), args.shell))
    return 0
