"""`tarok bench vision`: watch recordings with truth files, and hold every figure of the recognition to its target."""

import argparse
import json
import re
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

from tracker.events import Event, HandStarted, SessionOpened
from tracker.games import read_session
from tracker.open_questions import asked_about
from vision.lab.bench.figures import figures, figures_as_json, figures_as_text
from vision.lab.bench.mistakes_page import Entry, Section, Thumb, check_page, write_page
from vision.lab.bench.observing import observe
from vision.lab.bench.recordings import JudgedRecording, Mistake, frames_wanted, judge, mistake_as_json
from vision.lab.bench.remembered import Answers, RememberedCorners, RememberedFinder, RememberedNames
from vision.lab.bench.stages import BareModels, stages, stages_as_text
from vision.lab.bench.targets import RECORDINGS
from vision.lab.bench.truth import Recording, TimedPlay, load_recording
from vision.reading.corners import CornerFinder, LooksClosely
from vision.reading.finder import Finder, Proposes
from vision.reading.network import shipped_network
from vision.resources import models_dir
from vision.watching.eyes import open_identifier
from vision.watching.votes import Names
from webui.commands.options import add_networks, add_threads, check_threads, make_folder
from webui.errors import UserError, require_positive
from webui.table.resuming import AlreadyOnTable
from webui.table.scorekeeper import Scorekeeper, cards_shown, said_events

_RECORDED = re.compile(r"[^/\\:]+\.(json|mp4|avi|mkv)")
_MOST_BYTES = 1 << 30


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of `tarok bench vision`."""
    parser.add_argument(
        "recordings",
        nargs="+",
        type=Path,
        help="folders of NAME.mp4 with NAME.json, such JSON files, or ZIP files of them, as the page's recordings are",
    )
    add_networks(parser)
    parser.add_argument("--deck", type=Path, metavar="DIR", help="the folder of a taught deck")
    parser.add_argument("--format", choices=("text", "json"), default="text")
    add_threads(parser)
    parser.add_argument("--every", type=int, default=1, metavar="N", help="look at every Nth frame")
    parser.add_argument(
        "--answers",
        type=Path,
        metavar="DIR",
        help="keep there what the networks answer; watched again, they are not run (then no times are right)",
    )
    parser.add_argument(
        "--page", type=Path, metavar="DIR", help="write a page with pictures of every mistake there"
    )


def run(args: argparse.Namespace) -> int:
    """Watch every recording, and print the figures of each, then of all together."""
    require_positive(args, "every")
    check_threads(args)
    check_page(args.page)
    with ExitStack() as unpacked:
        return _run(args, [unpacked.enter_context(unzipped(path)) for path in args.recordings])


def _run(args: argparse.Namespace, paths: Sequence[Path]) -> int:
    truths = find_truths(paths)
    if args.answers is not None:
        make_folder("--answers", args.answers)
    bare = BareModels(args.finder, args.identifier, args.threads) if args.answers is None else None
    judged = [watch_one(truth, args, bare) for truth in truths]
    if args.format == "json":
        print(json.dumps(report_json(judged), indent=1, ensure_ascii=False))
    else:
        print(report_text(judged, args.threads))
    if args.page is not None:
        write_page(
            args.page, "What was read wrongly", together(judged, args.threads), mistakes_of_recordings(judged)
        )
    return 0


@contextmanager
def unzipped(path: Path) -> Iterator[Path]:
    """Within the block, `path` itself, or for a ZIP file a folder with its recordings. Raises UserError.

    Of a ZIP file only videos and truth files are taken, of at most `_MOST_BYTES` each, and none from its folders.
    """
    if path.suffix.lower() != ".zip":
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="tarok-bench-") as folder:
        try:
            with zipfile.ZipFile(path) as archive:
                for one in archive.infolist():
                    if _RECORDED.fullmatch(one.filename) and one.file_size <= _MOST_BYTES:
                        archive.extract(one, folder)
        except FileNotFoundError:
            raise UserError(f"{path}: no such file") from None
        except (OSError, zipfile.BadZipFile, RuntimeError) as error:
            raise UserError(f"{path}: cannot be read as a ZIP file") from error
        if not any(map(_video, Path(folder).glob("*.json"))):
            raise UserError(f"{path}: no recording with a truth file is in it")
        yield Path(folder)


def find_truths(paths: Sequence[Path]) -> list[Path]:
    """The truth files among `paths` and in the folders among them; raises UserError if there are none."""
    truths = []
    for path in paths:
        found = [t for t in sorted(path.glob("*.json")) if _video(t)] if path.is_dir() else [path]
        if not found or not found[0].is_file():
            raise UserError(f"{path}: no recording with a truth file beside it")
        truths += found
    return truths


def _video(truth: Path) -> bool:
    return any(truth.with_suffix(ending).is_file() for ending in (".mp4", ".avi", ".mkv"))


def watch_one(truth: Path, args: argparse.Namespace, bare: BareModels | None) -> JudgedRecording:
    """Watch the recording of one truth file and judge the reading by it; the `bare` models are timed beside it."""
    recording = load_recording(truth)
    keeper = keeper_of(recording)
    hand = keeper.session.hand
    booked = {play.card for play in hand.plays} if hand else set()
    there = AlreadyOnTable(
        {play.card for play in hand.tricks[-1].plays} if hand and hand.tricks else (), booked
    )
    asked: set[int] = set()

    def book(event: Event, time_s: float) -> int:
        seq = keeper.book(event, time_s)
        asked.update(asked_about(keeper.session))
        return seq

    finder: Proposes = Finder(args.finder, args.threads)
    corners: LooksClosely = CornerFinder(args.corners, args.threads)
    names: Names = open_identifier(args.identifier, args.deck, args.threads)
    answers = Answers(args.answers / f"{truth.stem}.answers") if args.answers is not None else None
    if answers is not None:
        finder = RememberedFinder(finder, answers, [args.finder or shipped_network("finder")])
        corners = RememberedCorners(corners, answers, [args.corners or shipped_network("corners")])
        names = RememberedNames(names, answers, _weights_of(args.identifier, args.deck))
    seen = observe(
        recording.video, recording.sides, lambda at_s: there.expected(keeper.expectation(at_s)), book,
        finder, corners, names,
        bare=bare, every=args.every,
        pictures=args.page is not None, frames_at_s=frames_wanted(recording),
        news=there.without_booked,
    )  # fmt: skip
    if answers is not None:
        answers.keep()
    refused = {alert.seq for alert in keeper.session.alerts}
    session = keeper.session
    plays_in_hand = session.plays_in_hand(session.rules, len(session.seats))
    hand_of = {play.seq: hand.number for hand in session.hands for play in hand.plays}
    return judge(recording, seen, refused, cards_shown(session), len(asked), plays_in_hand, hand_of)


def _weights_of(identifier: Path | None, deck: Path | None) -> list[Path]:
    """The files that an identifier (None: the shipped one) is loaded from, with those of a taught deck, if any."""
    files = [identifier or models_dir() / "identifier.onnx"]
    if deck is not None:
        files += [models_dir() / "prints.onnx", *sorted(path for path in deck.rglob("*") if path.is_file())]
    return files


def keeper_of(recording: Recording) -> Scorekeeper:
    """The game at the start of `recording`: before the first card, or in the middle of a hand."""
    if recording.before is None:
        whole = SessionOpened(recording.rules, recording.options, tuple(recording.sides))
        return Scorekeeper(
            whole,
            recording.sides,
            recording.dealer,
            [said_events(said, whole) for said in recording.said],
            dealing=recording.dealing,
        )
    opened, started, *before = read_session(json.dumps(recording.before))[1].events
    if not isinstance(opened, SessionOpened) or not isinstance(started, HandStarted):
        raise UserError(f"{recording.video.with_suffix('.json')}: what was played before is no hand")
    return Scorekeeper(opened, recording.sides, started.dealer, before=before)


def report_json(judged: Sequence[JudgedRecording]) -> dict[str, object]:
    """The report as one JSON object: `recordings` (with figures, stages and mistakes), `all` together, `targets`."""

    def told(some: Sequence[JudgedRecording]) -> dict[str, object]:
        times = {name: asdict(stage) for name, stage in stages([j.times for j in some]).items()}
        return {"figures": figures_as_json(figures(some)), "stages": times}

    return {
        "recordings": [
            {"recording": j.recording, **told([j]), "mistakes": [mistake_as_json(m) for m in j.mistakes]}
            for j in judged
        ],
        "all": told(judged),
        "targets": {key: asdict(target) for key, target in RECORDINGS.items()},
    }


def report_text(judged: Sequence[JudgedRecording], threads: int) -> str:
    """The report in words: the figures and mistakes of each recording, then the figures of all together."""
    blocks = []
    for j in judged:
        told = "\n".join(f"  {_in_words(m)}" for m in j.mistakes)
        table, times = figures_as_text(j.recording, figures([j])), stages_as_text(stages([j.times]), threads)
        blocks.append("\n\n".join(block for block in (table, told, times) if block))
    if len(judged) > 1:
        blocks.append(together(judged, threads))
    return "\n\n".join(blocks)


def together(judged: Sequence[JudgedRecording], threads: int) -> str:
    """The figures of all recordings together, in words."""
    title = f"all {len(judged)} recordings" if len(judged) > 1 else judged[0].recording
    times = stages_as_text(stages([j.times for j in judged]), threads)
    return f"{figures_as_text(title, figures(judged))}\n\n{times}"


def _in_words(mistake: Mistake) -> str:
    played, booked = _play(mistake.true), _play(mistake.booked)
    return f"{_clock(mistake.at_s)}  {', '.join(mistake.kinds)}: played {played}, booked {booked}"


def _play(play: TimedPlay | None) -> str:
    return f"{play.card} by {play.player}" if play else "nothing"


def _clock(seconds: float) -> str:
    return f"{int(seconds // 60)}:{seconds % 60:04.1f}"


_SECTIONS = {
    "wrong": ("Wrong plays", "Another card or player was booked than played, or at another place in the order."),
    "missed": ("Missed plays", "Nothing was booked. The pictures are of 0.5 and 1.5 s after the card came to rest."),
    "invented": ("Invented plays", "Booked, and nobody had played."),
    "misread": ("Misread, booked right", "The votes named another card; the game or a later card put it right."),
    "doubtful": ("Doubtful plays", "Booked right, but asked about."),
}  # fmt: skip


def mistakes_of_recordings(judged: Sequence[JudgedRecording]) -> list[Section]:
    """The mistakes of all recordings for the page, each in the first section to which it belongs."""
    entries: dict[str, list[Entry | Thumb]] = {kind: [] for kind in _SECTIONS}
    for mistake in (m for j in judged for m in j.mistakes):
        first = next(kind for kind in _SECTIONS if kind in mistake.kinds)
        facts = [("played", _play(mistake.true)), ("booked", _play(mistake.booked))]
        if mistake.alternatives:
            facts.append(("offered", ", ".join(mistake.alternatives)))
        if mistake.true is not None:
            facts.append(("came to rest", _clock(mistake.true.at_s)))
        if mistake.booked is not None:
            facts.append(("known", _clock(mistake.booked.at_s)))
        tags = tuple("confident and wrong" if kind == "confident" else kind for kind in mistake.kinds)
        title = f"{mistake.recording} at {_clock(mistake.at_s)}"
        entries[first].append(Entry(title, tags, tuple(facts), mistake.voted, mistake.frames, mistake.crop))
    found = [Section(*_SECTIONS[kind], some) for kind, some in entries.items() if some]
    looks = [
        Thumb(m.jpeg, f"{m.true}, read {m.read}", f"{100 * m.probability:.0f} %, {m.condition.replace('_', ' ')}, "
              f"{m.recording} {_clock(m.at_s)}")
        for j in judged for m in j.misread
    ]  # fmt: skip
    if looks:
        found.append(Section("Single looks read wrongly", "One frame's reading, before any vote.", looks))
    return found or [Section("Nothing", "Every play was read, and read right, without a question.", ())]
