"""Scripts are no part of the name of a term, whatever stands in them."""

import pytest

from calendar_app.domain.texts.sanitizing import clean_name, without_scripts


@pytest.mark.parametrize(
    ("sent", "remaining"),
    [
        ("Jazz", "Jazz"),
        ("<b>T</b> & <script>x</script>more", "<b>T</b> & more"),
        ("A<SCRIPT src='x'>1</script >B<style>p {}</style>C", "ABC"),
        ("A<script>never closed", "A"),
        ("<scripted>", "<scripted>"),
        ("1 < 2 </script>", "1 < 2 </script>"),
    ],
)
def test_scripts_and_styles_go_whole(sent, remaining):
    assert without_scripts(sent) == remaining


def test_a_tag_that_comes_together_is_dropped_with_the_others():
    assert clean_name(without_scripts("<scr<script>a</script>ipt>x")) == "x"
