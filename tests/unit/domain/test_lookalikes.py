"""Names that look alike are told apart by no reader, whatever their letters are."""

import pytest

from calendar_app.domain.lookalikes import skeleton


@pytest.mark.parametrize(
    "name",
    [
        "Admin",
        "ADMIN",
        "ádmin",
        "\u0430dmin",
        "ad\u200bmin",
        "A d m i n",
        "adm1n",
        "admln",
        "adrnin",
        "\u03b1dmin",
    ],
)
def test_lookalikes_have_one_skeleton(name):
    assert skeleton(name) == skeleton("admin")


@pytest.mark.parametrize(
    "name", ["Anna", "Admina", "Nadim", "\u0410\u043d\u043d\u0430", "\u674e", ""]
)
def test_other_names_have_another_one(name):
    assert skeleton(name) != skeleton("admin")
