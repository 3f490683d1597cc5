"""A contact sheet of rendered scenes and crops: `python -m vision.lab.rendering.contact_sheet DECK OUT.jpg`."""

import argparse
from pathlib import Path

import cv2
import numpy as np

from tracker.cards import CARDS
from vision.decks import BACK, load_deck
from vision.lab.rendering.crops import render_crop
from vision.lab.rendering.scene import open_studio, render_scene
from vision.picture import CROP_PX

COLUMNS, ROWS, SIZE = 4, 5, (672, 378)


def main() -> None:
    """Render scenes with their ground truth outlined (faces green, backs orange), and crops below them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("deck", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = np.random.default_rng(args.seed)
    studio = open_studio(rng, [load_deck(args.deck)], cloths=60, backs=12)
    tiles = []
    for _ in range(COLUMNS * ROWS):
        scene = render_scene(rng, studio, SIZE)
        for card in scene.cards:
            color = (0, 140, 255) if card.card == BACK else (0, 220, 0)
            cv2.polylines(scene.picture, [card.corners_px.astype(np.int32)], True, color, 1, cv2.LINE_AA)
        tiles.append(scene.picture)
    rows = [np.hstack(tiles[i : i + COLUMNS]) for i in range(0, len(tiles), COLUMNS)]
    across = COLUMNS * SIZE[0] // CROP_PX
    names = [CARDS[int(i)] for i in rng.permutation(len(CARDS))[: 2 * across]]
    crops = [render_crop(rng, studio, name) for name in names]
    rows += [np.hstack(crops[i : i + across]) for i in (0, across)]
    cv2.imwrite(str(args.out), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 85])


if __name__ == "__main__":
    main()
