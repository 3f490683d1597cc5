"""Everything the tracker says in words, in Danish (`"da"`) and English (`"en"`)."""

from collections.abc import Sequence
from typing import Final

from tracker.danish.combination import Combination
from tracker.danish.findings import DanishFinding
from tracker.danish.pack import INDEX
from tracker.errors import Reason
from tracker.findings import Alert
from tracker.ledger import Payment

LANGUAGES: Final = ("da", "en")

_SUITS: Final = {
    "da": {"S": "spar", "H": "hjerter", "D": "ruder", "C": "klør", "T": "tarok"},
    "en": {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "T": "trumps"},
}
_RANKS: Final = {
    "da": {"R": "konge", "D": "dame", "C": "kaval", "V": "knægt"},
    "en": {"R": "king", "D": "queen", "C": "knight", "V": "jack"},
}
_GRADES: Final = {
    "da": {"half": "halve", "full": "fulde", "abundant": "sprøjtefulde"},
    "en": {"half": "half", "full": "full", "abundant": "abundant"},
}
_POTS: Final = {
    "da": {"king": "kongekoppen", "pagat": "pagatkoppen"},
    "en": {"king": "the king pot", "pagat": "the pagat pot"},
}
_CATEGORIES: Final = {
    "da": {
        "superficial": "bagatel, ingen bod",
        "minor": "mindre fejl",
        "major": "større fejl",
        "misdeclaration": "forkert melding",
        "irrecoverable": "uoprettelig fejl",
    },
    "en": {
        "superficial": "superficial, no fine",
        "minor": "minor",
        "major": "major",
        "misdeclaration": "misdeclaration",
        "irrecoverable": "irrecoverable",
    },
}


def suit_name(suit: str, language: str = "en") -> str:
    """A suit in words: spades, trumps; spar, tarok."""
    return _SUITS[language][suit]


def card_name(card: str, language: str = "en") -> str:
    """A card in words: "the queen of hearts", "the 3 of trumps", "the fool"; "hjerter dame", "tarok 3"."""
    suit, rank = card[0], card[1:]
    if language == "da":
        if card == "F":
            return "skusen"
        if card == "T1":
            return "pagaten"
        return f"{_SUITS['da'][suit]} {_RANKS['da'].get(rank, rank)}"
    if card == "F":
        return "the fool"
    if card == "T1":
        return "the pagat"
    return f"the {_RANKS['en'].get(rank, rank)} of {_SUITS['en'][suit]}"


def pot_name(pot: str, language: str = "en") -> str:
    """A pot in words, or the name itself if it is a player's."""
    return _POTS[language].get(pot, pot)


def category_text(category: str, language: str = "en") -> str:
    """A category of irregularities in words."""
    return _CATEGORIES[language][category]


def combination_text(combination: Combination, language: str = "en") -> str:
    """A declared combination as it is said at the table: "11 trumps with the pagat", "halve ruder, …"."""
    da = language == "da"
    kind, count = combination.kind, combination.count
    if kind == "trumps":
        pagat = combination.pagat
        if da:
            return f"{count} tarokker {'med' if pagat else 'uden'} pagaten"
        return f"{count} trumps {'with' if pagat else 'without'} the pagat"
    if kind == "matadors":
        return f"{count} matadorer" if da else f"{count} matadors"
    grade = _GRADES[language][combination.grade or "half"]
    missing = combination.missing
    if kind == "kings":
        text = f"{grade} konger" if da else f"{grade} kings"
        lacking = _SUITS[language][missing] if missing else ""
    else:
        text = f"{grade} {_SUITS[language][combination.suit or 'S']}"
        lacking = _RANKS[language][missing] if missing else ""
    if not missing:
        return text
    return f"{text}, mangler {lacking}" if da else f"{text}, no {lacking}"


# {source} pays {target}; {card} and {combination} where the payment has one; {trick} where it has one.
_PAYMENTS: Final = {
    "da": {
        "foundation": "{source} funderer {target}",
        "deal": "{source} giver kort og betaler til {target}",
        "declaration": "{target} meldte {combination}: {source} betaler",
        "king_lost": "{source} mistede {card} i stik {trick}: til {target}",
        "pagat_lost": "{source} mistede pagaten i stik {trick}: til {target}",
        "pagat_won": "{target} fik pagaten hjem i stik {trick}: {source} betaler",
        "tout": "{target} gjorde tout: {source} betaler",
        "tout_pot": "{target} gjorde tout og tømmer {source}",
        "nolo": "{target} vandt nolo: {source} betaler",
        "pagat_ultimo": "{target} ultimerede med pagaten: {source} betaler",
        "king_ultimo": "{target} ultimerede med {card}: {source} betaler",
        "ultimo_pot": "{target} ultimerede og tømmer {source}",
        "pagat_bagud": "{source} gik bagud på pagaten: til {target}",
        "king_bagud": "{source} gik bagud på {card}: til {target}",
        "bagud_pot": "{source} gik bagud på {card} og fordobler {target}",
        "failed_tout": "{source} meldte tout og gjorde den ikke: til {target}",
        "failed_tout_pot": "{source} meldte tout og gjorde den ikke: fordobler {target}",
        "last_trick": "{target} fik sidste stik: {source} betaler",
        "count": "tælling: {source} betaler {target}",
        "fine": "bod: {source} betaler til {target}",
        "declaration_returned": "{source} betaler {target} tilbage for meldingen {combination}",
        "adjustment": "regulering: {source} giver {target} ({note})",
        "join": "{source} kommer med i spillet og lægger i {target}",
        "leave": "{target} går og får sin del af {source}",
        "close": "{target} får sin del af {source}",
    },
    "en": {
        "foundation": "{source} found[s] {target}",
        "deal": "{source} deals and pays {target}",
        "declaration": "{target} declared {combination}: {source} pay[s]",
        "king_lost": "{source} lost {card} in trick {trick}: to {target}",
        "pagat_lost": "{source} lost the pagat in trick {trick}: to {target}",
        "pagat_won": "{target} brought the pagat home in trick {trick}: {source} pay[s]",
        "tout": "{target} made a Tout: {source} pay[s]",
        "tout_pot": "{target} made a Tout and takes {source}",
        "nolo": "{target} made a nolo: {source} pay[s]",
        "pagat_ultimo": "{target} won ultimo with the pagat: {source} pay[s]",
        "king_ultimo": "{target} won ultimo with {card}: {source} pay[s]",
        "ultimo_pot": "{target} won ultimo and takes {source}",
        "pagat_bagud": "{source} went bagud with the pagat: to {target}",
        "king_bagud": "{source} went bagud with {card}: to {target}",
        "bagud_pot": "{source} went bagud with {card} and doubles {target}",
        "failed_tout": "{source} announced a Tout and failed: to {target}",
        "failed_tout_pot": "{source} announced a Tout and failed: doubles {target}",
        "last_trick": "{target} won the last trick: {source} pay[s]",
        "count": "count: {source} pays {target}",
        "fine": "fine: {source} pays {target}",
        "declaration_returned": "{source} pays {target} back for declaring {combination}",
        "adjustment": "adjustment: {source} gives {target} ({note})",
        "join": "{source} joins the game and adds to {target}",
        "leave": "{target} leaves and gets a share of {source}",
        "close": "{target} get[s] a share of {source}",
    },
}


def payment_text(payment: Payment, language: str = "en") -> str:
    """A payment's reason in words, without its amount."""
    return payments_text([payment], language)


def payments_text(alike: Sequence[Payment], language: str = "en") -> str:
    """The reason in words of payments that differ only in who pays, or only in who receives."""
    payment = alike[0]
    sources = list(dict.fromkeys(pot_name(item.source, language) for item in alike))
    targets = list(dict.fromkeys(pot_name(item.target, language) for item in alike))
    subjects = targets if payment.reason == "close" else sources
    template = _PAYMENTS[language][payment.reason].replace("[s]", "" if len(subjects) > 1 else "s")
    text = template.format(
        source=_listed(sources, language),
        target=_listed(targets, language),
        card=card_name(payment.card, language) if payment.card else "",
        combination=combination_text(payment.combination, language)
        if isinstance(payment.combination, Combination)
        else "",
        trick=payment.trick,
        note=payment.note,
    )
    if payment.fined_in is None:
        return text
    return text + (" (for hånd {})" if language == "da" else " (for hand {})").format(payment.fined_in)


def _listed(words: list[str], language: str) -> str:
    conjunction = " og " if language == "da" else " and "
    return conjunction.join(filter(None, (", ".join(words[:-1]), words[-1]))) if words else ""


def _revoke_text(finding: DanishFinding, language: str) -> str:
    if finding.status == "corrected":
        return _corrected_text(finding, language)
    da = language == "da"
    in_trick = "i stik" if da else "in trick"
    card = card_name(finding.card or "F", language)
    suit = suit_name(finding.suit or "S", language)
    play = f"{card} {'til' if da else 'to'} {suit} {in_trick} {finding.trick}"
    shown = [
        f"{card_name(evidence, language)} {in_trick} {trick}"
        for evidence, trick in zip(finding.evidence, finding.evidence_tricks, strict=True)
    ]
    said = f"Kulørsvigt: {finding.player} spillede " if da else f"Revoke: {finding.player} played "
    if finding.status != "proved" or finding.known_at is None:
        return said + _listed([play, *shown], language) + "."
    known = finding.known_at[0]
    said += play
    said += (
        f"; i stik {known} var der for få andre kort tilbage til resten af hånden"
        if da
        else f"; by trick {known} too few other cards were left to make up the rest of the hand"
    )
    if shown:
        said += (", og senere faldt " if da else ", and later came ") + _listed(shown, language)
    return said + "."


def _corrected_text(finding: DanishFinding, language: str) -> str:
    card = card_name(finding.card or "F", language)
    suit = suit_name(finding.suit or "S", language)
    then = card_name(finding.evidence[0], language)
    if language == "da":
        return (
            f"Kulørsvigt rettet straks: {finding.player} spillede {card} til {suit} i stik {finding.trick}, "
            f"dernæst {then}."
        )
    return (
        f"Revoke put right at once: {finding.player} played {card} to {suit} in trick {finding.trick}, "
        f"then {then}."
    )


_FINDINGS: Final = {
    "da": {
        "fool_second_to_last": "{player} spillede skusen til næstsidste stik.",
        "fool_call_refused": "Skusen blev forlangt i stik 23; {player} spillede den først i stik {known}.",
        "fool_call_wrong": "{player} forlangte skusen i stik 23, men den var allerede spillet.",
        "fool_called_by_holder": "{player} forlangte skusen i stik 23 og havde den selv.",
        "fool_not_named": "{player} spillede skusen ud i stik {trick} uden at nævne en farve.",
        "lead_out_of_turn": "{player} spillede {card} ud i stik {trick} uden at være inde.",
        "play_out_of_turn": "{player} lagde {card} i stik {trick} uden for tur.",
        "play_stopped": (
            "{player} lagde {card} i stik {trick} uden for tur; udspilleren kan forlange spillet standset."
        ),
        "fool_discarded": "{player} lagde skusen i skaten uden at melde tout.",
        "bad_discard": "{player} lagde {cards} i skaten, og det er ikke tilladt ({rule}).",
        "declaration_missing": "{player} meldte ikke {owed}, og det var pligtigt.",
        "declaration_false": "{player} meldte {made}{instead}.",
        "instead": "; hånden gav {owed}",
        "without": "; det havde hånden ikke",
    },
    "en": {
        "fool_second_to_last": "{player} played the fool to the second-to-last trick.",
        "fool_call_refused": "The fool was called in trick 23, but {player} kept it until trick {known}.",
        "fool_call_wrong": "{player} called for the fool in trick 23, but it had been played.",
        "fool_called_by_holder": "{player} called for the fool in trick 23 and held it.",
        "fool_not_named": "{player} led the fool to trick {trick} and named no suit.",
        "lead_out_of_turn": "{player} led {card} to trick {trick} out of turn.",
        "play_out_of_turn": "{player} played {card} to trick {trick} out of turn.",
        "play_stopped": (
            "{player} played {card} to trick {trick} out of turn; the leader may have the play stopped."
        ),
        "fool_discarded": "{player} laid the fool in the skat without announcing a Tout.",
        "bad_discard": "{player} laid {cards} in the skat, which may not be laid ({rule}).",
        "declaration_missing": "{player} did not declare {owed}, which was owed.",
        "declaration_false": "{player} declared {made}{instead}.",
        "instead": "; the hand held {owed}",
        "without": "; the hand did not hold it",
    },
}


def finding_text(finding: DanishFinding, language: str = "en") -> str:
    """A finding with its proof, one sentence."""
    if finding.kind == "revoke":
        return _revoke_text(finding, language)
    if finding.kind == "contradiction":
        return _contradiction_text(finding, language)
    words = _FINDINGS[language]
    owed = combination_text(finding.owed, language) if finding.owed else ""
    kind = finding.kind
    if kind == "fool_call_wrong" and finding.evidence:
        kind = "fool_called_by_holder"
    if kind == "play_out_of_turn" and finding.category == "irrecoverable":
        kind = "play_stopped"
    return words[kind].format(
        player=finding.player,
        trick=finding.trick,
        rule=finding.rule,
        card=card_name(finding.card, language) if finding.card else "",
        cards=_listed([card_name(card, language) for card in finding.evidence], language),
        known=finding.known_at[0] if finding.known_at else "",
        owed=owed,
        made=combination_text(finding.made, language) if finding.made else "",
        instead=(words["instead"].format(owed=owed) if owed else words["without"]),
    )


def _contradiction_text(finding: DanishFinding, language: str) -> str:
    da = language == "da"
    plays = _listed(
        [
            f"{card_name(card, language)} ({'stik' if da else 'trick'} {trick})"
            for card, trick in zip(finding.evidence, finding.tricks, strict=True)
        ],
        language,
    )
    who = (" eller " if da else " or ").join(finding.suspects)
    if len(finding.suspects) == 1:
        if da:
            return (
                f"{who} har svigtet kulør: {plays} kan ikke alle have været rigtige; hvilket stik, er åbent."
            )
        return f"{who} revoked: {plays} cannot all have been right; which trick is still open."
    if da:
        return f"{who} har svigtet kulør, eller skaten er ulovlig: {plays} kan ikke alle have været rigtige."
    return f"{who} revoked, or the skat is illegal: {plays} cannot all have been right."


_ALERTS: Final = {
    "da": {
        "too_many_cards": "{player} har allerede et kort i stikket; er {card} læst rigtigt?",
        "card_seen_twice": "{card} er allerede set; er kortet læst rigtigt?",
        "hand_is_over": "{card} hører ikke til noget stik: alle 25 i hånden er spillet.",
        "skat_played": "Et af skattens kort er allerede spillet; er alle tre rigtige?",
        "trick_taken_by_wrong_player": "{player} tog stikket, men det er vundet af {expected}.",
        "trick_taken_early": "{player} tog stikket, før det var færdigt; mangler der et kort?",
        "impossible_event": "Kan ikke passe: {message}.",
        "fault": "Noget gik galt i programmet her, så dette tælles ikke med; hvad skete der ved bordet?",
    },
    "en": {
        "too_many_cards": "{player} already has a card in the trick; was {card} read right?",
        "card_seen_twice": "{card} was seen before; was the card read right?",
        "hand_is_over": "{card} belongs to no trick: all 25 of this hand are played.",
        "skat_played": "A card of this skat was already played; are all three right?",
        "trick_taken_by_wrong_player": "{player} took the trick, but {expected} won it.",
        "trick_taken_early": "{player} took the trick before it was complete; is a card missing?",
        "impossible_event": "That cannot be: {message}.",
        "fault": "Something went wrong in the program here, so this is not counted; what happened at the table?",
    },
}


DANISH_REASONS: Final = {
    # a hand
    "the hand is over": "hånden er slut",
    "the hand is already over": "hånden er allerede slut",
    "the hand was abandoned": "hånden blev afbrudt",
    "no hand is under way": "ingen hånd er i gang",
    "no hand was dealt": "der er ikke givet en hånd",
    "{player} is not seated": "{player} sidder ikke ved bordet",
    "{player} is not seated and cannot deal": "{player} sidder ikke ved bordet og kan ikke give",
    "{player} sits this hand out": "{player} sidder over i denne hånd",
    "{player} does not play this hand": "{player} spiller ikke med i denne hånd",
    "unknown reason {why!r}: misdeal or no_trumps": "»{why}« er ingen grund til at give om",
    "a hand cannot be dealt again after the opening lead": "der kan ikke gives om efter første udspil",
    # cards
    "unknown card {card!r}": "»{card}« er ikke et kort",
    "{card} cannot be played: all {tricks} tricks are": "{card} kan ikke spilles: alle {tricks} stik er spillet",
    "{card} cannot be played: the hand was abandoned": "{card} kan ikke spilles: hånden blev afbrudt",
    "{card} was already played in trick {trick}": "{card} er allerede spillet i stik {trick}",
    "{card} lies in the skat": "{card} ligger i skatten",
    "{player} already has a card in trick {trick}": "{player} har allerede et kort i stik {trick}",
    "{count} plays cannot be taken back": "{count} kort kan ikke tages tilbage",
    "{count} plays cannot be taken back: only {standing} stand": (
        "{count} kort kan ikke tages tilbage: der er kun spillet {standing}"
    ),
    "the skat is three different cards": "skatten er tre forskellige kort",
    "the skat was already shown": "skatten er allerede vist",
    # the fool and the Tout
    "unknown suit {suit!r}": "»{suit}« er ikke en farve",
    "only a fool that is led is named, not {card}": "kun skusen får navn, og kun når den spilles ud, ikke {card}",
    "{player} cannot name the fool: none was led to this trick": (
        "{player} kan ikke nævne skusen: den er ikke spillet ud i dette stik"
    ),
    "{player} cannot call for the fool: only in trick 23": "{player} kan kun forlange skusen i stik 23",
    "{player} cannot announce a Tout: only the dealer, {dealer}, can": (
        "{player} kan ikke melde tout: det kan kun kortgiveren, {dealer}"
    ),
    "a Tout is announced before the opening lead": "en tout meldes før første udspil",
    # declarations and fines
    "{player} cannot declare after the opening lead": "{player} kan ikke melde efter første udspil",
    "{slot} is declared twice": "{slot} er meldt to gange",
    "unknown kind of combination {what!r}": "»{what}« er ingen melding",
    "{slot} takes no {field!r} here": "{slot} kan ikke meldes med »{field}«",
    "{slot} needs {field!r}": "{slot} kan ikke meldes uden »{field}«",
    "{slot} are {least} to 22, not {count}": "{slot} er {least} til 22, ikke {count}",
    "grade must be {allowed}, not {value!r}": "»{value}« er ikke halve, fulde eller sprøjtefulde",
    "suit must be one of {allowed}, not {value!r}": "»{value}« er ikke en farve",
    "missing must be one of {allowed}, not {value!r}": "»{value}« kan ikke mangle i den melding",
    "unknown category {category!r}": "»{category}« er ingen slags fejl",
    "a {category} fine pays no declarations back": "kun bøden for en forkert melding betaler meldinger tilbage",
    "{player} did not declare {slot} like this": "{player} har ikke meldt {slot} sådan",
    # the evening
    "an evening is open already": "en aften er allerede åben",
    "no evening is open": "ingen aften er åben",
    "the session is closed": "aftenen er gjort op",
    "the session was already opened": "aftenen er allerede åbnet",
    "{rules} is for 3 to {most} players, not {count}": "{rules} er for 3 til {most} spillere, ikke {count}",
    "a player needs a name": "en spiller skal have et navn",
    "a player cannot be called {player!r}: that is a pot": "en spiller kan ikke hedde »{player}«: det er en kop",
    "{player} is seated twice": "{player} sidder der to gange",
    "{player} cannot join or leave during a hand": "{player} kan ikke komme til eller gå midt i en hånd",
    "{player} cannot leave: three or more must stay": "{player} kan ikke gå: tre eller flere skal blive",
    "{who} joined or left after the last hand: deal the next one first": (
        "{who} kom eller gik efter den sidste hånd: giv først den næste"
    ),
    "there is no seat {place}": "der er ingen plads {place}",
    # corrections
    "there is no event {number} to undo": "der er ingen hændelse {number} at fortryde",
    "there is no play {number} to correct": "der er intet spillet kort {number} at rette",
    "there is no play {number} to remove": "der er intet spillet kort {number} at fjerne",
    "there is no event {number} to insert a play before": (
        "der er ingen hændelse {number} at indsætte et kort før"
    ),
    "event {number} is no hand whose dealer could be another": (
        "hændelse {number} er ingen hånd, som en anden kunne have givet"
    ),
    "chips go from one to another, not from {player} to {player}": (
        "jetoner går fra den ene til den anden, ikke fra {player} til {player}"
    ),
    "an adjustment is a multiple of 5 chips from 5 to {most}, not {amount}": (
        "en regulering er et antal jetoner, som 5 går op i, fra 5 til {most}, ikke {amount}"
    ),
    "{pot} holds {content} chips, not {amount}": "i {pot} ligger {content} jetoner, ikke {amount}",
    "an adjustment needs a reason in words": "en regulering skal have en begrundelse i ord",
    "there is no hand {number} to fine {player} in": "der er ingen hånd {number} at give {player} bøde i",
    "the record does not begin with the opening of a session": (
        "optegnelsen begynder ikke med, at en aften åbnes"
    ),
}
"""Every reason why something cannot be, by its English sentence; what stands in its places is said too."""


def reason_text(reason: Reason, language: str = "en") -> str:
    """A reason in words, cards and declarations by their names."""
    sentence = reason.sentence
    if language == "da":
        sentence = DANISH_REASONS.get(sentence, sentence)
    if not reason.values:
        return sentence
    return sentence.format(**{name: _said(name, value, language) for name, value in reason.values})


def _said(name: str, value: object, language: str) -> object:
    if name in ("pot", "player"):
        return pot_name(str(value), language)
    if name == "card" and value in INDEX:
        return card_name(str(value), language)
    if name == "slot" and language == "da":
        kind, _, suit = str(value).partition(" ")
        return f"{_SLOTS[kind]} i {_SUITS['da'][suit]}" if suit else _SLOTS[kind]
    return value


_SLOTS: Final = {"trumps": "tarokker", "matadors": "matadorer", "cavallerie": "billeder", "kings": "konger"}


def alert_text(alert: Alert, language: str = "en") -> str:
    """An alert as a question or a statement to the table."""
    text = _ALERTS[language][alert.kind].format(
        player=alert.player,
        card=card_name(alert.card, language) if alert.card and alert.card in INDEX else alert.card,
        expected=alert.expected,
        message=alert.reason.text(language) if alert.reason else "",
    )
    return text[0].upper() + text[1:]
