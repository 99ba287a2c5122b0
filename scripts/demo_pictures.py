"""Draws the pictures of the demo calendars: ``python scripts/demo_pictures.py``."""

import math
from collections.abc import Callable
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

FOLDER = Path(__file__).parent.parent / "calendar_app" / "cli" / "demo" / "pictures"
_SCALE = 2  # drawn larger, then made smaller, for smooth edges
_SKY, _SUN, _SNOW, _NIGHT = "#f6d9a8", "#e8743b", "#fbf6ec", "#16243f"
_PINE, _LAKE, _ROSE, _STRAW, _CLAY, _PLUM = (
    "#1f5a54",
    "#2f7f93",
    "#c8455b",
    "#eab949",
    "#9c4a32",
    "#4b2d5c",
)
Point = tuple[float, float]


class Canvas:
    """A drawing in units of a hundredth of the height, the origin on top at the left."""

    def __init__(self, name: str, width: int, height: int, ground: str) -> None:
        self.random = Random(name)  # noqa: S311  # the same picture each time
        self.size = (width, height)
        self._unit = height * _SCALE / 100
        self.width = width / height * 100
        self._image = Image.new("RGB", (width * _SCALE, height * _SCALE), ground)
        self._draw = ImageDraw.Draw(self._image)

    def shape(self, points: list[Point], color: str) -> None:
        self._draw.polygon([(x * self._unit, y * self._unit) for x, y in points], color)

    def disc(self, x: float, y: float, radius: float, color: str) -> None:
        box = (x - radius, y - radius, x + radius, y + radius)
        self._draw.ellipse([side * self._unit for side in box], color)

    def box(self, x: float, y: float, width: float, height: float, color: str) -> None:
        self.shape([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], color)

    def arc(self, x: float, y: float, radius: float, width: float, color: str) -> None:
        box = [side * self._unit for side in (x - radius, y - radius, x + radius, y + radius)]
        self._draw.arc(box, 180, 360, color, int(width * self._unit))

    def hills(self, level: float, rough: float, color: str) -> None:
        """Draw a ridge from one side to the other, and all that lies below it."""
        phases = [self.random.uniform(0, math.tau) for _ in range(3)]
        ridge = []
        for step in range(121):
            x = self.width * step / 120
            waves = (math.sin(x / 60 * n * 2 + phase) / n for n, phase in enumerate(phases, 1))
            ridge.append((x, level + rough * sum(waves)))
        self.shape([*ridge, (self.width, 100), (0, 100)], color)

    def peaks(self, level: float, height: float, color: str, snow: str = "") -> None:
        """Draw pointed mountains, with ``snow`` on top."""
        x = -10.0
        while x < self.width + 10:
            half, top = self.random.uniform(18, 32), level - height * self.random.uniform(0.6, 1)
            self.shape([(x - half, 100), (x, top), (x + half, 100)], color)
            if snow:
                part = 0.22
                x_start, right = x - half * part, x + half * part
                foot = top + (100 - top) * part
                edge = [(right, foot), (x + 2, foot - 4), (x, foot), (x - 3, foot - 4)]
                self.shape([(x_start, foot), (x, top), *edge], snow)
            x += half * 1.15

    def save(self, name: str) -> None:
        small = self._image.resize(self.size, Image.Resampling.LANCZOS)
        small.save(FOLDER / f"{name}.webp", quality=82, method=6)


def _valley(canvas: Canvas) -> None:
    canvas.disc(canvas.width * 0.72, 30, 11, _SUN)
    canvas.peaks(58, 42, "#7c93a8", _SNOW)
    canvas.hills(66, 3, "#4d8a7c")
    canvas.hills(78, 3, _PINE)


def market(canvas: Canvas) -> None:
    canvas.hills(44, 4, "#cfe0cf")
    for number, color in enumerate((_ROSE, _PINE, _STRAW)):
        x = 10 + number * 46
        for stripe in range(6):
            tone = color if stripe % 2 == 0 else _SNOW
            canvas.box(x + stripe * 6, 30, 6, 13, tone)
            canvas.disc(x + stripe * 6 + 3, 43, 3, tone)
        canvas.box(x + 1, 43, 1.5, 45, _CLAY)
        canvas.box(x + 33.5, 43, 1.5, 45, _CLAY)
        canvas.box(x - 1, 70, 38, 20, _CLAY)
        for fruit in range(9):
            tone = canvas.random.choice((_SUN, _ROSE, _STRAW, "#6a9a3c"))
            canvas.disc(x + 3 + fruit * 4, 68 - fruit % 2 * 3, 3, tone)
    canvas.box(0, 90, canvas.width, 10, "#b9a387")


def church(canvas: Canvas) -> None:
    _valley(canvas)
    canvas.box(48, 44, 13, 44, _SNOW)
    canvas.shape([(46, 44), (54.5, 16), (63, 44)], _CLAY)
    canvas.box(61, 60, 36, 28, "#efe6d6")
    canvas.shape([(58, 60), (66, 46), (94, 46), (101, 60)], _CLAY)
    canvas.disc(54.5, 52, 3, _LAKE)
    for window in range(3):
        canvas.box(68 + window * 9, 68, 3.5, 12, _LAKE)
        canvas.disc(69.75 + window * 9, 68, 1.75, _LAKE)
    canvas.hills(90, 1, "#174740")


def cinema(canvas: Canvas) -> None:
    for beam in range(3):
        canvas.shape([(75, -4), (18 - beam * 6, 70), (132 + beam * 6, 70)], "#22365c")
    canvas.box(26, 14, 98, 48, _SNOW)
    canvas.disc(92, 30, 7, _SUN)
    canvas.shape([(26, 62), (50, 32), (66, 48), (84, 26), (124, 62)], _LAKE)
    for row in range(3):
        for seat in range(12 - row):
            x = 6 + row * 6 + seat * 12.5
            canvas.disc(x, 76 + row * 9, 5, (_ROSE, _CLAY, _PLUM)[row])
            canvas.box(x - 5, 76 + row * 9, 10, 30, (_ROSE, _CLAY, _PLUM)[row])


def concert(canvas: Canvas) -> None:
    for ring in range(9, 0, -1):
        tone = (_ROSE, _SUN, _STRAW)[ring % 3]
        canvas.disc(48, 62, ring * 8, tone)
    canvas.disc(48, 62, 7, _NIGHT)
    for number in range(5):
        canvas.box(96 + number * 9, 18 + number * 4, 3, 70 - number * 8, _SNOW)
    for x, y in ((104, 84), (122, 76), (139, 66)):
        canvas.disc(x, y, 5, _SNOW)
        canvas.box(x + 3.4, y - 28, 1.7, 28, _SNOW)


def hike(canvas: Canvas) -> None:
    canvas.disc(36, 28, 10, _SUN)
    canvas.peaks(62, 52, "#8fa3b5", _SNOW)
    canvas.hills(68, 4, "#5c9a86")
    canvas.hills(80, 4, _PINE)
    path = [(70, 100), (88, 92), (78, 86), (92, 80), (86, 76), (94, 73), (97, 74)]
    canvas.shape([*path, (92, 77), (98, 81), (86, 87), (98, 93), (84, 100)], _SKY)
    for _ in range(16):
        x, y = canvas.random.uniform(0, 64), canvas.random.uniform(80, 96)
        canvas.shape([(x - 3, y), (x, y - 11), (x + 3, y)], "#123f3a")


def night(canvas: Canvas) -> None:
    for _ in range(150):
        x, y = canvas.random.uniform(0, canvas.width), canvas.random.uniform(0, 70)
        canvas.disc(x, y, canvas.random.choice((0.25, 0.35, 0.6)), _SNOW)
    canvas.disc(112, 24, 9, _STRAW)
    canvas.disc(108, 22, 8, _NIGHT)
    canvas.peaks(70, 36, "#2a3d63")
    canvas.hills(82, 3, "#1b2c4c")
    canvas.shape([(30, 88), (46, 70), (62, 88)], _SUN)
    canvas.shape([(43, 88), (46, 74), (49, 88)], _STRAW)


def exhibition(canvas: Canvas) -> None:
    canvas.box(0, 84, canvas.width, 16, "#cbb89c")
    canvas.box(11, 12, 45, 60, _CLAY)
    canvas.box(13.5, 14.5, 40, 55, _SNOW)
    canvas.disc(33.5, 36, 11, _STRAW)
    canvas.disc(33.5, 30, 11.5, _PLUM)
    canvas.disc(33.5, 38, 9, "#f0c9a0")
    canvas.shape([(15, 69.5), (22, 54), (45, 54), (52, 69.5)], _ROSE)
    canvas.box(29.5, 45, 8, 11, "#f0c9a0")
    canvas.disc(30, 37, 1, _NIGHT)
    canvas.disc(37, 37, 1, _NIGHT)
    canvas.box(31, 42, 5, 0.8, _CLAY)


def children(canvas: Canvas) -> None:
    colors = (_ROSE, _SUN, _STRAW, "#6a9a3c", _LAKE, _PLUM)
    for number, color in enumerate(colors):
        canvas.arc(75, 92, 66 - number * 7, 7.2, color)
    for x, y in ((18, 86), (30, 90), (120, 90), (134, 86)):
        canvas.disc(x, y, 11, _SNOW)
    canvas.box(0, 92, canvas.width, 8, "#7fb069")


def sport(canvas: Canvas) -> None:
    canvas.hills(26, 3, "#4d8a7c")
    canvas.box(0, 28, canvas.width, 4, _PINE)
    canvas.box(0, 32, canvas.width, 70, "#7fb069")
    for lane in range(6):
        color = (_SUN, _CLAY)[lane % 2]
        lane_start, right = 20 + lane * 18.3, 20 + (lane + 1) * 18.3
        canvas.shape(
            [(60 + lane * 5, 32), (65 + lane * 5, 32), (right, 100), (lane_start, 100)], color
        )
    canvas.disc(98, 58, 12, _SNOW)
    for angle in range(5):
        turn = math.tau * angle / 5 - 1.57
        canvas.disc(98 + 8 * math.cos(turn), 58 + 8 * math.sin(turn), 2.4, _NIGHT)
    canvas.disc(98, 58, 3, _NIGHT)


def festival(canvas: Canvas) -> None:
    _valley(canvas)
    for line, height in ((0, 10), (1, 26)):
        for number in range(22):
            x = number * 7.4 - line * 3
            y = height + 9 * math.sin(math.pi * number / 21)
            color = (_ROSE, _STRAW, _LAKE, _SNOW)[(number + line) % 4]
            canvas.shape([(x, y), (x + 6, y), (x + 3, y + 9)], color)
    for number in range(6):
        x = 8 + number * 24
        canvas.box(x, 72, 17, 28, (_SNOW, _SKY, "#e7c7b0")[number % 3])
        canvas.shape([(x - 2, 72), (x + 8.5, 58), (x + 19, 72)], _CLAY)
        canvas.box(x + 6.5, 80, 4, 8, _LAKE)


def workshop(canvas: Canvas) -> None:
    canvas.box(0, 66, canvas.width, 34, _CLAY)
    canvas.box(0, 66, canvas.width, 3, "#b8694c")
    canvas.box(24, 30, 26, 36, _LAKE)
    canvas.box(24, 30, 26, 5, "#255f6f")
    for number, color in enumerate((_STRAW, _ROSE, _SNOW, _PINE)):
        canvas.box(27 + number * 6, 12 - number % 2 * 4, 2.4, 22, color)
    canvas.shape([(70, 66), (76, 40), (112, 40), (118, 66)], _SNOW)
    canvas.arc(94, 42, 13, 3, _SNOW)
    canvas.disc(94, 54, 6, _SUN)
    for number in range(5):
        canvas.disc(126 + number % 3 * 7, 62 - number // 3 * 7, 3.6, _STRAW)


def dance(canvas: Canvas) -> None:
    for number in range(14):
        turn = math.tau * number / 14
        color = (_PLUM, "#5f3a73")[number % 2]
        far = [
            (75 + 130 * math.cos(angle), 46 + 130 * math.sin(angle))
            for angle in (turn, turn + math.tau / 14)
        ]
        canvas.shape([(75, 46), *far], color)
    for x, color in ((58, _STRAW), (90, _ROSE)):
        canvas.disc(x, 32, 7, _SNOW)
        canvas.shape([(x - 5, 40), (x + 5, 40), (x + 15, 92), (x - 15, 92)], color)
    canvas.shape([(60, 48), (88, 48), (88, 52), (60, 52)], _SNOW)
    for _ in range(40):
        place = canvas.random.uniform(0, canvas.width), canvas.random.uniform(0, 96)
        canvas.disc(*place, 0.9, canvas.random.choice((_STRAW, _ROSE, _SNOW, _SUN)))


_WIDE, _TALL = (1200, 800), (800, 1200)
PICTURES: dict[Callable[[Canvas], None], tuple[tuple[int, int], str]] = {
    market: (_WIDE, "#f3ead8"),
    church: (_WIDE, _SKY),
    cinema: (_WIDE, _NIGHT),
    concert: (_WIDE, _NIGHT),
    hike: (_WIDE, "#cfe3ec"),
    night: (_WIDE, _NIGHT),
    exhibition: (_TALL, "#e9dfd0"),
    children: (_WIDE, "#bfe0ea"),
    sport: (_WIDE, "#cfe3ec"),
    festival: (_WIDE, _SKY),
    workshop: (_WIDE, "#e4d3b8"),
    dance: (_WIDE, _PLUM),
}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for drawing, ((width, height), ground) in PICTURES.items():
        name = drawing.__name__
        canvas = Canvas(name, width, height, ground)
        drawing(canvas)
        canvas.save(name)


if __name__ == "__main__":
    main()
