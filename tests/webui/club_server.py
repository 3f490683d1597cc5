"""A real PostgreSQL in a folder of its own, the club's server as a process, and browsers that visit it."""

import glob
import http.cookiejar
import os
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from webui_program import Program
from webui_serving import Browser


def postgres_program(name: str) -> str | None:
    """One of PostgreSQL's programs; Debian keeps the server's beside the path."""
    beside = sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))
    return shutil.which(name) or (beside[-1] if beside else None)


def as_postgres(*words: str) -> list[str]:
    """PostgreSQL does not run as root: there it runs as the user that Debian made for it."""
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return ["runuser", "-u", "postgres", "--", *words] if is_root else [*words]


@contextmanager
def postgres() -> Iterator[str]:
    """A PostgreSQL server of its own, deleted afterwards: the folder of its socket."""
    folder = tempfile.mkdtemp(prefix="tarok-pg-")
    if as_postgres() != []:
        shutil.chown(folder, "postgres")
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.STDOUT, "cwd": "/", "check": True}
    initdb, pg_ctl = postgres_program("initdb"), postgres_program("pg_ctl")
    assert initdb is not None and pg_ctl is not None
    data = f"{folder}/data"
    words = [initdb, "-D", data, "-U", "postgres", "--auth", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(as_postgres(*words), **quiet)
    # Reached by a socket in that folder alone. A test's data need not outlive a power cut.
    options = f"-k {folder} -c listen_addresses= -c fsync=off -c max_connections=80"
    try:
        subprocess.run(
            as_postgres(pg_ctl, "-D", data, "-o", options, "-l", f"{folder}/log", "-w", "start"), **quiet
        )
        yield folder
    finally:
        subprocess.run(
            as_postgres(pg_ctl, "-D", data, "-m", "immediate", "-w", "stop"), **{**quiet, "check": False}
        )
        shutil.rmtree(folder, ignore_errors=True)


class ClubServer:
    """`tarok club serve` on the database `url`; `kill` is a real SIGKILL, `start` goes on at the same port."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.port = "0"
        self.admin_link = ""
        self.start()

    def start(self) -> None:
        words = ["club", "serve", "--host", "127.0.0.1", "--port", self.port, "--db", self.url]
        self.program = Program([*words, "--club", "Lauget"], {})
        address = re.search(r"http://\S+:(\d+)", self.program.said.readline())
        self.address, self.port = address[0], address[1]
        link = re.search(r"http://\S+/link/\S+", self.program.said.readline())
        if link is not None:
            self.admin_link = link[0]

    def kill(self) -> None:
        self.program.kill()

    def admin(self) -> "ClubVisitor":
        """The browser of its first admin."""
        found = ClubVisitor(self.address)
        path = urllib.parse.urlsplit(self.admin_link).path
        found.post(path, path)
        return found


class ClubVisitor(Browser):
    """A browser of the club."""

    def __init__(self, address: str) -> None:
        super().__init__(address, http.cookiejar.CookieJar())

    def post(self, path: str, form_at: str, **fields: str) -> dict[str, Any]:
        """Send the form for `path` that stands on the page `form_at`."""
        return self.send(path, {"token": self.form_token(form_at), **fields})

    def new_code(self, name: str) -> str:
        """A code by which a table joins as `name`."""
        self.post("/tables/code", "/tables", name=name)
        found = re.search(r"\b[0-9A-Z]{4}-[0-9A-Z]{4}\b", self.get("/tables"))
        return found[0]
