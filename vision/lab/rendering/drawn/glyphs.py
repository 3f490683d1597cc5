"""Shared parts of the drawn deck as SVG text: outlines of digits and letters, suit signs, and the palette.

Lengths are in card units, a tenth of a millimetre; y is down.
"""

# The main colours of the deck.
IVORY = "#fbf5e6"
CREAM = "#f1e3c3"
INK = "#1b2030"
RED = "#b9202c"
GOLD = "#d9a43a"
BLUE = "#27497c"
SKY = "#a5c8d6"
GREEN = "#3e7052"
SKIN = "#f2d3b3"
BROWN = "#7b4a2c"

_CAP_HEIGHT = 750  # of the outlines below
_TIGHTER = 30  # subtracted from the advance width, since an index is set closely

# Outlines of DejaVu Serif Condensed Bold, halved to 1024 units an em: (advance width, path with the baseline at
# y = 0). Bitstream Vera licence; the DejaVu changes are in the public domain. Free to embed, copy and change.
_OUTLINES: dict[str, tuple[int, str]] = {
    "0": (
        641,
        (
            "M321 -44Q375 -44 395 -98Q415 -153 415 -372Q415 -590 395 -646Q375 -702 321 -702"
            "Q267 -702 247 -647Q227 -592 227 -372Q227 -153 247 -98Q267 -44 321 -44ZM321 14Q186 14 115 -85"
            "Q43 -185 43 -372Q43 -560 115 -660Q186 -760 321 -760Q455 -760 526 -660Q598 -560 598 -372"
            "Q598 -185 526 -85Q455 14 321 14Z"
        ),
    ),
    "1": (641, ("M126 0V-60H252V-664L112 -572V-647L281 -760H423V-60H550V0Z")),
    "2": (
        641,
        (
            "M122 -562H68V-723Q122 -742 176 -751Q230 -760 285 -760Q413 -760 485 -702Q556 -644 556 -540"
            "Q556 -466 517 -407Q478 -348 366 -268L178 -131H497V-219H558V0H62V-122L161 -198"
            "Q288 -296 331 -364Q373 -433 373 -524Q373 -611 341 -656Q308 -702 247 -702Q194 -702 162 -666"
            "Q130 -630 122 -562Z"
        ),
    ),
    "3": (
        641,
        (
            "M79 -725Q138 -742 194 -751Q250 -760 304 -760Q425 -760 490 -712Q555 -664 555 -574"
            "Q555 -506 518 -464Q480 -422 408 -408Q496 -392 539 -341Q582 -290 582 -202Q582 -97 508 -41"
            "Q434 14 292 14Q239 14 182 4Q126 -6 64 -26V-190H119Q124 -118 159 -81Q194 -44 256 -44"
            "Q324 -44 362 -86Q399 -128 399 -206Q399 -287 360 -331Q322 -375 250 -375H220V-435H244"
            "Q310 -435 343 -469Q376 -503 376 -570Q376 -634 345 -668Q314 -702 255 -702Q202 -702 171 -669"
            "Q140 -637 134 -576H79Z"
        ),
    ),
    "4": (
        641,
        ("M588 0H218V-60H318V-196H38V-254L319 -760H488V-261H604V-196H488V-60H588ZM318 -261V-624L118 -261Z"),
    ),
    "5": (
        641,
        (
            "M520 -746V-616H160V-452Q190 -477 226 -490Q263 -503 304 -503Q428 -503 500 -433"
            "Q572 -364 572 -244Q572 -122 500 -54Q428 14 298 14Q243 14 189 4Q134 -6 76 -26V-190H130"
            "Q132 -116 164 -80Q196 -44 258 -44Q324 -44 356 -93Q388 -142 388 -244Q388 -343 357 -392"
            "Q326 -442 262 -442Q228 -442 201 -426Q174 -410 151 -377H106V-746Z"
        ),
    ),
    "6": (
        641,
        (
            "M227 -442Q256 -468 292 -482Q328 -494 371 -494Q474 -494 533 -428Q592 -360 592 -244"
            "Q592 -120 526 -53Q460 14 338 14Q200 14 129 -78Q58 -170 58 -349Q58 -552 137 -656"
            "Q216 -760 370 -760Q411 -760 457 -752Q504 -745 556 -730V-598H502Q491 -649 460 -675"
            "Q428 -702 379 -702Q299 -702 263 -640Q227 -580 227 -442ZM327 -44Q374 -44 393 -88"
            "Q413 -132 413 -240Q413 -348 393 -391Q374 -435 327 -435Q281 -435 261 -391Q242 -348 242 -240"
            "Q242 -132 261 -88Q281 -44 327 -44Z"
        ),
    ),
    "7": (641, ("M565 -620 288 0H196L466 -605H134V-504H73V-746H565Z")),
    "8": (
        641,
        (
            "M428 -398Q508 -383 550 -332Q592 -281 592 -198Q592 -96 522 -40Q452 14 320 14Q188 14 118 -40"
            "Q48 -96 48 -198Q48 -281 90 -332Q132 -383 211 -398Q140 -416 105 -458Q70 -500 70 -565"
            "Q70 -660 134 -710Q198 -760 320 -760Q442 -760 506 -710Q570 -660 570 -565Q570 -500 534 -458"
            "Q499 -416 428 -398ZM396 -563Q396 -642 378 -672Q362 -702 320 -702Q278 -702 261 -672"
            "Q244 -642 244 -563Q244 -484 261 -455Q278 -426 320 -426Q362 -426 379 -455Q396 -484 396 -563Z"
            "M413 -207Q413 -298 392 -333Q371 -368 320 -368Q268 -368 248 -333Q227 -298 227 -207"
            "Q227 -114 248 -79Q268 -44 320 -44Q371 -44 392 -79Q413 -114 413 -207Z"
        ),
    ),
    "9": (
        641,
        (
            "M314 -702Q268 -702 248 -658Q228 -614 228 -506Q228 -398 248 -354Q268 -310 314 -310"
            "Q360 -310 380 -354Q400 -398 400 -506Q400 -614 380 -658Q360 -702 314 -702ZM414 -304"
            "Q385 -278 349 -264Q312 -251 270 -251Q168 -251 109 -318Q50 -384 50 -502Q50 -626 116 -693"
            "Q182 -760 304 -760Q441 -760 512 -668Q583 -575 583 -396Q583 -193 504 -89Q426 14 271 14"
            "Q230 14 184 7Q138 0 84 -16V-148H139Q150 -96 182 -70Q213 -44 263 -44Q342 -44 378 -105"
            "Q414 -166 414 -304Z"
        ),
    ),
    "V": (715, ("M728 -746V-686H672L419 0H312L58 -686H-5V-746H310V-686H245L426 -192L609 -686H529V-746Z")),
    "C": (
        733,
        (
            "M686 -213Q660 -98 591 -42Q522 14 406 14Q236 14 137 -90Q38 -194 38 -372Q38 -552 137 -656"
            "Q236 -760 406 -760Q466 -760 531 -744Q596 -728 668 -696V-512H611Q594 -606 547 -653"
            "Q501 -700 425 -700Q326 -700 279 -619Q232 -539 232 -372Q232 -206 279 -126Q326 -46 426 -46"
            "Q493 -46 536 -88Q578 -129 597 -213Z"
        ),
    ),
    "D": (
        799,
        (
            "M302 -60H365Q470 -60 519 -136Q568 -210 568 -374Q568 -536 519 -611Q470 -686 365 -686H302Z"
            "M43 0V-60H129V-686H43V-746H388Q569 -746 665 -650Q760 -554 760 -374Q760 -192 664 -96"
            "Q568 0 388 0Z"
        ),
    ),
    "R": (
        765,
        (
            "M489 -364Q529 -358 556 -335Q584 -312 604 -268L702 -60H772V0H550L443 -226Q412 -296 390 -315"
            "Q368 -334 330 -334H302V-60H389V0H43V-60H129V-686H43V-746H426Q544 -746 607 -694"
            "Q671 -642 671 -546Q671 -468 626 -423Q580 -378 489 -364ZM302 -394H362Q424 -394 458 -432"
            "Q492 -470 492 -540Q492 -611 458 -648Q424 -686 362 -686H302Z"
        ),
    ),
}

_SUIT_PATHS = {
    "S": (
        "M0 -50C9 -30 46 -8 46 19C46 34 35 42 24 42C15 42 9 38 5 31"
        "C6 41 10 47 19 50L-19 50C-10 47 -6 41 -5 31"
        "C-9 38 -15 42 -24 42C-35 42 -46 34 -46 19C-46 -8 -9 -30 0 -50Z"
    ),
    "H": (
        "M0 50C-8 28 -47 6 -47 -21C-47 -38 -36 -47 -24 -47C-12 -47 -3 -40 0 -28C3 -40 12 -47 24 -47"
        "C36 -47 47 -38 47 -21C47 6 8 28 0 50Z"
    ),
    "D": "M0 -50C9 -30 22 -13 38 0C22 13 9 30 0 50C-9 30 -22 13 -38 0C-22 -13 -9 -30 0 -50Z",
    "C": (
        "M0 -50C13 -50 23 -40 23 -28C23 -20 19 -14 13 -9C17 -11 21 -12 25 -12C38 -12 48 -2 48 11"
        "C48 24 38 33 26 33"
        "C17 33 9 29 5 21C6 38 10 47 20 50L-20 50C-10 47 -6 38 -5 21C-9 29 -17 33 -26 33C-38 33 -48 24 -48 11"
        "C-48 -2 -38 -12 -25 -12C-21 -12 -17 -11 -13 -9C-19 -14 -23 -20 -23 -28C-23 -40 -13 -50 0 -50Z"
    ),
    "*": (
        "M0 -50L10 -17L35 -35L18 -9L49 0L18 9L35 35L10 17L0 50"
        "L-10 17L-35 35L-18 9L-49 0L-18 -9L-35 -35L-10 -17Z"
    ),
}


def svg_number(value: float) -> str:
    """A coordinate as SVG text, with at most two decimals and no trailing zeros."""
    return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")


def shape(path: str, fill: str, line: float = 4, ink: str = INK) -> str:
    """A filled path with an outline `line` units thick; 0 draws none."""
    stroke = f' stroke="{ink}" stroke-width="{svg_number(line)}" stroke-linejoin="round"' if line else ""
    return f'<path d="{path}" fill="{fill}"{stroke}/>'


def stroke(path: str, line: float = 4, ink: str = INK) -> str:
    """An open line `line` units thick with round ends."""
    return (
        f'<path d="{path}" fill="none" stroke="{ink}" stroke-width="{svg_number(line)}" stroke-linecap="round"'
        ' stroke-linejoin="round"/>'
    )


def disc(x: float, y: float, radius: float, fill: str, line: float = 4, ink: str = INK) -> str:
    """A filled circle with an outline `line` units thick; 0 draws none."""
    edge = f' stroke="{ink}" stroke-width="{svg_number(line)}"' if line else ""
    return f'<circle cx="{svg_number(x)}" cy="{svg_number(y)}" r="{svg_number(radius)}" fill="{fill}"{edge}/>'


def mirrored(drawing: str, axis: float) -> str:
    """The drawing, and its mirror image about the vertical line x = axis."""
    return f'{drawing}<g transform="translate({svg_number(2 * axis)} 0) scale(-1 1)">{drawing}</g>'


def moved(drawing: str, x: float, y: float, *, turn: float = 0, scale: float = 1) -> str:
    """The drawing scaled, rotated by `turn` degrees clockwise, and moved so that its origin is at (x, y)."""
    turned = f" rotate({svg_number(turn)})" if turn else ""
    scaled = f" scale({svg_number(scale)})" if scale != 1 else ""
    return f'<g transform="translate({svg_number(x)} {svg_number(y)}){turned}{scaled}">{drawing}</g>'


def suit_sign(sign: str, x: float, y: float, size: float, fill: str, *, upside_down: bool = False) -> str:
    """The sign "S", "H", "D", "C" or the fool's star "*", `size` units high, centred on (x, y)."""
    scale = svg_number(size / 100)
    turn = " rotate(180)" if upside_down else ""
    at = f"translate({svg_number(x)} {svg_number(y)}){turn} scale({scale})"
    return f'<path transform="{at}" fill="{fill}" d="{_SUIT_PATHS[sign]}"/>'


def lettering(text: str, x: float, baseline: float, height: float, fill: str, *, widest: float = 1e9) -> str:
    """`text` (digits and V C D R) `height` units high, centred on x, standing on `baseline`.

    Text wider than `widest` units is narrowed to that width; its height stays.
    """
    width = sum(_OUTLINES[char][0] - _TIGHTER for char in text)
    scale_y = height / _CAP_HEIGHT
    scale_x = min(scale_y, widest / width)
    parts = []
    left = -width / 2 - _TIGHTER / 2
    for char in text:
        advance, path = _OUTLINES[char]
        at = f"translate({svg_number(x + left * scale_x)} {svg_number(baseline)}) scale({scale_x:.4f} {scale_y:.4f})"
        parts.append(f'<path transform="{at}" fill="{fill}" d="{path}"/>')
        left += advance - _TIGHTER
    return "".join(parts)
