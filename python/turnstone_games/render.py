"""Scenes as text and as pictures, with nothing but numpy."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._checks import refusal

_INKS = {
    "plain": (220, 220, 220), "ours": (110, 190, 255), "theirs": (255, 120, 110), "neutral": (190, 190, 150),
    "good": (140, 220, 120), "bad": (255, 90, 90), "special": (220, 140, 255), "faint": (120, 120, 120),
}
_GROUNDS = {
    "plain": (52, 56, 64), "dark": (38, 41, 48), "wall": (96, 90, 84), "rough": (78, 70, 50), "water": (38, 66, 104),
    "hot": (104, 46, 38), "bright": (46, 92, 66), "hidden": (16, 17, 20), "recent": (92, 88, 44),
}

# Letters of three by five points, a row in each digit: 4 is the left point, 2 the middle, 1 the right.
_FONT = {
    "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644", "G": "34553", "H": "55755",
    "I": "72227", "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555", "O": "25552", "P": "65644",
    "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552", "W": "55775", "X": "55255",
    "Y": "55222", "Z": "71247", "0": "75557", "1": "26227", "2": "61247", "3": "61216", "4": "55711", "5": "74616",
    "6": "34757", "7": "71222", "8": "75757", "9": "75716", ".": "00002", ",": "00024", ":": "02020", "!": "22202",
    "?": "61202", "-": "00700", "+": "02720", "/": "11244", "(": "12221", ")": "42224", "#": "57575", "*": "05250",
    "=": "07070", "@": "25743", "'": "22000", "$": "36236", "<": "12421", ">": "42124", "^": "25000", "_": "00007",
    "~": "03600", "%": "51245", "&": "25253", "|": "22222", ";": "02024", '"': "55000", "·": "00200", "→": "42124",
    "[": "64446", "]": "31113", "×": "05250", "█": "77777", "▓": "77577", "▒": "52525", "░": "20502", "✗": "05250",
    "–": "00700", "—": "00700", "’": "22000", "…": "00007", "±": "27207", "›": "42124", "‹": "12421",
}
# Men are drawn as letters; their ink says whose they are.
_FONT.update({sign: _FONT[letter] for signs in ("♔♕♖♗♘♙", "♚♛♜♝♞♟") for sign, letter in zip(signs, "KQRBNP")})


def draw(scene: dict[str, Any], mode: str) -> Any:
    """A scene as text (``ansi``) or as an array of red, green and blue (``rgb_array``)."""
    if mode == "ansi":
        return text(scene)
    if mode == "rgb_array":
        return picture(scene)
    raise refusal("BAD_OPTION", f'there is no render mode "{mode}"; there are: ansi, rgb_array')


def _rows(board: dict[str, Any]) -> list[list[dict[str, Any]]]:
    width = board["width"]
    return [board["cells"][first : first + width] for first in range(0, len(board["cells"]), width)]


def text(scene: dict[str, Any]) -> str:
    """A scene as lines of text."""
    lines = [scene["title"]]
    board = scene.get("board")
    if board:
        wide = max([len(cell["text"]) for cell in board["cells"]] + [1])
        for row in _rows(board):
            lines.append(" ".join((cell["text"] or ".").ljust(wide) for cell in row).rstrip())
    for panel in scene["panels"]:
        lines.append(f"-- {panel['title']}")
        lines += [f"   {item['text']}" for item in panel["items"]]
    if scene.get("question"):
        lines.append(scene["question"])
    return "\n".join(lines) + "\n"


def _write(image: np.ndarray, x: int, y: int, words: str, ink: tuple[int, int, int], scale: int = 2) -> None:
    for letter in words.upper():
        rows = _FONT.get(letter)
        if rows and x + 3 * scale <= image.shape[1] and y + 5 * scale <= image.shape[0]:
            for down, bits in enumerate(rows):
                for right in range(3):
                    if int(bits) >> (2 - right) & 1:
                        top, left = y + down * scale, x + right * scale
                        image[top : top + scale, left : left + scale] = ink
        x += 4 * scale


def picture(scene: dict[str, Any], width: int = 640, height: int = 480) -> np.ndarray:
    """A scene as a picture, always of the same size."""
    image = np.full((height, width, 3), 24, np.uint8)
    _write(image, 8, 8, scene["title"], _INKS["plain"])
    left = 8
    board = scene.get("board")
    if board:
        side = max(4, min((height - 40) // max(board["height"], 1), (width - 180) // max(board["width"], 1), 48))
        for down, row in enumerate(_rows(board)):
            for right, cell in enumerate(row):
                y, x = 28 + down * side, 8 + right * side
                image[y : y + side - 1, x : x + side - 1] = _GROUNDS.get(cell["ground"], (52, 56, 64))
                scale = max(1, min(side // 6, (side - 2) // (4 * max(len(cell["text"]), 1))))
                drop = max(0, (side - 5 * scale) // 2)
                _write(image, x + 2, y + drop, cell["text"], _INKS.get(cell["ink"], (220,) * 3), scale)
        left = 16 + board["width"] * side
    y = 28
    for panel in scene["panels"]:
        for words, ink in [(panel["title"], "special")] + [(item["text"], item["ink"]) for item in panel["items"]]:
            if y + 12 > height:
                return image
            _write(image, left, y, words, _INKS.get(ink, (220,) * 3))
            y += 13
    return image
