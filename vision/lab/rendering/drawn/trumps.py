"""The twenty-one trumps of the drawn deck: a band of numerals above a scene, the same upside down.

A scene fills half the window: 550 x 334 card units, with the origin at the window's top left corner. The motifs
follow the old order of the tarot where possible (16 tower, 17 star, 18 moon, 19 sun, 21 world), on a Danish
coast.
"""

import math
from collections.abc import Callable

from vision.lab.rendering.drawn.glyphs import (
    BLUE,
    BROWN,
    CREAM,
    GOLD,
    GREEN,
    INK,
    IVORY,
    RED,
    SKY,
    disc,
    lettering,
    mirrored,
    moved,
    shape,
    stroke,
    suit_sign,
    svg_number,
)

_WIDE, _TALL = 550, 334
_MID = _WIDE / 2
_STONE = "#c9bfa8"
_NIGHT = "#22305a"


def trump(value: int) -> str:
    """The picture of trump `value` (1 to 21): numerals, scene and frame."""
    scene = f'<g transform="translate(30 226)" clip-path="url(#scene)">{_SCENES[value]()}</g>'
    half = _band(value) + scene
    return (
        f'<clipPath id="scene"><rect width="{_WIDE}" height="{_TALL}"/></clipPath>'
        f'{half}<g transform="rotate(180 305 560)">{half}</g>'
        + shape("M30 552H580V568H30Z", GOLD, 4)
        + shape("M30 226H580V894H30Z", "none", 5)
        + f'<rect x="30" y="34" width="550" height="1052" rx="14" fill="none" stroke="{INK}"'
        + ' stroke-width="5"/>'
        + f'<rect x="21" y="25" width="568" height="1070" rx="20" fill="none" stroke="{GOLD}"'
        + ' stroke-width="3.5"/>'
    )


def _band(value: int) -> str:
    """The numerals at one end with an ornament between them; 6 and 9 are underlined."""
    text = str(value)
    numerals = "".join(
        lettering(text, x, 192, 128, INK, widest=144)
        + (shape(f"M{x - 40} 204H{x + 40}V213H{x - 40}Z", INK, 0) if value in (6, 9) else "")
        for x in (116, 494)
    )
    leaf = shape("M0 -6C20 -34 52 -34 84 0C52 34 20 34 0 6Z", GOLD, 3) + stroke("M6 0H62", 2.5)
    ornament = (
        "".join(moved(leaf, 305, 130, turn=angle, scale=0.92) for angle in (0, 180, 52, 128, 232, 308))
        + disc(305, 130, 28, RED, 3.5)
        + suit_sign("*", 305, 130, 42, IVORY)
    )
    rule = "".join(
        stroke(f"M{x} 34V226", 4) + stroke(f"M{x + side * 9} 38V222", 2.5, GOLD)
        for x, side in ((204, 1), (406, -1))
    )
    return numerals + rule + ornament


def _ground(colour: str) -> str:
    return f'<rect width="{_WIDE}" height="{_TALL}" fill="{colour}"/>'


def _sea(y: float, colour: str, crest: str, rows: int = 4, step: int = 46) -> str:
    """Water from height y down, with rows of wave crests."""
    water = shape(f"M-10 {y}H560V340H-10Z", colour, 3.5)
    waves = ""
    for row in range(rows):
        left = -30 if row % 2 else -53
        waves += stroke(
            f"M{left} {svg_number(y + 20 + row * 24)}" + f"q11.5 -12 23 0t{step / 2:g} 0" * 13, 3, crest
        )
    return water + waves


def _sparks(places: tuple[tuple[float, float, float], ...], colour: str) -> str:
    """Four-pointed stars: (x, y, radius)."""
    return "".join(
        shape(
            f"M{x} {y - r}L{x + r / 4:g} {y - r / 4:g}L{x + r} {y}L{x + r / 4:g} {y + r / 4:g}L{x} {y + r}"
            f"L{x - r / 4:g} {y + r / 4:g}L{x - r} {y}L{x - r / 4:g} {y - r / 4:g}Z",
            colour,
            0,
        )
        for x, y, r in places
    )


def _rays(x: float, y: float, count: int, length: float, colour: str, start: float = 0) -> str:
    """Wedges of light around (x, y), with equal gaps between them."""
    wedge = math.pi / count
    parts = []
    for k in range(count):
        a = start + 2 * math.pi * k / count - wedge / 2
        points = [(x + length * math.cos(b), y + length * math.sin(b)) for b in (a, a + wedge)]
        parts.append(
            f"M{svg_number(x)} {svg_number(y)}"
            + "".join(f"L{svg_number(px)} {svg_number(py)}" for px, py in points)
            + "Z"
        )
    return shape("".join(parts), colour, 0)


def _cloud(x: float, y: float, scale: float = 1, fill: str = IVORY) -> str:
    return moved(
        shape(
            "M-70 20C-92 20 -92 -8 -68 -8C-66 -34 -30 -42 -16 -22C-4 -46 40 -42 42 -12C70 -18 84 18 58 20Z",
            fill,
            3.5,
        ),
        x,
        y,
        scale=scale,
    )


def _conjuror() -> str:
    curtain = shape("M-10 -10H196C190 60 150 120 60 150C50 210 40 270 44 340H-10Z", RED) + "".join(
        stroke(f"M{x} -10C{x - 6} 60 {x - 40} 110 {x2} 146", 3.5)
        for x, x2 in ((150, 74), (100, 50), (50, 22))
    )
    tassel = shape("M36 146C52 160 70 156 78 144L84 160C70 174 46 176 34 160Z", GOLD, 3)
    table = shape("M70 262H480L520 340H30Z", GREEN) + stroke("M62 280H488", 3, GOLD)
    cup = shape(
        "M-46 -110H46C44 -60 26 -36 10 -30V-14C30 -10 36 -4 38 6H-38C-36 -4 -30 -10 -10 -14V-30"
        "C-26 -36 -44 -60 -46 -110Z",
        GOLD,
    )
    cup += (
        shape("M-52 -122H52V-106H-52Z", GOLD)
        + disc(-20, -78, 7, RED, 3)
        + disc(20, -78, 7, RED, 3)
        + disc(0, -66, 7, BLUE, 3)
    )
    die = shape("M-26 -26H26V26H-26Z", IVORY)
    five = die + "".join(
        disc(x, y, 5.5, INK, 0) for x, y in ((-13, -13), (13, -13), (0, 0), (-13, 13), (13, 13))
    )
    one = die + disc(0, 0, 7, RED, 0)
    three = die + "".join(disc(x, x, 5.5, INK, 0) for x in (-13, 0, 13))
    wand = shape("M0 -6H140V6H0Z", INK) + shape("M112 -6H140V6H112Z", IVORY)
    air = _sparks(((275, 50, 26), (218, 92, 14), (334, 88, 16), (250, 118, 8), (304, 122, 9)), GOLD)
    coins = disc(392, 250, 24, GOLD) + suit_sign("*", 392, 250, 32, RED)
    return (
        _ground(BLUE)
        + air
        + mirrored(curtain + tassel, _MID)
        + table
        + moved(cup, 275, 268)
        + moved(five, 176, 258, turn=-8)
        + moved(one, 128, 290, turn=14)
        + moved(three, 440, 292, turn=-16)
        + coins
        + moved(wand, 190, 312, turn=-4)
    )


def _owl() -> str:
    stars = _sparks(
        ((60, 60, 16), (120, 130, 10), (470, 80, 16), (420, 36, 9), (500, 170, 11), (150, 40, 8)), GOLD
    )
    moon = shape("M452 84C420 84 404 116 420 142C436 164 466 160 476 142C452 148 434 116 452 84Z", GOLD, 3.5)
    body = shape(
        "M275 34C210 34 184 90 190 150C194 206 226 244 275 250C324 244 356 206 360 150C366 90 340 34 275 34Z",
        BROWN,
    )
    tufts = mirrored(shape("M212 70L196 14L252 46Z", BROWN), _MID)
    mask = mirrored(
        disc(243, 96, 42, CREAM)
        + disc(245, 98, 25, GOLD)
        + disc(247, 98, 12, INK, 0)
        + disc(251, 93, 4, IVORY, 0),
        _MID,
    )
    beak = shape("M262 112H288L275 146Z", RED)
    breast = shape(
        "M275 150C236 150 224 186 236 220C248 240 262 246 275 247C288 246 302 240 314 220"
        "C326 186 314 150 275 150Z",
        CREAM,
        3.5,
    )
    feathers = "".join(
        stroke(f"M{x} {y}q9 12 18 0", 3, BROWN)
        for y, xs in ((178, (248, 266, 284)), (198, (239, 257, 275, 293)), (218, (248, 266, 284)))
        for x in xs
    )
    wing = mirrored(
        shape("M194 130C168 170 178 220 214 244C222 206 214 160 194 130Z", BROWN)
        + stroke("M188 166q14 12 24 6M188 194q16 10 28 4", 3),
        _MID,
    )
    book = mirrored(
        shape("M275 268C220 236 130 240 76 262V340H275Z", RED)
        + shape("M275 262C222 232 142 234 90 254V324C142 306 222 306 275 334Z", IVORY)
        + stroke(
            "M112 268C160 254 214 256 254 274M112 286C160 272 214 274 254 292M112 304"
            "C160 290 214 292 254 310",
            3,
        ),
        _MID,
    )
    claws = mirrored(
        shape("M238 244C230 256 228 264 234 270L246 260L252 272L262 260L260 244Z", GOLD, 3), _MID
    )
    return (
        _ground(_NIGHT) + stars + moon + tufts + body + wing + breast + feathers + mask + beak + book + claws
    )


def _sheaf() -> str:
    field = shape("M-10 250C100 220 200 250 275 236C370 216 460 240 560 226V340H-10Z", GOLD) + "".join(
        stroke(f"M{x} {y}l-5 -16M{x} {y}l5 -16M{x} {y}v-20", 3, BROWN)
        for x, y in (
            (40, 286),
            (96, 310),
            (150, 284),
            (404, 280),
            (456, 308),
            (512, 280),
            (70, 330),
            (480, 334),
        )
    )
    hills = shape("M-10 240C60 190 140 190 200 226C280 180 380 176 560 220V270H-10Z", GREEN, 3.5)
    ears = ""
    for angle in (-34, -25, -16, -8, 0, 8, 16, 25, 34):
        grains = "".join(
            shape(
                f"M0 {y}c{s * 16} -4 {s * 18} -20 {s * 10} -28c{s * -8} 8 {s * -10} 16 {s * -10} 28Z",
                GOLD,
                2.5,
            )
            for y in (-150, -168, -186)
            for s in (-1, 1)
        ) + shape("M0 -198C-10 -208 -8 -224 0 -234C8 -224 10 -208 0 -198Z", GOLD, 2.5)
        ears += moved(stroke("M0 60V-196", 7) + stroke("M0 60V-196", 3, GOLD) + grains, 275, 246, turn=angle)
    butt = shape("M246 232L196 322H354L304 232Z", GOLD) + "".join(
        stroke(f"M{275 + d * 0.3:g} 244L{275 + d} 318", 3, BROWN) for d in (-56, -36, -14, 10, 32, 54)
    )
    tie = shape("M232 214C258 226 292 226 318 214V244C292 256 258 256 232 244Z", RED)
    bow = mirrored(shape("M275 232C250 214 222 226 226 250C244 258 262 250 275 238Z", RED, 3.5), _MID)
    return _ground(SKY) + _cloud(92, 70) + _cloud(476, 96, 0.8) + hills + field + ears + butt + tie + bow


def _castle() -> str:
    wall = shape("M60 196H490V290H60Z", _STONE)
    windows = "".join(
        shape(f"M{x} 250V226C{x} 214 {x + 18} 214 {x + 18} 226V250Z", INK, 0)
        for x in (126, 166, 206, 326, 366, 406)
    )
    roof = shape("M110 196L130 158H420L440 196Z", GREEN)
    dormers = "".join(
        shape(f"M{x} 196V176L{x + 14} 158L{x + 28} 176V196Z", _STONE, 3) for x in (150, 200, 322, 372)
    )

    def tower(x: float, wide: float, top: float, spire: float) -> str:
        return (
            shape(f"M{x - wide} 292V{top}H{x + wide}V292Z", CREAM)
            + shape(
                f"M{x - wide - 8} {top}c8 -40 {wide - 4} -40 {wide} -60h16c4 20 {wide - 8} 20 {wide} 60Z",
                GREEN,
            )
            + shape(f"M{x - 8} {top - 60}L{x} {spire}L{x + 8} {top - 60}Z", GREEN, 3.5)
            + shape(f"M{x} {spire}h30l-8 9l8 9h-30Z", RED, 3)
            + "".join(
                shape(
                    f"M{x - 8} {y + 26}V{y + 8}C{x - 8} {y - 2} {x + 8} {y - 2} {x + 8} {y + 8}V{y + 26}Z",
                    INK,
                    0,
                )
                for y in (top + 18, top + 66)
            )
        )

    gate = shape("M248 292V232C248 204 302 204 302 232V292Z", INK)
    return (
        _ground(CREAM)
        + _rays(275, 300, 22, 480, "#f7ead0", 0.07)
        + wall
        + roof
        + dormers
        + windows
        + tower(84, 34, 150, 44)
        + tower(466, 34, 150, 44)
        + tower(275, 44, 128, 12)
        + gate
        + _sea(286, BLUE, SKY, 2)
    )


def _round_church() -> str:
    hill = shape("M-10 282C120 232 430 232 560 282V340H-10Z", GREEN)
    far = shape("M-10 240C80 214 150 216 220 236C330 206 470 206 560 236V290H-10Z", "#6f9a72", 3.5)
    body = shape("M150 268V150C150 128 400 128 400 150V268C330 288 220 288 150 268Z", IVORY)
    roof = shape("M130 156L275 14L420 156C340 178 210 178 130 156Z", INK) + stroke(
        "M275 20C240 70 212 120 196 164M275 20C310 70 338 120 354 164M275 20V172", 2.5, SKY
    )
    buttress = mirrored(shape("M150 178L112 272C126 282 140 284 152 282L176 196Z", IVORY), _MID)
    door = shape("M250 278V226C250 194 300 194 300 226V278C284 282 266 282 250 278Z", RED) + stroke(
        "M275 206V280", 3
    )
    lights = "".join(
        shape(f"M{x} 216V198C{x} 190 {x + 14} 190 {x + 14} 198V216Z", INK, 0) for x in (200, 336)
    )
    cross = stroke("M275 16V-2M266 4H284", 4)
    graves = "".join(
        shape(f"M{x} {y}v-22c0 -12 22 -12 22 0v22Z", _STONE, 3)
        for x, y in ((60, 300), (104, 316), (424, 316), (470, 300))
    )
    return (
        _ground(SKY)
        + _cloud(78, 60)
        + _cloud(484, 80, 0.9)
        + far
        + hill
        + buttress
        + body
        + lights
        + door
        + roof
        + cross
        + graves
    )


def _swans() -> str:
    swan = (
        shape(
            "M40 262C36 226 84 196 140 206C176 212 196 236 214 244C236 240 240 214 232 186"
            "C218 142 190 120 204 78C214 48 250 40 268 66"
            "C254 62 240 66 238 84C236 116 262 150 262 198C262 250 230 284 170 288C110 292 60 286 40 262Z",
            IVORY,
        )
        + shape("M246 64C256 68 268 78 272 92C260 90 250 86 242 80Z", RED, 3)
        + disc(238, 68, 4, INK, 0)
        + shape(
            "M40 262C24 246 14 226 18 204C60 196 120 196 160 226C176 240 170 262 150 266"
            "C116 262 70 264 40 262Z",
            IVORY,
        )
        + stroke("M36 222C80 214 120 220 146 244M44 240C76 234 104 238 122 252", 3)
    )
    heart = suit_sign("H", 275, 172, 70, RED)
    reeds = mirrored(
        "".join(
            stroke(f"M{x} 340C{x} 280 {x + d} 230 {x + d} {y}", 4, GREEN)
            + shape(f"M{x + d - 6} {y}v-34c0 -8 12 -8 12 0v34Z", BROWN, 3)
            for x, d, y in ((18, -6, 150), (36, 10, 180))
        ),
        _MID,
    )
    return (
        _ground(CREAM)
        + _rays(275, 220, 20, 420, "#f3d9a2", math.pi / 20)
        + _sea(214, BLUE, SKY, 5)
        + mirrored(swan, _MID)
        + heart
        + reeds
    )


def _longship() -> str:
    sail = shape(
        "M130 40C200 22 350 22 420 40C404 90 404 150 424 196C350 216 200 216 126 196C146 150 146 90 130 40Z",
        IVORY,
    )
    stripes = "".join(
        shape(
            f"M{x} {y}C{x + 10} 90 {x + 10} 150 {x - 4} {y2}l44 6C{x + 50} 150 {x + 50} 90 {x + 42} {y - 4}Z",
            RED,
            3,
        )
        for x, y, y2 in ((166, 34, 205), (254, 28, 210), (342, 32, 205))
    )
    mast = (
        shape("M269 8H281V250H269Z", BROWN)
        + shape("M110 32H440V42H110Z", BROWN, 3.5)
        + shape("M281 4h44l-10 9l10 9h-44Z", BLUE, 3)
    )
    hull = shape(
        "M36 150C20 150 18 128 38 124C60 122 72 140 72 164C74 214 110 240 170 244H380"
        "C440 240 476 214 478 164C478 136 496 120 514 134"
        "C524 146 512 158 502 150C514 206 490 292 400 296H150C60 292 44 206 52 160C48 152 42 150 36 150Z",
        BROWN,
    ) + stroke("M60 214C90 262 130 268 170 268H380C420 268 460 262 492 214", 3.5, GOLD)
    shields = "".join(
        disc(x, 252, 22, c) + disc(x, 252, 7, GOLD, 3)
        for x, c in zip(range(160, 400, 46), (BLUE, IVORY, RED, GREEN, IVORY, BLUE), strict=True)
    )
    head = disc(36, 137, 4, INK, 0)
    return (
        _ground(GOLD)
        + _rays(275, 230, 24, 420, "#e6bd63", 0)
        + mast
        + sail
        + stripes
        + hull
        + head
        + shields
        + _sea(284, GREEN, SKY, 2)
    )


def _scales() -> str:
    post = (
        shape("M266 66H284V270H266Z", GOLD)
        + shape("M190 318C196 290 230 270 275 270C320 270 354 290 360 318Z", GOLD)
        + shape("M170 316H380V330H170Z", GOLD)
    )
    beam = shape(
        "M275 74C220 96 160 92 92 66L86 78C150 112 220 112 275 98C330 112 400 112 464 78L458 66"
        "C390 92 330 96 275 74Z",
        GOLD,
    )
    pan = stroke("M92 74L36 212M92 74L148 212M92 74V212", 3, IVORY) + shape(
        "M22 212H162C158 250 128 266 92 266C56 266 26 250 22 212Z", GOLD
    )
    sword = shape("M264 -14H286V30L275 60L264 30Z", IVORY)
    sun = shape("M66 212L60 172L78 190L92 164L106 190L124 172L118 212Z", IVORY, 3.5)
    moons = shape(
        "M424 212C420 196 440 196 442 204C446 176 476 172 480 190C494 184 500 204 490 212Z", IVORY, 3.5
    )
    stars = _sparks(
        ((200, 160, 14), (350, 160, 14), (216, 216, 9), (334, 216, 9), (40, 40, 14), (510, 40, 14)), GOLD
    )
    return (
        _ground(RED)
        + stars
        + sword
        + mirrored(pan, _MID)
        + sun
        + moons
        + beam
        + post
        + disc(275, 78, 22, IVORY)
        + suit_sign("*", 275, 78, 30, RED)
    )


def _lighthouse() -> str:
    beam = shape("M275 74L-20 0V150Z", GOLD, 0) + shape("M275 74L570 0V150Z", GOLD, 0)
    tower = (
        shape("M240 112H310L328 288H222Z", IVORY)
        + shape("M236.600 146H313.400L317.400 186H232.600Z", RED, 3.5)
        + shape("M228.600 222H321.400L325.400 262H224.600Z", RED, 3.5)
    )
    lamp = (
        shape("M250 54H300V100H250Z", GOLD)
        + stroke("M267 54V100M283 54V100", 3)
        + shape("M240 56C246 30 264 20 275 8C286 20 304 30 310 56Z", RED)
        + shape("M226 98H324V114H226Z", INK)
    )
    rock = shape(
        "M120 300C150 268 190 282 214 270C250 280 310 276 340 268C370 286 410 272 436 302L470 340H90Z", BROWN
    )
    stars = _sparks(
        (
            (70, 190, 10),
            (130, 226, 13),
            (430, 196, 12),
            (490, 230, 9),
            (384, 232, 7),
            (180, 30, 9),
            (382, 24, 11),
        ),
        IVORY,
    )
    return _ground(_NIGHT) + stars + beam + rock + tower + lamp + _sea(292, BLUE, SKY, 2)


def _windmill() -> str:
    sun = disc(275, 128, 150, "#e9893a", 0)
    land = shape("M-10 276C120 240 420 240 560 276V340H-10Z", GREEN) + stroke(
        "M60 320C160 284 240 290 300 330M300 330C380 290 460 290 520 312", 3
    )
    mill = (
        shape("M230 140H320L352 286H198Z", BROWN)
        + stroke("M222 180H328M214 216H336M206 252H344", 3, GOLD)
        + shape("M222 142C222 96 254 82 275 82C296 82 328 96 328 142Z", INK)
    )
    door = shape("M258 286V240C258 222 292 222 292 240V286Z", INK)
    sail = (
        shape("M-5 0H5V-178H-5Z", BROWN, 3)
        + shape("M5 -40H46V-174H5Z", IVORY, 3.5)
        + stroke("M5 -68H46M5 -94H46M5 -120H46M5 -146H46M26 -40V-174", 2.5)
    )
    blades = "".join(moved(sail, 275, 128, turn=angle) for angle in (28, 118, 208, 298))
    return (
        _ground(GOLD)
        + sun
        + land
        + moved(mill + door + blades + disc(275, 128, 15, GOLD), 41, 44, scale=0.85)
    )


def _oak() -> str:
    trunk = shape(
        "M236 330C262 290 254 240 236 200L262 214L270 150H284L290 212L318 196C298 240 290 290 316 330Z", BROWN
    )
    crown = "".join(
        disc(x, y, r, GREEN, 4)
        for x, y, r in (
            (150, 150, 52),
            (400, 150, 52),
            (188, 92, 56),
            (362, 92, 56),
            (275, 66, 62),
            (205, 168, 42),
            (345, 168, 42),
        )
    )
    inner = "".join(
        disc(x, y, r - 3, GREEN, 0)
        for x, y, r in (
            (150, 150, 52),
            (400, 150, 52),
            (188, 92, 56),
            (362, 92, 56),
            (275, 66, 62),
            (205, 168, 42),
            (345, 168, 42),
        )
    ) + disc(275, 140, 60, GREEN, 0)
    leaves = "".join(
        stroke(f"M{x} {y}q12 -16 24 0q12 -16 24 0", 3, "#86b08c")
        for x, y in ((130, 140), (176, 84), (250, 50), (330, 84), (364, 146), (216, 128), (290, 118))
    )
    acorn = shape("M-11 0C-11 22 -4 30 0 34C4 30 11 22 11 0Z", GOLD, 3) + shape(
        "M-14 2C-14 -14 14 -14 14 2Z", BROWN, 3
    )
    acorns = "".join(
        moved(acorn, x, y)
        for x, y in ((168, 160), (226, 96), (275, 152), (322, 92), (386, 164), (120, 150), (430, 144))
    )
    grass = shape("M-10 300C140 278 410 278 560 300V340H-10Z", "#6f9a72") + "".join(
        stroke(f"M{x} 326l-6 -16M{x} 326l6 -18M{x} 326v-22", 3) for x in (50, 120, 430, 500)
    )
    return (
        _ground("#efd493")
        + _rays(275, 130, 18, 460, CREAM, 0.1)
        + grass
        + trunk
        + crown
        + inner
        + leaves
        + acorns
    )


def _stork() -> str:
    roof = shape("M-10 340L120 246H430L560 340Z", RED) + "".join(
        stroke(f"M{x} {y}q12 14 24 0", 3)
        for y, xs in ((270, range(110, 420, 24)), (292, range(86, 450, 24)), (314, range(50, 490, 24)))
        for x in xs
    )
    chimney = shape("M226 200H324V262H226Z", _STONE) + stroke(
        "M226 222H324M226 242H324M258 200V222M292 222V242M258 242V262", 3
    )
    nest = shape("M176 168C200 214 350 214 374 168C350 182 200 182 176 168Z", BROWN) + stroke(
        "M186 180L236 200M210 190L300 200M360 180L310 200M250 186L330 196M190 172L170 160M364 172L384 158",
        3.5,
    )
    legs = stroke("M270 172V116M292 172V116", 7) + stroke("M270 172V116M292 172V116", 4, RED)
    body = shape(
        "M208 30C226 8 254 14 252 40C250 60 252 70 268 74C320 66 372 84 388 122C350 140 290 140 258 120"
        "C234 104 232 74 228 52C226 42 218 36 208 30Z",
        IVORY,
    )
    wing = shape("M300 84C350 84 400 100 424 140C384 140 330 136 304 116Z", INK)
    bill = shape("M212 28L130 60L208 46Z", RED, 3.5)
    chick = mirrored(
        shape("M196 160C190 140 214 132 222 150L212 174Z", IVORY, 3)
        + shape("M196 148L176 150L196 156Z", RED, 2.5),
        _MID,
    )
    return (
        _ground(SKY)
        + _cloud(88, 130, 0.9)
        + _cloud(482, 60, 0.9)
        + roof
        + chimney
        + legs
        + body
        + wing
        + bill
        + disc(228, 30, 4.5, INK, 0)
        + chick
        + nest
    )


def _hourglass() -> str:
    frame = shape("M178 26H372V54H178Z", BROWN) + shape("M178 290H372V318H178Z", BROWN)
    posts = mirrored(shape("M190 54H206V290H190Z", GOLD), _MID)
    glass = shape(
        "M216 54H334C334 120 300 150 288 172C300 194 334 224 334 290H216C216 224 250 194 262 172"
        "C250 150 216 120 216 54Z",
        IVORY,
    )
    sand = (
        shape("M227 96H323C316 124 298 146 284 168H266C252 146 234 124 227 96Z", RED, 3)
        + shape("M224 290C236 248 262 236 275 226C288 236 314 248 326 290Z", RED, 3)
        + stroke("M275 168V232", 4, RED)
    )
    scythe = (
        stroke("M112 330L438 20", 15)
        + stroke("M112 330L438 20", 9, BROWN)
        + shape("M438 22C390 -2 316 0 262 44C330 22 386 28 424 44Z", "#c9d3d9")
    )
    wing = mirrored(
        "".join(
            moved(
                shape("M0 0C-30 -8 -92 -8 -124 12C-92 28 -30 26 0 18Z", IVORY, 3.5),
                186,
                190 + k * 6,
                turn=36 - k * 17,
            )
            for k in range(5)
        ),
        _MID,
    )
    return (
        _ground(GREEN) + _rays(275, 172, 16, 420, "#4c7e60", 0) + scythe + wing + posts + glass + sand + frame
    )


def _jugs() -> str:
    jug = (
        shape(
            "M-40 -70H30L56 -92L50 -56C40 -40 60 -20 66 12C70 54 44 80 0 80C-46 80 -72 54 -68 12"
            "C-62 -20 -36 -40 -40 -70Z",
            GOLD,
        )
        + stroke("M-46 -40C-96 -50 -112 20 -66 34", 15)
        + stroke("M-46 -40C-96 -50 -112 20 -66 34", 8, GOLD)
        + shape("M-66 4C-30 18 30 18 65 4L66 34C30 48 -30 48 -66 34Z", BLUE, 3.5)
        + "".join(disc(x, 30 - abs(x) / 12, 6, IVORY, 0) for x in (-40, -14, 14, 40))
    )
    water = (
        stroke("M216 118C280 120 316 150 330 224", 26)
        + stroke("M216 118C280 120 316 150 330 224", 18, SKY)
        + stroke("M220 116C280 118 310 150 324 220", 4, IVORY)
    )
    bowl = (
        shape(
            "M236 222H440C436 274 398 296 360 300V312H400V328H276V312H316V300C278 296 240 274 236 222Z", GOLD
        )
        + shape("M230 212H446V232H230Z", GOLD)
        + shape("M250 246C300 262 376 262 428 246L424 262C376 278 300 278 254 262Z", BLUE, 3)
    )
    blooms = "".join(
        "".join(
            moved(shape("M0 0C-12 -6 -12 -24 0 -28C12 -24 12 -6 0 0Z", IVORY, 3), x, y, turn=72 * k)
            for k in range(5)
        )
        + disc(x, y, 7, GOLD, 2.5)
        for x, y in ((76, 270), (480, 84), (492, 286), (390, 120))
    )
    return (
        _ground("#a33b2b")
        + _rays(330, 230, 20, 480, RED, 0)
        + water
        + moved(jug, 138, 96, turn=24)
        + bowl
        + blooms
    )


def _bonfire() -> str:
    def tongue(scale: float, colour: str) -> str:
        return moved(
            shape(
                "M0 0C-90 0 -118 -60 -84 -118C-78 -96 -66 -86 -54 -86C-66 -140 -30 -170 -10 -222"
                "C20 -190 10 -160 30 -134C40 -146 42 -160 38 -176C84 -140 120 -60 84 -20C66 -4 30 0 0 0Z",
                colour,
                4 / scale,
            ),
            275,
            290,
            scale=scale,
        )

    logs = "".join(
        moved(
            shape("M-120 -14H120V14H-120Z", BROWN)
            + disc(120, 0, 14, CREAM, 3.5)
            + disc(120, 0, 5, CREAM, 2.5),
            275,
            290,
            turn=angle,
        )
        for angle in (14, 166, 0)
    )
    sparks = _sparks(
        (
            (120, 90, 12),
            (430, 70, 12),
            (160, 40, 8),
            (386, 120, 9),
            (100, 170, 8),
            (456, 160, 9),
            (330, 30, 8),
            (208, 82, 7),
            (370, 60, 6),
        ),
        GOLD,
    )
    sea = shape("M-10 238H560V300H-10Z", BLUE, 3.5) + stroke(
        "M40 256h40m30 12h36M420 254h44m20 16h34M90 244h20m360 -2h26", 3, SKY
    )
    beach = shape("M-10 282H560V340H-10Z", "#c99a4b") + stroke(
        "M60 306h26M130 318h18M430 316h24M490 302h18", 3, BROWN
    )
    glow = "".join(disc(275, 200, r, c, 0) for r, c in ((190, "#3a2331"), (140, "#5c2a2e")))
    return (
        _ground(INK)
        + glow
        + sea
        + beach
        + sparks
        + tongue(1.12, RED)
        + tongue(0.8, "#e9893a")
        + tongue(0.5, GOLD)
        + logs
    )


def _tower() -> str:
    body = shape("M206 110H344L358 340H192Z", _STONE) + stroke(
        "M204 150H346M201 190H349M199 230H351M196 270H354M194 306H356M250 110V150M300 110V150M226 150V190"
        "M276 150V190M322 150V190M250 190V230M304 190V230M226 230V270M326 230V270M250 270V306M304 270V306",
        3,
    )
    crown = moved(
        shape("M-86 0V-54H-58V-34H-30V-54H-2V-34H26V-54H54V-34H82V0Z", _STONE) + stroke("M-86 -16H82", 3),
        318,
        84,
        turn=24,
    )
    flames = shape(
        "M208 112C184 84 206 66 202 30C232 46 234 70 246 80C250 58 264 46 258 16C300 44 298 82 306 96"
        "C316 86 318 78 316 64C344 84 350 104 342 112Z",
        RED,
        3.5,
    ) + shape(
        "M232 112C222 96 234 90 234 76C252 86 252 100 262 100C268 90 270 82 268 70C290 86 296 104 292 112Z",
        GOLD,
        3,
    )
    windows = shape("M258 222V194C258 174 292 174 292 194V222Z", GOLD) + shape(
        "M262 296V270C262 254 288 254 288 270V296Z", GOLD
    )
    bolt = shape("M470 -10L372 84L408 92L318 170L452 80L414 70L540 -10Z", GOLD)
    clouds = _cloud(96, 52, 1.15, "#8796a8") + _cloud(196, 14, 1, "#8796a8") + _cloud(440, 26, 1.2, "#8796a8")
    rain = "".join(
        stroke(f"M{x} {y}l-12 30", 3, SKY)
        for x, y in (
            (40, 110),
            (90, 130),
            (140, 104),
            (60, 190),
            (120, 210),
            (420, 150),
            (470, 130),
            (510, 190),
            (440, 230),
            (160, 260),
            (500, 270),
            (40, 270),
        )
    )
    return _ground("#4a5a72") + rain + clouds + body + flames + crown + windows + bolt


def _star() -> str:
    long_ray = shape("M0 -128L22 -40L0 0L-22 -40Z", GOLD) + shape("M0 -128L22 -40L0 0Z", "#b9822a", 0)
    short_ray = shape("M0 -84L20 -36L0 0L-20 -36Z", IVORY, 3.5)
    big = "".join(moved(short_ray, 275, 140, turn=45 + 90 * k) for k in range(4)) + "".join(
        moved(long_ray, 275, 140, turn=90 * k) for k in range(4)
    )
    small = _sparks(
        (
            (80, 70, 26),
            (470, 70, 26),
            (130, 186, 22),
            (420, 186, 22),
            (180, 40, 14),
            (370, 40, 14),
            (48, 170, 12),
            (502, 170, 12),
        ),
        IVORY,
    )
    hills = shape("M-10 280C80 236 170 240 260 280C360 236 470 240 560 276V340H-10Z", GREEN) + shape(
        "M-10 310C120 280 260 296 340 320C420 296 500 300 560 306V340H-10Z", "#6f9a72", 3.5
    )
    return (
        _ground(BLUE)
        + _rays(275, 140, 16, 420, "#335a92", math.pi / 16)
        + small
        + big
        + disc(275, 140, 16, RED)
        + hills
    )


def _moon() -> str:
    moon = shape(
        "M300 14C220 14 176 76 182 132C188 190 240 224 300 214C262 200 240 166 240 116C240 70 264 34 300 14Z",
        GOLD,
    )
    face = (
        stroke("M214 88q12 -10 22 0", 4)
        + disc(228, 100, 5, INK, 0)
        + stroke("M240 112l-16 20l12 6", 3.5)
        + stroke("M218 160q12 8 26 2", 4, RED)
    )
    stars = _sparks(
        (
            (360, 60, 18),
            (420, 120, 12),
            (340, 140, 10),
            (120, 60, 14),
            (90, 140, 10),
            (480, 50, 9),
            (60, 40, 8),
            (300, 90, 8),
        ),
        IVORY,
    )
    glitter = "".join(
        shape(f"M{275 - w} {y}H{275 + w}L{275 + w - 10} {y + 9}H{275 - w + 10}Z", GOLD, 0)
        for y, w in ((252, 26), (268, 44), (284, 34), (300, 60), (318, 46))
    )
    pines = mirrored(
        "".join(
            shape(
                f"M{x} 246V{y}L{x - 6} {y}L{x + w} {y - 90}L{x + 2 * w + 6} {y}H{x + 2 * w}V246Z",
                "#16342c",
                3,
            )
            for x, y, w in ((-14, 230, 30), (36, 236, 22), (74, 240, 16))
        ),
        _MID,
    )
    return (
        _ground(_NIGHT)
        + disc(262, 114, 128, "#2d3f72", 0)
        + stars
        + moon
        + face
        + _sea(240, BLUE, "#5577a8", 4)
        + glitter
        + pines
    )


def _sun() -> str:
    straight = shape("M-20 -78L0 -168L20 -78Z", GOLD)
    wavy = shape("M-16 -78C-34 -104 10 -116 -6 -150C30 -124 0 -104 18 -78Z", RED, 3.5)
    rays = "".join(moved(straight if k % 2 else wavy, 275, 168, turn=22.5 * k) for k in range(16))
    face = (
        disc(275, 168, 86, GOLD)
        + mirrored(
            shape("M222 156C232 144 250 144 258 156C248 166 232 166 222 156Z", IVORY, 3)
            + disc(241, 156, 6, INK, 0)
            + stroke("M218 140C230 130 250 130 260 140", 4)
            + disc(224, 190, 13, RED, 0).replace("/>", ' opacity=".5"/>'),
            _MID,
        )
        + stroke("M271 150C270 170 266 180 262 188q10 8 24 0", 3.5)
        + shape("M238 202C256 212 294 212 312 202C304 236 246 236 238 202Z", RED, 3)
    )
    return (
        _ground(SKY)
        + _rays(275, 168, 32, 480, "#bcd8e2", 0)
        + rays
        + face
        + mirrored(_cloud(48, 300, 1.1) + _cloud(40, 40, 0.8), _MID)
    )


def _lurs() -> str:
    tube = "M262 306C150 330 54 286 56 204C58 140 116 106 164 132C212 160 238 122 206 74"
    lur = (
        stroke(tube, 26)
        + stroke(tube, 18, GOLD)
        + stroke("M190 308C110 296 64 256 66 204C68 164 96 142 124 138", 3, IVORY)
    )
    bell = (
        disc(196, 66, 44, GOLD)
        + disc(196, 66, 30, BROWN, 3.5)
        + "".join(
            disc(196 + 37 * math.cos(a * math.pi / 4), 66 + 37 * math.sin(a * math.pi / 4), 4, INK, 0)
            for a in range(8)
        )
    )
    ring = shape("M-7 -18H7V18H-7Z", GOLD, 3.5)
    rings = "".join(moved(ring, x, y, turn=t) for x, y, t in ((120, 292, 24), (58, 200, 92), (164, 132, 28)))
    mouthpiece = shape("M244 294L272 290V322L244 316Z", IVORY, 3.5)
    whole = lur + rings + bell + mouthpiece
    return (
        _ground(RED)
        + _rays(275, 330, 22, 520, "#a31a26", 0.07)
        + _sparks(
            (
                (275, 150, 34),
                (275, 220, 14),
                (275, 96, 12),
                (130, 210, 12),
                (420, 210, 12),
                (60, 70, 16),
                (490, 70, 16),
            ),
            GOLD,
        )
        + mirrored(whole, _MID)
    )


def _world() -> str:
    sphere = disc(275, 167, 104, BLUE, 5)
    lands = (
        shape(
            "M196 112C220 84 262 78 284 92C276 112 290 122 276 138C252 136 246 160 226 168"
            "C212 150 190 144 196 112Z",
            GREEN,
            3,
        )
        + shape(
            "M296 150C324 138 356 148 366 172C356 208 330 236 306 240C296 216 312 204 298 188"
            "C288 176 286 160 296 150Z",
            GREEN,
            3,
        )
        + shape("M226 216C244 204 262 214 262 232C254 248 240 250 230 242C222 234 218 224 226 216Z", GREEN, 3)
        + shape("M318 90C332 92 346 104 352 118C338 122 322 112 318 90Z", GREEN, 3)
    )
    grid = stroke("M275 63V271M172 152C230 172 320 172 378 152", 2.5, SKY) + stroke(
        "M275 63C220 100 220 234 275 271C330 234 330 100 275 63", 2.5, SKY
    )
    leaves = "".join(
        moved(
            shape("M0 0C-14 -16 -14 -36 0 -52C14 -36 14 -16 0 0Z", GREEN, 3),
            275 + 132 * math.cos(a),
            167 + 132 * math.sin(a),
            turn=math.degrees(a) + 180 + lean,
        )
        for k in range(14)
        for a in (math.pi * (0.56 + k * 0.062),)
        for lean in (24, -48)
    )
    wreath = mirrored(leaves, _MID)
    ribbon = mirrored(
        shape("M275 296C250 282 226 290 220 308L200 334H236L254 318L275 310Z", RED, 3.5), _MID
    ) + disc(275, 302, 14, GOLD)
    corners = (
        suit_sign("S", 64, 66, 76, INK)
        + suit_sign("H", 486, 66, 76, RED)
        + suit_sign("D", 64, 268, 76, RED)
        + suit_sign("C", 486, 268, 76, INK)
    )
    return (
        _ground(CREAM)
        + _rays(275, 167, 28, 480, "#f6e8c6", 0)
        + moved(wreath + sphere + lands + grid + disc(275, 167, 104, "none", 5) + ribbon, 27.5, 22, scale=0.9)
        + corners
    )


_SCENES: dict[int, Callable[[], str]] = dict(
    enumerate(
        (
            _conjuror,
            _owl,
            _sheaf,
            _castle,
            _round_church,
            _swans,
            _longship,
            _scales,
            _lighthouse,
            _windmill,
            _oak,
            _stork,
            _hourglass,
            _jugs,
            _bonfire,
            _tower,
            _star,
            _moon,
            _sun,
            _lurs,
            _world,
        ),
        1,
    )
)
