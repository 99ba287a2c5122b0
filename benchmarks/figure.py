"""A figure of p50 against the number of events, as SVG."""

import math
from collections.abc import Iterator, Sequence
from html import escape

from growth_table import Answered

_WIDTH, _HEIGHT = 720, 400
_MARGIN_LEFT, _MARGIN_RIGHT, _MARGIN_TOP, _MARGIN_BOTTOM = 60, 190, 20, 50
_COLORS = ("#0b6e99", "#c2410c", "#4d7c0f", "#7e22ce", "#b91c1c", "#57534e")
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)  # ms
_APART = 16  # between two names, lest one lies on the other


def figure(sizes: Sequence[int], measured: Sequence[Sequence[Answered]]) -> str:
    """Return the figure: a line for each question that is drawn, both axes logarithmic."""
    lines = {
        answers[0].question.name: [answer.timed.again for answer in answers]
        for answers in zip(*measured, strict=True)
        if answers[0].question.drawn
    }
    scale = _Scale(sizes, [value for values in lines.values() for value in values])
    drawn = [*_axes(scale), *_lines(scale, lines)]
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"',
            'font-family="sans-serif" font-size="13" role="img">',
            "<title>Milliseconds for an answer (p50) against the number of events</title>",
            f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/>',
            *drawn,
            "</svg>\n",
        ]
    )


class _Scale:
    """Leads numbers of events and milliseconds to places on the figure."""

    def __init__(self, sizes: Sequence[int], values: Sequence[float]) -> None:
        self.sizes = sizes
        least = max((step for step in _STEPS if step <= min(values)), default=_STEPS[0])
        most = min((step for step in _STEPS if step >= 2 * max(values)), default=_STEPS[-1])
        self.steps = [step for step in _STEPS if least <= step <= most]

    def across(self, events: int) -> float:
        share = _share(events, self.sizes[0], self.sizes[-1])
        return _MARGIN_LEFT + share * (_WIDTH - _MARGIN_LEFT - _MARGIN_RIGHT)

    def up(self, milliseconds: float) -> float:
        share = _share(milliseconds, self.steps[0], self.steps[-1])
        return _HEIGHT - _MARGIN_BOTTOM - share * (_HEIGHT - _MARGIN_TOP - _MARGIN_BOTTOM)


def _share(value: float, least: float, most: float) -> float:
    return math.log(value / least) / math.log(most / least)


def _axes(scale: _Scale) -> Iterator[str]:
    right = _WIDTH - _MARGIN_RIGHT
    for step in scale.steps:
        y = scale.up(step)
        yield f'<path d="M{_MARGIN_LEFT} {y:.1f}H{right}" stroke="#d6d3d1"/>'
        yield f'<text x="{_MARGIN_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{step}</text>'
    for events in scale.sizes:
        x = scale.across(events)
        y = _HEIGHT - _MARGIN_BOTTOM
        yield f'<path d="M{x:.1f} {_MARGIN_TOP}V{y}" stroke="#d6d3d1"/>'
        yield f'<text x="{x:.1f}" y="{y + 20}" text-anchor="middle">{events:,}</text>'
    middle = (_MARGIN_LEFT + right) / 2
    yield f'<text x="{middle}" y="{_HEIGHT - 8}" text-anchor="middle">events</text>'
    yield f'<text x="6" y="{_MARGIN_TOP - 6}">ms, p50</text>'


def _lines(scale: _Scale, lines: dict[str, list[float]]) -> Iterator[str]:
    placed = _HEIGHT * 1.0
    for number, (name, values) in enumerate(sorted(lines.items(), key=lambda each: each[1][-1])):
        color = _COLORS[number % len(_COLORS)]
        points = [(scale.across(n), scale.up(v)) for n, v in zip(scale.sizes, values, strict=True)]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        yield f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
        for x, y in points:
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'
        placed = min(points[-1][1], placed - _APART)
        x = points[-1][0] + 8
        yield f'<text x="{x:.1f}" y="{placed + 4:.1f}" fill="{color}">{escape(name)}</text>'
