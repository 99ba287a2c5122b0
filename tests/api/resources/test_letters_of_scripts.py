"""Names and words of all scripts: letters are told apart, and what nobody sees is no letter."""

import pytest

pytestmark = pytest.mark.without_mongodb

NAMES = [("ハハ", "パパ"), ("Нои", "Ной"), ("कया", "क्या"), ("ข่าว", "ข้าว")]


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("field", ["venue", "organizer"])
def test_records_with_names_differing_by_a_letter_are_distinct(as_admin, field, names):
    ids = {as_admin.post(f"/{field}s", **{field: name}).json["id"] for name in names}
    assert len(ids) == 2


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("taxonomy", ["categories", "tags"])
def test_terms_with_names_differing_by_a_letter_are_distinct(as_admin, taxonomy, names):
    responses = [as_admin.post(f"/{taxonomy}", name=name) for name in names]
    assert [answer.status_code for answer in responses] == [201, 201]


@pytest.mark.parametrize(
    ("title", "searched", "matches"),
    [
        ("クラシック・バンド", "ハント", False),
        ("クラシック・バンド", "バン", True),
        ("ｸﾗｼｯｸ･ﾊﾞﾝﾄﾞ", "バンド", True),
        ("Ной", "нои", False),
        ("मुफ़्त संगीत", "मुफ्त", True),
        ("الـمـوسـيـقـى", "الموسيقى", True),
        ("الموسيقى", "الـمـوسـيـقـى", True),
        ("می\u200cخواهم", "میخواهم", True),  # noqa: RUF001
        ("میخواهم", "می\u200cخواهم", True),  # noqa: RUF001
    ],
)
def test_events_are_found_by_their_letters(make_event, anyone, title, searched, matches):
    make_event(title=title)
    assert anyone.get("/events", search=searched).json["total"] == int(matches)
