"""The sixteen courts and the fool of the drawn deck, each drawn as a half figure of 610 x 560 card units.

The king has a crown, a beard and an ermine cape. The queen has a fan collar and a flower. The knight is in armour,
behind his horse's head. The knave has a feathered cap and a halberd. The fool plays a lute.
"""

from dataclasses import dataclass

from vision.lab.rendering.drawn.glyphs import (
    BLUE,
    BROWN,
    CREAM,
    GOLD,
    GREEN,
    INK,
    IVORY,
    RED,
    SKIN,
    SKY,
    disc,
    mirrored,
    moved,
    shape,
    stroke,
    suit_sign,
)

_AXIS = 305  # the middle of the card
_RUSSET = "#a5582a"
_BLOND = "#c98f3c"
_STEEL = "#c9d3d9"


@dataclass(frozen=True, slots=True)
class _Dress:
    """The colours of one suit's courts."""

    main: str
    second: str
    third: str
    hair: str
    horse: str
    mane: str


_DRESS = {
    "S": _Dress(BLUE, GOLD, RED, INK, IVORY, SKY),
    "H": _Dress(RED, BLUE, GOLD, BROWN, BROWN, INK),
    "D": _Dress(GOLD, RED, GREEN, _RUSSET, GOLD, IVORY),
    "C": _Dress(GREEN, RED, GOLD, _BLOND, INK, BROWN),
}
# A cross-shaped window: narrow between the indices, and as wide as the card allows between its ends.
WINDOW = "M124 34H486V238H580V882H486V1086H124V882H30V238H124Z"
_INNER_WINDOW = "M133 43H477V247H571V873H477V1077H133V873H39V247H133Z"
_DIAPER = "#e5d2a6"


def court(suit: str, rank: str) -> str:
    """The picture of a court card with its frame, without indices: suit S, H, D or C, rank V, C, D or R."""
    figure = {"V": _knave, "C": _knight, "D": _queen, "R": _king}[rank]
    dress = _DRESS[suit]
    half = figure(suit, dress)
    if suit in "HD":  # the red courts look the other way
        half = f'<g transform="translate({2 * _AXIS} 0) scale(-1 1)">{half}</g>'
    return _double_figure(half, dress.second if rank in "VD" else dress.main, suit)


def fool() -> str:
    """The picture of the fool with its frame, without indices."""
    return _double_figure(_jester(), RED, "*")


def _double_figure(half: str, belt_ground: str, sign: str) -> str:
    """Both halves of a figure in the window, divided by a belt of suit signs."""
    diaper = "".join(
        suit_sign(sign, x, y, 20, _DIAPER, upside_down=y > 560)
        for row, y in enumerate(range(60, 1080, 50))
        for x in range(55 + row % 2 * 25, 571, 50)
    )
    belt = "".join(
        suit_sign(sign, _AXIS + side * (33 + 66 * k), 560, 26, IVORY, upside_down=side > 0)
        for side in (-1, 1)
        for k in range(4)
    )
    return (
        f'<clipPath id="window"><path d="{_INNER_WINDOW}"/></clipPath><clipPath id="half">'
        f'<rect width="610" height="560"/></clipPath><g clip-path="url(#window)">'
        f'<path d="{_INNER_WINDOW}" fill="{CREAM}"/>{diaper}'
        f'<g clip-path="url(#half)">{half}</g>'
        f'<g transform="rotate(180 305 560)"><g clip-path="url(#half)">{half}</g></g>'
        f'<rect x="20" y="538" width="570" height="44" fill="{belt_ground}" stroke="{INK}" stroke-width="4"/>'
        f"{stroke('M20 545H590M20 575H590', 2.5, GOLD)}{belt}</g>"
        + shape(_INNER_WINDOW, "none", 4)
        + shape(WINDOW, "none", 3.5, GOLD)
    )


def _eyes(gaze: float) -> str:
    eye = shape("M262 180C270 168 288 168 294 181C286 189 270 189 262 180Z", IVORY, 3)
    brow = stroke("M257 164C266 153 284 152 294 160", 5)
    pupils = disc(279 + gaze, 180, 6, INK, 0) + disc(331 + gaze, 180, 6, INK, 0)
    return mirrored(eye + brow, _AXIS) + pupils


def _face(gaze: float = 0, *, lips: str = RED) -> str:
    """A face seen from the front, its chin at y = 268."""
    head = shape(
        "M246 130C244 170 244 205 256 230C268 254 288 268 305 268C322 268 342 254 354 230"
        "C366 205 366 170 364 130Z",
        SKIN,
    )
    cheeks = mirrored(disc(266, 213, 12, RED, 0).replace("/>", ' opacity=".22"/>'), _AXIS)
    nose = stroke("M299 168C298 190 294 203 290 212C295 219 306 220 312 216", 3.5)
    mouth = shape(
        "M285 238C292 233 300 233 305 236C310 233 318 233 325 238C318 247 292 247 285 238Z", lips, 2.5
    )
    return head + cheeks + _eyes(gaze) + nose + mouth


def _fist(x: float, y: float, cuff: str, *, turn: float = 0) -> str:
    """A hand closed around an upright staff at (x, y), its cuff below."""
    hand = shape("M-26 -20C-28 -32 20 -34 27 -22C33 -10 32 14 24 24L-20 26C-30 16 -30 -4 -26 -20Z", SKIN)
    fingers = stroke("M-26 -9H8M-27 3H8M-25 14H8", 3)
    sleeve = shape("M-30 22C-10 14 14 14 32 20L38 50C12 42 -14 42 -36 52Z", cuff)
    return moved(sleeve + hand + fingers, x, y, turn=turn)


def _ermine_tails(places: tuple[tuple[int, int], ...]) -> str:
    return "".join(shape(f"M{x} {y}l5 14c0 7 -10 7 -10 0Z", INK, 0) for x, y in places)


def _king(suit: str, dress: _Dress) -> str:
    mantle = shape("M230 250C150 270 60 300 26 420V580H305V250Z", dress.main)
    folds = stroke("M96 400C86 450 84 500 88 560M150 425C144 470 144 520 148 560", 3)
    tunic = shape("M238 330H372V580H238Z", dress.second) + stroke("M252 330V580M358 330V580", 4, IVORY)
    signs = "".join(suit_sign(suit, 305, y, 40, IVORY if suit != "D" else GOLD) for y in (444, 506))
    collar = mirrored(
        shape("M305 262C250 252 180 280 112 330C100 346 98 364 104 384C170 404 250 420 305 424Z", IVORY),
        _AXIS,
    )
    tails = mirrored(
        _ermine_tails(
            ((130, 350), (162, 322), (170, 372), (200, 340), (214, 386), (236, 320), (246, 366), (262, 402))
        ),
        _AXIS,
    )
    chain = stroke("M176 300C200 372 260 396 305 398C350 396 410 372 434 300", 11, INK) + stroke(
        "M176 300C200 372 260 396 305 398C350 396 410 372 434 300", 6, GOLD
    )
    hair = mirrored(
        shape(
            "M262 112C226 124 216 170 222 206C226 234 204 246 196 262C214 282 244 280 258 262L268 150Z",
            dress.hair,
        )
        + stroke("M236 150C232 190 244 226 222 262", 2.5, CREAM),
        _AXIS,
    )
    beard = shape(
        "M248 196C254 222 272 228 284 226C296 220 314 220 326 226C338 228 356 222 362 196"
        "C372 250 352 300 305 338"
        "C258 300 238 250 248 196Z",
        dress.hair,
    )
    curls = mirrored(
        stroke("M264 250C270 276 282 296 296 310M282 258C286 276 292 288 300 298", 2.5, CREAM), _AXIS
    )
    moustache = mirrored(
        shape("M305 226C290 220 272 226 258 244C274 250 294 246 305 236Z", dress.hair, 3), _AXIS
    )
    moustache += stroke("M262 245C276 250 294 245 305 236C316 245 334 250 348 245", 2.5, CREAM)
    lips = shape("M292 243C300 248 310 248 318 243C314 254 296 254 292 243Z", RED, 2)
    crown = (
        shape(
            "M244 124C240 84 280 62 305 60C330 62 370 84 366 124Z",
            dress.third if dress.third != GOLD else RED,
        )
        + shape(
            "M236 142L222 74L262 106L280 62L305 102L330 62L348 106L388 74L374 142C340 130 270 130 236 142Z",
            GOLD,
        )
        + "".join(disc(x, y, 9, IVORY, 3) for x, y in ((222, 70), (280, 58), (330, 58), (388, 70)))
        + shape(
            "M234 142C270 126 340 126 376 142L374 160C340 146 270 146 236 160Z",
            dress.main if dress.main != GOLD else RED,
        )
        + "".join(disc(x, y, 5, IVORY, 2) for x, y in ((256, 144), (288, 140), (322, 140), (354, 144)))
    )
    return (
        mirrored(mantle + folds, _AXIS)
        + tunic
        + signs
        + _staff(suit)
        + hair
        + collar
        + tails
        + chain
        + _face(-3)
        + beard
        + curls
        + moustache
        + lips
        + crown
        + _fist(100, 486, IVORY)
        + _orb(dress)
    )


def _staff(suit: str) -> str:
    """What the king of a suit holds upright at x = 100: a sword, or a sceptre with his suit's sign."""
    if suit == "S":
        return (
            shape("M100 252L116 280V444H84V280Z", _STEEL)
            + stroke("M100 276V440", 3)
            + shape("M48 440H152C156 450 152 460 146 462H54C48 460 44 450 48 440Z", GOLD)
            + shape("M90 462H110V580H90Z", BROWN)
        )
    rod = shape("M91 330H109V580H91Z", GOLD) + shape("M80 330H120L112 350H88Z", GOLD)
    ground = {"H": RED, "D": RED, "C": INK}[suit]
    return rod + disc(100, 294, 38, IVORY) + suit_sign(suit, 100, 294, 46, ground)


def _orb(dress: _Dress) -> str:
    ball = disc(500, 462, 44, GOLD) + stroke("M458 452C486 468 514 468 542 452M500 418V464", 4)
    cross = shape("M494 418V398H480V386H494V370H506V386H520V398H506V418Z", GOLD, 3)
    hand = shape(
        "M456 494C470 508 530 510 548 492C552 506 546 520 532 526H472C458 520 450 508 456 494Z", SKIN
    )
    cuff = shape("M466 522H538L548 560H456Z", IVORY)
    return cross + ball + cuff + hand + stroke("M484 504V522M500 506V524M516 505V523", 3)


def _queen(suit: str, dress: _Dress) -> str:
    fan = "".join(
        moved(shape("M0 0L-24 -172C-16 -194 16 -194 24 -172Z", IVORY, 3), 305, 320, turn=angle)
        for angle in (-84, -70, -56, -42, 42, 56, 70, 84)
    )
    hem = "".join(
        moved(disc(0, -172, 9, dress.second, 3), 305, 320, turn=angle)
        for angle in (-84, -70, -56, -42, 42, 56, 70, 84)
    )
    hair = mirrored(
        shape(
            "M305 92C236 90 216 140 222 190C226 222 200 240 208 276C214 300 206 322 214 344"
            "C240 350 262 336 264 312"
            "L262 220Z",
            dress.hair,
        )
        + stroke("M248 130C236 170 246 210 232 246C224 274 240 300 230 330", 2.5, CREAM),
        _AXIS,
    )
    neck = shape("M276 240V300C250 316 226 322 206 330L305 452L404 330C384 322 360 316 334 300V240Z", SKIN)
    sleeve = shape("M210 326C130 330 60 370 40 450L30 580H200L214 440Z", dress.main) + "".join(
        shape(
            f"M{x} {y}c-8 26 -8 52 2 78c14 -26 12 -54 -2 -78Z",
            dress.second,
            3,
        )
        for x, y in ((84, 404), (124, 380), (164, 366))
    )
    bodice = shape("M206 330L305 452L404 330L420 380L384 580H226L190 380Z", dress.main)
    trim = stroke("M206 330L305 452L404 330", 14) + stroke("M206 330L305 452L404 330", 8, GOLD)
    stomacher = shape("M305 452L352 580H258Z", dress.second) + "".join(
        stroke(f"M{305 - w} {y}H{305 + w}", 3.5, GOLD) for y, w in ((486, 9), (508, 17), (530, 25))
    )
    necklace = "".join(
        disc(x, y, 7, IVORY, 2.5) for x, y in ((268, 322), (284, 336), (326, 336), (342, 322))
    ) + disc(305, 346, 13, dress.third, 3)
    crown = (
        shape("M250 120L240 72L272 98L305 62L338 98L370 72L360 120C330 108 280 108 250 120Z", GOLD)
        + "".join(
            disc(x, y, 8, RED if suit != "H" else BLUE, 3) for x, y in ((240, 70), (305, 60), (370, 70))
        )
        + shape("M248 118C280 104 330 104 362 118L360 132C330 118 280 118 250 132Z", dress.second, 3.5)
    )
    parting = shape(
        "M305 118C276 118 252 136 246 172C262 160 284 142 305 128C326 142 348 160 364 172"
        "C358 136 334 118 305 118Z",
        dress.hair,
        3,
    )
    return (
        fan
        + hem
        + hair
        + mirrored(sleeve, _AXIS)
        + neck
        + bodice
        + stomacher
        + trim
        + necklace
        + _face(3)
        + parting
        + crown
        + _flower(suit, dress)
        + _fist(106, 508, GOLD, turn=8)
        + _folded_hand()
    )


def _flower(suit: str, dress: _Dress) -> str:
    """The queen's flower, six, five, four or three petals by suit, its head at (110, 320)."""
    petals = {"S": 6, "H": 5, "D": 4, "C": 3}[suit]
    colour = {"S": SKY, "H": RED, "D": GOLD, "C": IVORY}[suit]
    stem = stroke("M110 340C116 400 104 450 106 560", 11) + stroke(
        "M110 340C116 400 104 450 106 560", 6, GREEN
    )
    leaves = shape("M110 420C80 416 62 396 56 372C86 376 106 394 110 420Z", GREEN, 3) + shape(
        "M110 440C140 434 156 416 162 392C134 398 114 414 110 440Z", GREEN, 3
    )
    width = 22 + 30 / petals * 2
    petal = shape(
        f"M0 0C-{width:.0f} -14 -{width:.0f} -52 0 -58C{width:.0f} -52 {width:.0f} -14 0 0Z", colour, 3.5
    )
    ring = "".join(moved(petal, 110, 318, turn=k * 360 / petals) for k in range(petals))
    return stem + leaves + ring + disc(110, 318, 14, dress.third if dress.third != colour else RED, 3)


def _folded_hand() -> str:
    hand = shape(
        "M420 500C400 486 366 482 344 490C336 496 340 506 350 506C338 510 340 522 352 522"
        "C344 528 350 538 362 536C390 540 412 536 428 532Z",
        SKIN,
    )
    cuff = shape("M418 492L462 480L474 548L424 542Z", GOLD)
    return cuff + hand + stroke("M352 506H378M354 522H380", 3)


def _helmet(dress: _Dress) -> str:
    plume = shape(
        "M318 76C312 44 276 34 240 46C186 40 140 68 116 112C98 146 104 186 132 204C120 168 136 150 160 146"
        "C150 172 168 186 184 184C172 160 182 132 206 124C240 104 280 96 318 76Z",
        dress.main,
    ) + stroke(
        "M300 70C240 70 190 92 160 128C146 146 134 160 130 180M232 58C222 70 214 80 212 96M170 84"
        "C164 98 160 110 162 124",
        3,
        IVORY,
    )
    bowl = shape(
        "M236 170C226 96 266 58 305 56C344 58 384 96 374 170L362 150C340 138 270 138 248 150Z", _STEEL
    )
    visor = shape(
        "M232 134C262 104 348 104 378 134C372 148 364 156 358 158C330 140 280 140 252 158"
        "C246 156 238 148 232 134Z",
        GOLD,
    )
    slits = stroke("M268 130L262 138M292 124L289 133M318 124L321 133M342 130L348 138", 4)
    cheek = shape("M240 160C234 200 240 236 262 262L270 246C256 224 252 196 254 160Z", _STEEL)
    return (
        plume
        + bowl
        + stroke("M305 56V112", 4)
        + visor
        + slits
        + mirrored(cheek, _AXIS)
        + disc(312, 62, 9, GOLD, 3)
    )


def _knight(suit: str, dress: _Dress) -> str:
    lance = shape("M536 262H550V580H536Z", BROWN) + shape("M543 214L556 262H530Z", _STEEL)
    pennon = shape(
        "M536 266C506 252 476 280 436 264L456 292L438 320C476 334 506 306 536 320Z", dress.second
    ) + suit_sign(suit, 496, 294, 38, IVORY)
    body = shape("M300 270C350 262 470 280 540 380L560 580H250V300Z", dress.main)
    plate = shape("M306 268C360 270 410 290 430 330C446 400 440 480 420 580H270V290Z", _STEEL) + stroke(
        "M360 300C376 380 376 480 366 560", 4
    )
    shoulder = shape(
        "M420 318C460 308 520 340 540 402C520 430 470 436 436 420C420 390 416 350 420 318Z", _STEEL
    ) + stroke("M430 352C470 346 506 366 528 410M426 384C454 382 482 396 500 428", 3.5)
    arm = shape("M452 424C480 440 520 436 540 420L566 520L510 560L446 520Z", dress.main)
    gorget = shape("M284 246H416L428 300C390 318 320 318 276 300Z", GOLD)
    rider = moved(_face(-6) + _moustache(dress) + _helmet(dress), 46, 0)
    sash = shape("M312 306L350 296C390 380 420 460 440 580H396C380 470 350 380 312 306Z", dress.second)
    return (
        lance
        + pennon
        + body
        + plate
        + sash
        + gorget
        + rider
        + shoulder
        + arm
        + _fist(540, 490, GOLD)
        + _horse(dress)
    )


def _moustache(dress: _Dress) -> str:
    return mirrored(
        shape("M305 226C290 222 274 226 260 240C276 244 294 242 305 234Z", dress.hair, 3), _AXIS
    ) + shape("M294 254C298 262 312 262 316 254L305 286Z", dress.hair, 3)


def _horse(dress: _Dress) -> str:
    line = INK if dress.horse != INK else IVORY
    neck = shape(
        "M226 262C290 270 342 330 360 420C370 480 366 530 360 580H190C206 530 216 490 214 462"
        "C190 474 166 478 148 476"
        "C138 496 122 512 98 514C80 518 60 506 58 486C52 470 60 450 74 434C96 396 120 354 150 318"
        "C172 292 196 270 226 262Z",
        dress.horse,
    )
    mane = shape(
        "M222 258C300 252 370 320 390 420C398 480 392 540 386 580H352C364 548 352 530 346 520"
        "C358 506 350 484 340 474"
        "C350 456 340 438 328 430C336 412 324 394 310 388C314 366 300 352 284 350C284 330 270 318 254 318"
        "C250 300 238 286 222 258Z",
        dress.mane,
    )
    ears = shape("M196 282C184 258 184 232 194 214C212 232 222 252 222 272Z", dress.horse) + shape(
        "M222 272C216 246 224 222 240 208C252 232 250 258 242 276Z", dress.horse
    )
    forelock = shape(
        "M204 266C190 286 176 300 158 308C166 328 172 336 168 352C190 336 208 310 226 284Z", dress.mane, 3
    )
    eye = shape("M150 352C160 340 178 342 186 356C174 364 160 364 150 352Z", IVORY, 3) + disc(
        169, 353, 6, INK, 0
    )
    nostril = shape("M78 462C84 454 94 456 94 466C90 474 82 474 78 462Z", RED, 2.5)
    mouth = stroke("M64 494C84 496 104 488 120 476", 3.5, line)
    jaw = stroke("M214 462C238 440 244 410 236 384", 3.5, line)
    strap = "M104 388C118 410 134 440 146 476M222 280C216 330 190 380 128 424M222 292C236 330 240 380 236 400"
    bridle = stroke(strap, 15) + stroke(strap, 9, dress.second if dress.second != dress.horse else RED)
    rein = "M146 468C200 520 280 540 366 500"
    reins = stroke(rein, 13) + stroke(rein, 7, GOLD)
    studs = disc(146, 468, 13, GOLD, 3.5) + disc(128, 424, 9, GOLD, 3)
    return neck + jaw + mane + ears + forelock + eye + nostril + mouth + bridle + reins + studs


def _knave(suit: str, dress: _Dress) -> str:
    shaft = shape("M92 256H108V580H92Z", BROWN)
    blade = (
        shape("M108 300C140 290 160 276 168 254C184 300 184 350 166 390C156 372 134 360 108 356Z", _STEEL)
        + shape("M92 306L52 290C48 320 56 346 92 348Z", _STEEL)
        + shape("M100 244L114 300H86Z", _STEEL)
        + shape("M84 300H116V358H84Z", GOLD)
    )
    sleeve = (
        shape("M214 300C130 296 66 346 62 420C60 460 90 486 130 490C176 486 206 450 214 400Z", dress.main)
        + "".join(
            shape(
                f"M{x} {y}c-16 30 -16 70 -2 100c16 -30 18 -70 2 -100Z",
                dress.second,
                3,
            )
            for x, y in ((100, 366), (140, 344), (180, 330))
        )
        + shape("M86 474C110 494 150 494 176 470L190 580H72Z", dress.second)
    )
    doublet = shape("M196 296H414L426 400L390 580H220L184 400Z", dress.second)
    stripes = "".join(
        shape(
            f"M{x} 296H{x + 30}L{305 + (x + 30 - 305) * 0.82:.0f} 580H{305 + (x - 305) * 0.82:.0f}Z",
            dress.main,
            3,
        )
        for x in (214, 260, 320, 366)
    )
    buttons = "".join(disc(305, y, 8, GOLD, 3) for y in (370, 414, 458, 502))
    ruff = "".join(
        moved(shape("M0 0L-18 -78C-10 -92 10 -92 18 -78Z", IVORY, 3.5), 305, 244, turn=angle)
        for angle in (100, 124, 260, 236, 148, 212, 180)
    )
    hair = mirrored(
        shape(
            "M300 110C240 108 220 150 224 200C224 232 220 252 232 268C250 276 264 262 264 244V160Z",
            dress.hair,
        )
        + stroke("M240 160C236 190 246 220 240 256", 2.5, CREAM),
        _AXIS,
    )
    fringe = shape(
        "M244 166C250 138 280 128 305 130C330 128 360 138 366 166C350 156 332 152 320 158"
        "C306 150 290 152 280 160C268 154 254 156 244 166Z",
        dress.hair,
        3,
    )
    cap = shape(
        "M226 138C214 92 256 62 320 60C372 60 404 84 396 116C392 132 380 138 376 142"
        "C330 120 270 122 226 138Z",
        dress.main,
    ) + shape(
        "M222 144C268 118 340 118 384 140C390 150 384 160 376 160C336 140 270 140 232 162"
        "C222 160 216 152 222 144Z",
        dress.second,
    )
    feather = shape(
        "M372 138C416 130 456 96 464 50C440 56 430 66 424 66C426 58 424 52 420 46C396 60 376 90 366 132Z",
        IVORY if suit in "SH" else RED,
    ) + stroke("M368 136C396 116 424 88 446 64", 3)
    brooch = disc(368, 138, 13, GOLD, 3.5)
    return (
        mirrored(sleeve, _AXIS)
        + shaft
        + blade
        + doublet
        + stripes
        + buttons
        + hair
        + ruff
        + _face(4)
        + fringe
        + cap
        + feather
        + brooch
        + _fist(100, 500, GOLD)
        + _hip_hand(suit)
    )


def _hip_hand(suit: str) -> str:
    """A shield with the suit's sign, held in the other hand."""
    shield = shape("M456 400C486 410 524 410 552 400C560 470 546 516 504 544C462 516 448 470 456 400Z", IVORY)
    return shield + suit_sign(suit, 504, 462, 74, RED if suit in "HD" else INK)


def _jester() -> str:
    left, right = RED, BLUE
    coat = shape("M305 280C220 280 90 320 50 420L36 580H305Z", left) + shape(
        "M305 280C390 280 520 320 560 420L574 580H305Z", right
    )
    lozenges = "".join(
        shape(f"M{x} {y}l28 42l-28 42l-28 -42Z", GOLD if x < 305 else IVORY, 3)
        for x, y in (
            (110, 380),
            (166, 340),
            (166, 424),
            (444, 340),
            (500, 380),
            (444, 424),
            (110, 464),
            (500, 464),
        )
    )
    collar = "".join(
        moved(
            shape("M0 0L-30 62L0 130L30 62Z", GREEN if k % 2 else GOLD, 3.5) + disc(0, 134, 10, IVORY, 3),
            305,
            256,
            turn=angle,
        )
        for k, angle in enumerate((72, -72, 40, -40, 0))
    )
    horn_left = shape("M250 150C200 140 150 100 142 190C124 160 130 90 176 66C226 44 290 70 305 130Z", RED)
    horn_right = shape("M360 150C410 140 460 100 468 190C486 160 480 90 434 66C384 44 320 70 305 130Z", BLUE)
    horn_top = shape("M258 140C256 90 280 60 330 50C310 66 320 90 352 140Z", GOLD)
    bells = "".join(
        disc(x, y, 14, GOLD, 3.5) + stroke(f"M{x - 8} {y + 2}H{x + 8}", 3)
        for x, y in ((143, 196), (467, 196), (334, 54))
    )
    brim = shape("M240 158C270 136 340 136 370 158L366 178C336 158 274 158 244 178Z", GREEN)
    smile = shape(
        "M276 232C292 242 318 242 334 232C330 254 314 260 305 260C296 260 280 254 276 232Z", RED, 3
    ) + stroke("M284 240C298 246 312 246 326 240", 3, IVORY)
    sleeve = shape("M422 376L462 356C506 388 546 430 572 480L520 540C494 474 458 416 422 376Z", BLUE) + shape(
        "M412 374L464 350L478 372L426 400Z", GOLD
    )
    return (
        coat
        + lozenges
        + collar
        + _face(5)
        + smile
        + horn_left
        + horn_right
        + horn_top
        + brim
        + bells
        + sleeve
        + _lute()
    )


def _lute() -> str:
    neck = shape("M-12 -60H12V-262H-12Z", BROWN) + shape("M-14 -262L-30 -318L10 -326L14 -262Z", BROWN)
    frets = "".join(stroke(f"M-12 {y}H12", 2.5, GOLD) for y in (-240, -214, -190, -168, -148, -130, -114))
    pegs = "".join(disc(x, y, 6, IVORY, 2.5) for x, y in ((-34, -296), (-26, -278), (16, -306), (20, -288)))
    body = shape(
        "M0 -96C60 -70 84 -10 76 34C66 84 30 104 0 104C-30 104 -66 84 -76 34C-84 -10 -60 -70 0 -96Z", GOLD
    )
    rose = disc(0, 4, 24, BROWN, 3.5) + suit_sign("*", 0, 4, 36, CREAM)
    bridge = shape("M-32 62H32V74H-32Z", BROWN, 3)
    strings = stroke("M-6 -262L-14 66M0 -262V66M6 -262L14 66", 2, IVORY)
    hand = shape("M-34 -6C-36 -26 6 -34 24 -18C38 -4 34 20 16 26C-8 32 -30 18 -34 -6Z", SKIN)
    return (
        moved(body + rose + bridge + neck + frets + pegs + strings, 230, 476, turn=58)
        + moved(hand + stroke("M-14 18L-18 0M0 22L-4 2", 3), 250, 500)
        + moved(hand + stroke("M-16 -14L-12 10M0 -18L4 8M14 -14L16 6", 3), 438, 350, turn=20)
    )
