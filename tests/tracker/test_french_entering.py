"""What may be said next in a deal of French Tarot, and how it is said."""

import pytest
from french_table import NAMES, deal_of, played_out
from tracker_again import folded
from tracker_live import live, plays

from tracker.events import Event, EventRetracted, TrickUnseen
from tracker.french.audit import audit
from tracker.french.entering import (
    allowed_calls,
    may_be_laid_open,
    may_be_turned_up,
    may_reveal,
    may_show,
    next_step,
    shown_cards_next,
    takes_the_dog,
)
from tracker.french.events import CardsAwarded, ContractNamed, HandfulShown, LaidFaceDown, LaidFaceUp, Redealt
from tracker.french.game import FRENCH
from tracker.french.pack import CALLABLE
from tracker.french.session import FrenchSession
from tracker.french.telling import partner_text
from tracker.french.words import WORDS
from tracker.session_file import cardless, export


@pytest.mark.parametrize(
    ("text", "players", "called"),
    [
        ("bid Erik pass", 5, ()),  # there is no contract yet
        ("contract garde Anna", 5, CALLABLE),
        ("contract garde Anna", 4, ()),  # four play without a partner
    ],
)
def test_a_card_is_called_by_five_once_the_contract_is_known(text: str, players: int, called: object) -> None:
    assert allowed_calls(deal_of(text, players=players)) == called


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("contract prise Anna", True),
        ("contract garde Anna", True),
        ("contract garde_sans Anna", False),
        ("bid Anna pass", False),
    ],
)
def test_the_dog_is_taken_in_prise_and_garde_alone(text: str, taken: bool) -> None:
    assert takes_the_dog(deal_of(text)) is taken


def test_a_contract_is_said_by_its_name() -> None:
    assert (
        WORDS.said("contract", "garde_sans", "en") == WORDS.contract_name("garde_sans", "en") != "garde_sans"
    )


GARDE = "contract garde Anna"
DOG = "dog S6 S5 SV H9 C8 D10"
TEN_TRUMPS = "T20 T19 T18 T17 T16 T15 T14 T13 T12 T11"
TEN = f"handful Anna {TEN_TRUMPS}"


@pytest.mark.parametrize(
    ("text", "players", "step"),
    [
        ("bid Anna pass", 4, "bid"),
        (GARDE, 4, "play"),
        (GARDE, 5, "call"),
        (f"{GARDE}\ncall HR", 5, "play"),
        ("bid Anna pass\nbid Bo pass\nbid Carl pass\nbid Dora pass", 4, "over"),
        (f"{GARDE}\nAnna S1\nannul the cards were seen", 4, "over"),
    ],
)
def test_what_is_entered_next(text: str, players: int, step: str) -> None:
    assert next_step(deal_of(text, players=players, dealer=NAMES[players - 1])) == step


@pytest.mark.parametrize(
    ("text", "kind", "count"),
    [
        ("bid Anna pass", None, 0),
        (GARDE, "talon", 6),
        (f"{GARDE}\n{DOG}", "discard", 6),
        (f"{GARDE}\n{DOG}\ndiscard T5", None, 0),
        (f"{GARDE}\ndiscard T5", None, 0),
        (f"{GARDE}\nAnna S1", None, 0),
        (f"{GARDE}\n{TEN}", None, 0),
        ("contract garde_sans Anna", None, 0),
    ],
)
def test_the_camera_awaits_the_dog_and_then_trumps_laid_face_up(
    text: str, kind: str | None, count: int
) -> None:
    shown = shown_cards_next(deal_of(text))
    assert (shown.kind, shown.count) == (kind, count) if shown is not None else kind is None


def test_trumps_alone_are_laid_face_up_and_no_bout() -> None:
    assert set(may_be_laid_open(deal_of(GARDE))) == {f"T{number}" for number in range(2, 21)}
    assert may_be_laid_open(deal_of("contract garde_sans Anna")) == []


@pytest.mark.parametrize(
    ("before", "laid", "complaint"),
    [
        ([], "S1 S2 S3 S4 S5 S6", None),
        ([], "S1 S2 S3 S4 S5", "6 cards are laid for the dog"),
        ([], "S1 S2 S3 S4 S5 S5", "each card is named once"),
        ([LaidFaceUp(("T5",))], "S1 S2 S3 S4 S5", None),
        ([LaidFaceUp(("T5",))], "S1 S2 S3 S4 S5 S6", "6 cards are laid for the dog"),
        ([LaidFaceUp(("T5",))], "S1 S2 S3 S4 T5", "T5 was laid face up"),
    ],
)
def test_the_taker_lays_as_many_cards_as_the_dog_has(
    before: list[Event], laid: str, complaint: str | None
) -> None:
    laid_down = LaidFaceDown("Anna", tuple(laid.split()))
    session = live(ContractNamed("garde", "Anna"), *before, laid_down, rules="french-tarot")
    assert [str(alert.reason) for alert in session.alerts] == ([] if complaint is None else [complaint])
    assert bool(session.hands[0].dog.laid_unseen) == (complaint is None)


def test_of_the_cards_not_seen_yet_is_the_dog() -> None:
    cards = may_be_turned_up(deal_of(f"{GARDE}\nAnna S1  Bo S2"))
    assert len(cards) == 76 and not {"S1", "S2"} & set(cards)


def test_each_player_may_show_one_handful_once_the_contract_is_known() -> None:
    assert may_show(deal_of("bid Anna pass")) == []
    assert may_show(deal_of(GARDE)) == ["Anna", "Bo", "Carl", "Dora"]
    assert may_show(deal_of(f"{GARDE}\n{TEN}")) == ["Bo", "Carl", "Dora"]
    assert may_show(deal_of(f"{GARDE}\nannul the cards were seen")) == []


def test_a_handful_is_awaited_from_the_taker_and_from_whose_turn_it_is_until_his_second_card() -> None:
    def awaited(text: str) -> dict[str, tuple[list[int], bool]]:
        return {one.player: (sorted(one.counts), one.now) for one in may_reveal(deal_of(text))}

    sizes = [10, 13, 15]
    assert awaited("bid Anna pass") == {}
    assert awaited("contract garde Carl") == {
        "Anna": (sizes, True), "Bo": (sizes, False), "Carl": (sizes, True), "Dora": (sizes, False),
    }  # fmt: skip
    # Anna denied trumps, so she has too few left; Bo has shown his.
    shown = f"contract garde Carl\nAnna S1\nhandful Bo {TEN_TRUMPS}\nBo S2  Carl SR  Dora S3\nCarl T1  Dora T2  Anna S4"
    assert awaited(shown) == {"Anna": ([], True), "Bo": ([], True), "Carl": ([], True), "Dora": ([], True)}
    trumps = next(
        one.among for one in may_reveal(deal_of(f"{GARDE}\n{DOG}\ndiscard T5")) if one.player == "Anna"
    )
    assert "T5" in trumps and "F" in trumps and "S1" not in trumps


def test_a_handful_entered_late_stands_before_his_first_card_if_it_was_shown_in_time() -> None:
    three = plays("Anna T20  Bo T1  Carl T2")
    session = live(ContractNamed("garde", "Anna"), *three, rules="french-tarot")
    hand = session.hands[0]
    ten, other = tuple(TEN_TRUMPS.split()), tuple(f"T{number}" for number in range(20, 8, -1) if number != 10)
    # Shown now it comes at another time; entered again it takes the place of what was entered before.
    for shown, fault in (
        (HandfulShown("Anna", ten), "other_time"),
        (HandfulShown("Anna", ten, in_time=True), None),
        (HandfulShown("Anna", (*other[:9], "T10"), in_time=True), None),
        (HandfulShown("Anna", ten), "other_time"),
    ):
        session.apply(shown)
        hand = session.hands[0]
        assert not session.alerts and [one.cards for one in hand.handfuls] == [shown.cards]
        assert hand.fault_of(hand.handfuls[0]) == fault and len(hand.plays) == 3


@pytest.mark.parametrize("redeal", [Redealt("misdeal"), Redealt("petit_sec", player="Bo")])
def test_a_handful_of_five_shown_before_the_call_is_void_with_its_deal(redeal: Redealt) -> None:
    """Nobody says any more what was called, and a file has no handful before that."""
    ten = HandfulShown("Anna", tuple(TEN_TRUMPS.split()))
    session = live(ContractNamed("garde", "Anna"), ten, redeal, rules="french-tarot", seats=NAMES)
    assert not session.alerts and not session.hands[0].handfuls
    file = export(session.record, FrenchSession)
    assert [next(iter(item)) for item in file["hands"][0]["events"]] == ["contract", "redeal"]
    assert audit(folded(file)) == audit(session)
    session.apply(EventRetracted(session.record[-1].seq))
    assert [one.cards for one in session.hands[0].handfuls] == [ten.cards]


@pytest.mark.parametrize("shown", [TrickUnseen("Anna"), HandfulShown("Anna", tuple(TEN_TRUMPS.split()))])
def test_what_a_file_leaves_out_because_no_contract_was_entered_is_told(shown: Event) -> None:
    session = live(rules="french-tarot")
    assert cardless(session) == []
    session.apply(shown)
    (lacks,) = cardless(session)
    assert "lacks its contract" in str(lacks)


def test_cards_of_a_deal_that_nobody_saw_are_awarded_without_a_score() -> None:
    unseen = [TrickUnseen("Anna")] * 18
    award = CardsAwarded(("S1",), "defence", "renonce")
    session = live(ContractNamed("garde", "Anna"), *unseen, award, rules="french-tarot")
    assert not session.alerts and session.hands[0].complete and session.hands[0].scores == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (GARDE, ""),
        (f"{GARDE}\ncall HR\nAnna S1", ""),
        (f"{GARDE}\ncall HR\nAnna H1  Bo HR", "Bo is the partner, with the king of hearts"),
        (f"{GARDE}\ncall HR\nAnna HR", "Anna is alone against four"),
        (f"{GARDE}\ncall HR\ndog HR S1 S2", "Anna is alone against four"),
        (f"{GARDE}\ncall HR\ndog SR S1 S2", ""),
        (f"{GARDE}\ncall HR\n{played_out({}, 'HR S1 S2', players=5)}", "Anna is alone against four"),
        (f"{GARDE}\ncall HR\n" + "unseen Anna\n" * 15, ""),
    ],
)
def test_the_partner_is_told_once_the_called_card_is_seen(text: str, said: str) -> None:
    assert partner_text(deal_of(text, players=5, dealer="Erik"), "en") == said


def test_who_calls_a_queen_has_all_four_kings() -> None:
    for call, others in (("HR", True), ("HD", False)):
        chances = FRENCH.study(deal_of(f"{GARDE}\ncall {call}\nAnna S1", players=5, dealer="Erik")).chances  # type: ignore[misc]
        assert bool(chances["SR"]["Bo"]) is others and chances["SR"]["Anna"] > 0
