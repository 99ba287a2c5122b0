"""Letters have the color of the site's theme, where it is legible."""

from dataclasses import replace

import pytest

from calendar_app.changes.letter_html import LetterLook
from calendar_app.settings import Settings
from calendar_app.site.pages.letter_look import contrast, letter_look

SITE = Settings.load(environment={}, site_name="Tal")
PLAIN = LetterLook("Tal")


@pytest.fixture
def themed(tmp_path):
    """Return a function that gives the look of a site by the styles of its theme."""

    def look(styles):
        (tmp_path / "static").mkdir(exist_ok=True)
        (tmp_path / "static" / "theme.css").write_text(styles, encoding="utf-8")
        return letter_look(replace(SITE, theme=str(tmp_path)))

    return look


def test_site_without_a_theme_has_the_color_of_the_service():
    assert letter_look(SITE) == PLAIN


def test_theme_that_ships_with_the_service_gives_its_color():
    assert letter_look(replace(SITE, theme="valley")) == LetterLook("Tal", "#1d5b4f", "#fffdf8")


@pytest.mark.parametrize(
    ("styles", "color", "ink"),
    [
        (":root { --accent: #003366; }", "#003366", "#ffffff"),
        (":root { --accent: light-dark( #036, #9cf); --accent-ink: #fff; }", "#036", "#fff"),
        (":root { --accent: #ffee00; --accent-ink: #000000; }", PLAIN.color, PLAIN.ink),
        (":root { --accent: oklch(40% 0.1 200); }", PLAIN.color, PLAIN.ink),
        ("", PLAIN.color, PLAIN.ink),
    ],
    ids=["hex", "short", "illegible as a link", "other notation", "none"],
)
def test_color_is_that_of_the_theme_on_light_paper(themed, styles, color, ink):
    assert themed(styles) == LetterLook("Tal", color, ink)


def test_theme_without_styles_changes_nothing(tmp_path):
    assert letter_look(replace(SITE, theme=str(tmp_path))) == PLAIN


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [("#fff", "#000000", 21), ("#777777", "#ffffff", 4.48), ("#0f5c63", "#0f5c63", 1)],
)
def test_contrast_is_that_of_wcag(first, second, ratio):
    assert contrast(first, second) == pytest.approx(ratio, abs=0.01)
    assert contrast(second, first) == contrast(first, second)
