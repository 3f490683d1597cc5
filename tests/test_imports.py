"""Who may import whom: a room that reaches where it may not is a design that has slipped."""

import ast
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
ROOMS = ("tracker", "vision", "webui")
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))
# The recognition knows cards, what can happen at a table, and how files are written.
VISION_MAY_SEE = {"tracker.cards", "tracker.events", "tracker.files", "tracker.shown_cards"}


def imported_by(nodes: Iterable[ast.AST], path: Path) -> Iterator[str]:
    """The modules that these parts of a file import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide which room is reached"
            assert node.module is not None
            if node.module in ROOMS:
                yield from (f"{node.module}.{alias.name}" for alias in node.names)
            else:
                yield node.module


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Every statement, however deep; no expression imports anything."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield node
            yield from statements(node)


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@cache
def imported(path: Path, *, at_import: bool = False) -> tuple[str, ...]:
    """The modules that a file imports; `at_import`: only those imported as the file itself is."""
    tree = parsed(path)
    return tuple(imported_by(tree.body if at_import else statements(tree), path))


# What watches a table; `vision/lab` only makes, trains or measures.
AT_THE_TABLE = ("camera", "reading", "taught", "watching")


REGISTRY = "tracker/games.py"  # the one module of the tracker that knows every game
GAMES = {path.parent.name for path in (ROOT / "tracker").glob("*/__init__.py")}


def room(module: str) -> str:
    return module.split(".")[0]


def game_of(module: str) -> str | None:
    """The game to which a module of the tracker belongs; None where it is what every game has."""
    parts = module.split(".")
    return parts[1] if parts[0] == "tracker" and len(parts) > 1 and parts[1] in GAMES else None


def every_import() -> Iterator[tuple[str, tuple[str, ...], str]]:
    """The file, the parts of its path, and a module that it imports."""
    for path in MODULES:
        here = path.relative_to(ROOT)
        for module in imported(path):
            yield here.as_posix(), here.parts, module


def test_every_import_stays_where_it_may() -> None:
    for path, parts, module in every_import():
        if parts[0] == "tracker":
            assert room(module) == "tracker" or room(module) in sys.stdlib_module_names, (path, module)
            if game_of(module) is not None and path != REGISTRY:
                assert game_of(module) == game_of(".".join(parts)), (path, module)
        elif parts[0] == "vision":
            assert room(module) != "webui", (path, module)
            if room(module) == "tracker":
                assert module in VISION_MAY_SEE, (path, module)
        assert room(module) not in ("tests", "datasets", "models"), (path, module)


def test_the_page_of_a_game_is_in_its_folder_and_no_other_page_knows_a_game() -> None:
    for path, parts, module in every_import():
        if parts[0] != "webui" or parts[1] in ("bench", "commands"):
            continue
        own = parts[2] if parts[1] == "games" and len(parts) > 3 else None
        assert game_of(module) in (None, own), (path, module)
        if module.startswith("webui.games.") and module.count(".") > 2:
            may = own == module.split(".")[2] or parts[1:] in (("app.py",), ("games", "pages.py"))
            assert may, (path, module)


def test_the_recognition_sees_all_that_it_may() -> None:
    """What stands in the list and nobody imports any more goes."""
    seen = {module for _, parts, module in every_import() if parts[0] == "vision"}
    assert {module for module in seen if room(module) == "tracker"} == VISION_MAY_SEE


def test_torch_is_only_met_when_it_is_asked_for() -> None:
    for path in MODULES:
        met = {room(module) for module in imported(path, at_import=True)}
        assert not met & {"torch", "ultralytics"}, path


def test_only_the_store_files_the_rule_sets_and_the_catalogues_touch_the_disk() -> None:
    """Nothing else in the tracker does input or output."""
    touching = {
        path.relative_to(ROOT / "tracker").as_posix()
        for path in (ROOT / "tracker").rglob("*.py")
        if {room(module) for module in imported(path)} & {"sqlite3", "pathlib", "os", "io", "sys"}
    }
    assert touching == {"store.py", "files.py", "rule_sets.py", "catalogue.py"}


def test_what_happened_is_data_and_only_what_shows_it_has_words() -> None:
    """No error, event, payment or finding knows how it is said."""
    speaking = {
        path.name
        for path in (ROOT / "tracker").rglob("*.py")
        if {module.split(".")[-1] for module in imported(path)} & {"words", "catalogue", "gettext"}
    }
    assert speaking == {
        "catalogue.py",
        "words.py",
        "score_sheet_text.py",
        "audit_text.py",
        "game.py",
        "rule_sets_text.py",
        "telling.py",
    }


def test_nothing_that_watches_a_table_reaches_what_draws_trains_or_measures() -> None:
    for path, parts, module in every_import():
        if parts[0] == "vision" and (len(parts) < 3 or parts[1] in AT_THE_TABLE):
            assert not module.startswith("vision.lab"), (path, module)


def test_the_traced_world_is_drawn_by_nothing_that_draws_for_training() -> None:
    for path, _, module in every_import():
        tracing = path.startswith("vision/lab/tracing/")
        for_training = module.startswith(("vision.lab.rendering", "vision.lab.training"))
        assert not (tracing and for_training), (path, module)
        assert tracing or not module.startswith("vision.lab.tracing"), (path, module)
        assert module != "vision.lab.tracing.blender_scene", f"{path}: it runs inside Blender only"


_CLUBS_OWN = ("webui/commands/club.py", "webui/bench/club.py", "webui/bench/tournament.py")


def test_the_clubs_server_is_reached_by_its_own_command_alone() -> None:
    """No table loads it, nor the database's libraries, which only its extra installs."""
    for path, _, module in every_import():
        if path.startswith("webui/club/") or path in _CLUBS_OWN:
            continue
        assert room(module) not in ("sqlalchemy", "alembic", "psycopg"), (path, module)
        assert not module.startswith("webui.club."), (path, module)


def test_watching_loads_neither_the_renderer_nor_what_only_training_needs() -> None:
    """What `tarok watch` has loaded once it has read a frame."""
    clip = ROOT / "datasets" / "demo" / "hand.mp4"
    code = f"""
import itertools, sys
from pathlib import Path
from vision.watching.eyes import watch
import webui.commands.watch
assert len(list(itertools.islice(watch({str(clip)!r}, {{"Anna": "S"}}, lambda _: None), 1))) == 1
print("\\n".join(sys.modules))
"""
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    loaded = set(ran.stdout.split())
    assert "vision.watching.plays" in loaded
    assert not {room(module) for module in loaded} & {"matplotlib", "PIL", "ultralytics", "torch"}
    assert not {module for module in loaded if module.startswith("vision.lab")}


def test_the_first_page_needs_nothing_of_the_eyes(tmp_path: Path) -> None:
    """The page is there before they are loaded, and a table without a camera never loads them."""
    code = f"""
import sys
from pathlib import Path
for name in ("cv2", "numpy", "onnxruntime"):
    sys.modules[name] = None  # whoever imports it gets an ImportError
import webui.commands.demo, webui.commands.serve, webui.serving.front, webui.serving.server
from tracker.store import EventStore
from webui.app import create_app
from webui.app_parts import app_parts
from webui.table.live import LiveTable
app = create_app(LiveTable(EventStore(Path({str(tmp_path / "evening.sqlite3")!r}), alone=True)))
browser = app.test_client()
link = f"/laptop/{{app_parts(app).phones.new_host_link()}}"
for address in (link, "/", "/decks", "/guide"):
    assert browser.get(address, follow_redirects=True).status_code == 200, address
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


def test_the_clubs_server_loads_nothing_of_the_eyes(tmp_path: Path) -> None:
    """It answers on a machine where OpenCV and ONNX Runtime cannot be loaded."""
    code = f"""
import sys
for name in ("cv2", "onnxruntime", "vision"):
    sys.modules[name] = None  # whoever imports it gets an ImportError
import webui.commands.club, webui.club.serving
from webui.club.app import create_club_app
from webui.club.schema import open_database
from webui.printing.pages import seating_lists
club = create_club_app(open_database("sqlite:///{(tmp_path / "club.sqlite3").as_posix()}"))
assert club.test_client().get("/source").status_code == 200
"""
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
