"""Compiles the catalogues of words whenever the program is built or installed: each .po gets its .mo beside it."""

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogueBuildHook(BuildHookInterface):
    """Runs before a wheel, an editable install or a source distribution is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile every catalogue of the source tree."""
        for room in ("tracker", "webui"):
            for source in sorted(Path(self.root, room).rglob("*.po")):
                with source.open("rb") as file:
                    catalogue = read_po(file)
                with source.with_suffix(".mo").open("wb") as file:
                    write_mo(file, catalogue)
