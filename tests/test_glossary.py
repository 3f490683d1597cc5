"""Every sentence uses the words of `docs/glossary.md`: one translation for one term, and no banned word."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from catalogues import DOMAINS, ROOT, read, said

GLOSSARY = ROOT / "docs" / "glossary.md"

_HELD = "the cards that a player holds, or what he holds them with: a hand is else one deal"
_BY_HAND = "without the camera"
_KEY = "a key of the file format, as it is written there"
_OTHER_WORD = "another word that looks like it"
_SHORTER = "shorter without it"
# (term, how the English begins): why the Danish or the French has not the term's translation.
OTHERWISE: dict[tuple[str, str], str] = {
    **{
        ("hand", begun): _HELD
        for begun in (
            "{card} is not in", "a hand is laid open", "the hand was already laid open", "the open hand",
            "the hand is laid open", "plays before a vitamin", "{offence}; ", "Lay one card", "The open hand",
            "A hand without tarocks", "There are {count}", "Enter the open hand", "in my hand",
            "The hands at this point",
            "{player}'s open hand", "{name}: lay a card", "no hand was dealt", "{player} dealt the hand",
        )
    },
    **{("hand", begun): _BY_HAND for begun in ("Entered by hand", "entered by hand", "Enter the cards by hand")},
    ("trick", "{player} led the trick"): "who led is said without it",
    ("fool", "What is the fool called in Danish?"): "the answer must not stand in the question",
    ("misdeal", "unknown reason"): _KEY,
    ("pot", "where several have the most points"): "the next line names it",
    ("pot", "A name has 1 to 24 characters"): _KEY,
    ("chip", "an adjustment is a multiple"): _SHORTER,
    ("hand", "Only the host may do that"): _SHORTER,
    ("hand", "{player} sits this hand out"): _SHORTER,
    ("trick", "{player} led {card} of the suit called"): _SHORTER,
    ("trump", "{player} has the petit and no other trump"): "le petit sec",
    ("trump", "{player} was dealt the petit as the only trump"): "le petit sec",
    ("trump", "Not overtrumped"): "sous-couper",
    ("fool", "no suit is named"): _SHORTER,
    ("void", "If nobody is void"): _SHORTER,
    ("deck", "Choose the deck"): _SHORTER,
    ("camera", "Without the camera"): "à la main",
    ("camera", "Who sits at which edge"): _SHORTER,
    ("practice", "The page counts along"): _SHORTER,
    ("balance", "The chips do not balance"): _OTHER_WORD,
    ("club", "clubs"): _OTHER_WORD,
}  # fmt: skip
# (banned word, how the English begins): why it may be said there.
ALLOWED: dict[tuple[str, str], str] = {
    ("sheet", begun): "the account of points is a score sheet"
    for begun in (
        "On the score sheet",
        "Score sheet",
        "The total of a player who leaves",
        "The score sheet",
        "This game keeps",
        "A point on",
    )
}


@cache
def table(heading: str) -> list[list[str]]:
    """The rows below `heading`, without the head of the table."""
    part = GLOSSARY.read_text(encoding="utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    rows = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


@cache
def sentences(language: str) -> list[tuple[str, str]]:
    """Every sentence in English and in `language`; those with two numbers once for each."""
    found = []
    for domain in DOMAINS:
        for message in said(read(domain.file(language))).values():
            pair = (message.id, message.string)
            whole = [((one,) if isinstance(one, str) else tuple(one)) for one in pair]
            found += list(zip(*whole, strict=True))
    return found


def plain(sentence: str) -> str:
    """A sentence in small letters, without its places."""
    return re.sub(r"\{[^}]*\}", "…", sentence).lower()


def has_term(english: str, term: str) -> bool:
    """Whether a sentence has the noun `term`, in one number or the other."""
    return re.search(rf"\b{re.escape(term)}(s|es)?\b", plain(english)) is not None


def excused(table: dict[tuple[str, str], str], word: str, sentence: str) -> bool:
    return any(word == one and sentence.startswith(begun) for one, begun in table)


def words_of(cell: str) -> list[str]:
    return [word.strip().lower() for word in cell.split(",")]


def test_a_term_stands_once_in_the_glossary_and_has_a_meaning_and_its_translations() -> None:
    rows = table("Terms")
    assert len(rows) > 40 and len({row[0] for row in rows}) == len(rows)
    assert all(len(row) == 4 and all(row) for row in rows)


@pytest.mark.parametrize(("language", "column"), [("da", 2), ("fr", 3)])
@pytest.mark.parametrize("row", table("Terms"), ids=lambda row: row[0])
def test_a_sentence_with_a_term_has_its_translation(row: list[str], language: str, column: int) -> None:
    term, due = row[0], row[column]
    wrong = [
        (english, translated)
        for english, translated in sentences(language)
        if has_term(english, term)
        and not any(word in translated.lower() for word in words_of(due))
        and not excused(OTHERWISE, term, english)
    ]
    assert not wrong, f"{term} is {due}: say so, or say in OTHERWISE why not"


def banned() -> Iterator[tuple[str, str, str]]:
    for language, words, instead in table("Banned words"):
        for word in words.split(","):
            yield language, word.strip(), instead


@pytest.mark.parametrize(("language", "word", "instead"), [*banned()])
def test_a_banned_word_is_in_no_sentence(language: str, word: str, instead: str) -> None:
    exact = word.isupper() or "{" in word
    pattern = re.compile(rf"(?<![\w-]){re.escape(word)}(?![\w-])", 0 if exact else re.IGNORECASE)
    wrong = [
        pair
        for pair in sentences("da")
        if pattern.search(pair[language == "Danish"]) and not excused(ALLOWED, word, pair[0])
    ]
    assert not wrong, f"{word}: {instead}"


def test_an_exception_is_of_a_sentence_that_is_there() -> None:
    for (word, begun), why in {**OTHERWISE, **ALLOWED}.items():
        assert why and any(english.startswith(begun) for english, _ in sentences("da")), (word, begun)


def test_no_page_shows_a_command() -> None:
    """What is typed into a terminal stands in the guides; only the help for a firewall has one, for who runs Linux."""
    for path in (ROOT / "webui/templates").rglob("*.html"):
        assert "<code>tarok" not in path.read_text(encoding="utf-8"), path.name
