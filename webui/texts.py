"""What the page says: English here and in the templates, other languages in the catalogues.

A language is a folder of `translations` with a catalogue of the page. Which one is spoken, the request says, or
`force_locale` outside of a request.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from typing import TYPE_CHECKING, Final
from unicodedata import combining, normalize

from babel import Locale, UnknownLocaleError
from babel.dates import format_date, format_skeleton
from flask import Flask, current_app, g, request
from flask_babel import Babel, force_locale, get_locale, refresh

from tracker.catalogue import (
    SOURCE_LANGUAGE,
    VARIANTS,
    CatalogueError,
    catalogue,
    game_languages,
    languages,
    msgid,
    read_catalogue,
)
from tracker.game import Game
from tracker.games import GAMES, game_of

if TYPE_CHECKING:
    from webui.table.live import LiveTable

TRANSLATIONS: Final = Path(__file__).parent / "translations"
DOMAIN: Final = "page"
DEFAULT_LANGUAGE: Final = "da"
LANGUAGE_COOKIE: Final = "tarok_lang"

CAMERA_STATES: Final = {
    "none": msgid("No camera"),
    "waiting": msgid("The camera waits for an evening to be opened"),
    "unplaced": msgid("The camera waits until everybody has a place"),
    "teaching": msgid("A deck is being taught; the table is not read meanwhile"),
    "starting": msgid("The camera is opening"),
    "setting_up": msgid("The table is being set up"),
    "seeing": msgid("The camera is watching"),
    "ended": msgid("The recording has ended"),
    "trouble": msgid("Camera trouble"),
}
"""The states of `webui.table.camera_status.CameraStatus`."""
PROBLEMS: Final = {
    "problem_source": msgid("The camera cannot be opened."),
    "problem_recording": msgid("The recording cannot be read to its end."),
    "problem_lost": msgid("The camera gives no new pictures; is it plugged in?"),
    "problem_stopped": msgid("The camera is no longer read; start the program again."),
    "problem_disk": msgid(
        "The evening cannot be saved just now. The program keeps trying, and nothing is lost."
    ),
    "network_form": msgid("This is not a camera's address. One looks like http://192.168.1.20:8080/video."),
    "network_outside": msgid(
        "Only a camera in the local network is taken, and this address lies outside it."
    ),
    "network_name": msgid("No camera of this name is found in the network."),
    "network_silent": msgid("The camera in the network does not answer."),
    "network_closed": msgid("The phone is there, but no camera app sends from it at this address."),
    "network_path": msgid("The camera answers, but has no video at this address."),
    "network_password": msgid("The camera asks for a name and a password, or these are wrong."),
    "network_still": msgid("This address gives a single picture, and no video."),
    "network_not_video": msgid("What comes from this address is not a video."),
    "network_stalled": msgid("The camera answers, but sends no pictures."),
    "network_lost": msgid("The camera in the network sends no more pictures."),
}
"""What is wrong with a camera in trouble. For a camera in the network the keys are those of the eyes."""
_AWAKE: Final = msgid("Unlock the phone, and see that its camera app is open and sends.")
_SAME_NETWORK: Final = msgid(
    "See that the phone is in the same network as this computer, and in no network for guests."
)
_NUMBERS: Final = msgid(
    "Type the address with the numbers that the app shows; they mostly begin with 192.168. or 10."
)
_PATH: Final = msgid(
    "Look in the app for the address of its video. What stands after the last slash belongs to it, such as /video."
)
REMEDIES: Final = {
    "problem_source": (
        msgid("See that the camera's cable is in at both ends, and try another socket."),
        msgid("Close other programs that use a camera: video calls, or a second copy of this one."),
    ),
    "problem_lost": (msgid("Take the camera's cable out, and put it in again."),),
    "network_outside": (_NUMBERS,),
    "network_name": (_NUMBERS,),
    "network_silent": (
        _AWAKE,
        _SAME_NETWORK,
        msgid(
            "Compare the address with the one that the app shows now: it may change from evening to evening."
        ),
    ),
    "network_closed": (_AWAKE, msgid("Compare the number after the colon with the one that the app shows.")),
    "network_path": (_PATH,),
    "network_password": (msgid("Type the name and the password that are set in the app."),),
    "network_still": (_PATH,),
    "network_not_video": (_PATH, msgid("In an app with several formats choose MJPEG or RTSP.")),
    "network_stalled": (_AWAKE,),
    "network_lost": (_AWAKE, _SAME_NETWORK),
    "problem_recording": (msgid("Start the program again with another recording."),),
    "problem_stopped": (msgid("Enter the cards by hand until it is started again; nothing is lost."),),
    "problem_disk": (msgid("Make room on the disk: delete what is not needed, or empty the waste basket."),),
}
"""What people do about a camera in trouble, step by step."""
ADVICE: Final = {
    "unread": msgid(
        "This deck is hard to read, so you are asked about many cards. Show the program its cards once: from "
        "then on it knows them."
    ),
    "far": msgid(
        "The camera is too far away: cards are {card_px} px high in the picture, at least 80 are needed."
    ),
    "leaning": msgid(
        "The camera looks at the table from too far to the side: it leans {tilt_deg}°. Keep it "
        "within 35° of straight above."
    ),
    "blurred": msgid("The cards are out of focus. Focus the camera, and wipe its lens."),
    "blocked": msgid("The camera does not see the table: is the lens covered?"),
    "dark": msgid("It is too dark. Turn on more light."),
    "moved": msgid("The camera was moved. Leave it where it is now; reading goes on."),
    "light": msgid("The light over the table has changed. Keep its glare off the cards."),
    "slow": msgid("The computer is busy; close other programs."),
    "network_small": msgid("The picture is only {width_px}×{height_px}. Choose 1280×720 or more in the app."),
    "network_slow": msgid(
        "The pictures come too slowly from the network: {frames_per_s} a second. Bring the phone nearer to the router, "
        "or choose a smaller picture in the app."
    ),
    "network_halting": msgid(
        "The pictures come in jerks, up to {wait_ms} ms apart. Bring the phone nearer to the router, or choose a "
        "smaller picture in the app."
    ),
}
"""What people should put right, with the camera's figures."""
UNSETTLED: Final = {
    "dealer": msgid(
        "The first trick went as if another player had dealt. Answer the question; until then nobody is flagged."
    ),
    "turn": msgid(
        "The camera may have missed a card of this trick. Nobody is flagged until all have played to it."
    ),
    "reading": msgid("This rests on a doubtful reading. Answer the question; until then nobody is flagged."),
    "gap": msgid(
        "Cards may be missing: the camera saw nothing for a while. Answer the question; until then nobody is flagged."
    ),
    "alert": msgid(
        "Something that was noted cannot have happened. Correct it first; until then nobody is flagged."
    ),
    "unsaid": msgid(
        "Nobody has entered which suit the fool was named. Answer the question; until then nobody is flagged."
    ),
}
"""What a finding waits for, by `tracker.doubts`."""
_SPEECH: Final = "tarok speech"
SIDE_NAMES: Final = {
    "S": msgid("Bottom"),
    "E": msgid("Right"),
    "N": msgid("Top"),
    "W": msgid("Left"),
    "X": msgid("Fifth player"),
}
"""The edges of the camera's picture, and the fifth player's place."""


@dataclass(frozen=True)
class Speech:
    """The languages of an application: what each calls itself, by its code. The club's server has no `table`."""

    names: dict[str, str]
    table: "LiveTable | None"


def speak(app: Flask, table: "LiveTable | None" = None) -> None:
    """Give `app` its languages, and its templates the functions that translate; the game at `table` limits them.

    Raises CatalogueError when a catalogue cannot be read.
    """
    codes = languages(TRANSLATIONS, DOMAIN)
    for code in codes:  # a missing catalogue fails now, and not during an evening
        page_words(TRANSLATIONS, code)
        for game in GAMES:
            catalogue(game, code)
    app.extensions[_SPEECH] = Speech({code: _own_name(code) for code in codes}, table)
    Babel(
        app,
        configure_jinja=False,  # its places are %(name)s, and ours {name}, as in the game's words
        default_locale=DEFAULT_LANGUAGE,
        default_domain=DOMAIN,
        default_translation_directories=str(TRANSLATIONS),
        locale_selector=language,
    )
    app.jinja_env.globals.update(t=text, nt=ntext, side_names=SIDE_NAMES)
    app.add_template_filter(day_text, "day")


def begun(sentence: str) -> str:
    """`sentence` with a capital letter first: a sentence that begins with a card's name lacks it."""
    return sentence[:1].upper() + sentence[1:]


def by_name(name: str) -> tuple[str | int, ...]:
    """The key by which names are listed: Bord 2 before Bord 10, and æ, ø and å last, however they are written."""
    letters = normalize("NFD", normalize("NFC", name).casefold().translate(_LAST_LETTERS))
    plain = "".join(letter for letter in letters if not combining(letter))
    return tuple(int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", plain))


_LAST_LETTERS: Final = str.maketrans("æäøöå", "{{||}")


def day_text(day: date, length: str = "long") -> str:
    """A day in words, such as 4. oktober 2026; `length` is Babel's "medium" or "long"."""
    return format_date(day, length, locale=language())


def damaged_text(day: date) -> str:
    """That the evening of that day cannot be read, in a sentence."""
    return text(
        "The evening of {day} is damaged and cannot be read. The others are whole.", day=day_text(day)
    )


def short_day_text(day: date) -> str:
    """The day and month in numbers, as the reader's language orders them: 4.10."""
    return format_skeleton("Md", day, locale=language())


def _own_name(code: str) -> str:
    """What a language calls itself: Dansk. Raises CatalogueError for an unknown code."""
    try:
        name = Locale.parse(code).get_display_name() or code
    except (ValueError, UnknownLocaleError):
        raise CatalogueError(f"{TRANSLATIONS / code}: not named by the code of a language") from None
    return begun(name)


def language_names() -> dict[str, str]:
    """What each language offered now calls itself, by its code. The game that is told of speaks all of them."""
    speech = _speech()
    session = speech.table.session if speech.table is not None else None
    game = g.get("told_of", game_of(session) if session is not None else None)
    if game is None:
        return speech.names
    return {code: name for code, name in speech.names.items() if code in _spoken(game.name)}


def tell_of(game: Game) -> None:
    """From now on this request is answered in a language of `game`, such as that of a past evening, and no other."""
    g.told_of = game
    g.pop("words", None)
    refresh()


def _speech() -> Speech:
    found = current_app.extensions[_SPEECH]
    assert isinstance(found, Speech)
    return found


@cache
def _spoken(game: str) -> frozenset[str]:
    return frozenset(game_languages(game))


def language() -> str:
    """The reader's language: that of the address, the one chosen before, the browser's, or Danish.

    A reader whose language the game lacks reads the next one that his browser names, or English. A club's own variant
    counts: "da@sciesen" where the club calls the fool so.
    """
    asked = request.args.get("lang") or request.cookies.get(LANGUAGE_COOKIE, "")
    known, spoken, read = _speech().names, language_names(), request.accept_languages
    if asked not in known:
        asked = read.best_match(list(known)) or DEFAULT_LANGUAGE
    if asked not in spoken:
        asked = read.best_match(list(spoken)) or SOURCE_LANGUAGE
    table = _speech().table
    variant = f"{asked}@{table.choices.fool}" if table is not None else asked
    return variant if variant in VARIANTS else asked


@cache
def page_words(folder: Path, language: str) -> NullTranslations:
    """The page's catalogue for `language` in `folder`, read once. Raises CatalogueError."""
    return read_catalogue(folder, DOMAIN, language)


def _words() -> NullTranslations:
    """The catalogue of the reader's language, found once a request. Raises RuntimeError outside of an application."""
    if "words" not in g:
        g.words = page_words(TRANSLATIONS, str(get_locale()))
    words = g.words
    assert isinstance(words, NullTranslations)
    return words


def text(sentence: str, /, **values: object) -> str:
    """An English `sentence` in the reader's language, with its places `{name}` filled from `values`."""
    said = _words().gettext(sentence)
    return said.format(**values) if values else said


def where_text(trick: int, hand: int, newest: int) -> str:
    """A trick as a sentence names it, such as "trick 4"; with its hand where that is not the `newest` one."""
    if hand == newest:
        return text("trick {trick}", trick=trick)
    return text("hand {hand}, trick {trick}", hand=hand, trick=trick)


def in_each_language(say: Callable[[], str]) -> dict[str, str]:
    """What `say` says in each language, by code: for a program that shows the sentence to its own reader."""
    own = g.pop("words", None)
    found = {}
    for code in language_names():
        with force_locale(code):
            found[code] = say()
        g.pop("words", None)
    if own is not None:
        g.words = own
    return found


def signed(number: int) -> str:
    """A figure of chips or points with its sign: +5, −5, 0."""
    return f"+{number}" if number > 0 else f"−{-number}" if number < 0 else "0"


def ntext(one: str, many: str, count: int, /, **values: object) -> str:
    """As `text`, but with `one` or `many`, as `count` needs; `count` fills the place `{count}`."""
    said = _words().ngettext(one, many, count)
    return said.format(count=count, **values)
