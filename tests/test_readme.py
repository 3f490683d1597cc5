"""The README's commands are those that are run. What holds for every document is in test_docs.py."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_ci_calls_the_test_command_of_the_readme() -> None:
    (command,) = re.findall(r"Linux, macOS \| `([^`]*pytest)`", README)
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert f"{command}\n" in ci and "-m pytest -m slow\n" in ci


def test_the_workflow_calls_the_test_commands_of_the_readme() -> None:
    commands = re.findall(r"(?:Linux, macOS|Windows) \| `([^`]*pytest)`", README)
    workflow = (ROOT / ".github" / "workflows" / "tests.yml").read_text(encoding="utf-8")
    assert len(commands) == 2 and all(f"run: {command}\n" in workflow for command in commands)
    assert workflow.count("python -m pytest -m slow\n") == 2


def test_there_are_exactly_two_commands_to_start_with() -> None:
    section = README.split("## Two commands")[1].split("## ")[0]
    assert len(re.findall(r"^\| Linux, macOS", section, re.M)) == 2
    assert len(re.findall(r"^\| Windows", section, re.M)) == 2
