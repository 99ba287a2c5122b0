"""Recurrences as readers of each language read them."""

import tomllib
from pathlib import Path

import pytest
from unit.domain.recurrence.series import recurrence, weekly_meeting

from calendar_app.domain.texts.recurrence_text.describing import describe, languages, templates_for

SENTENCES = tomllib.loads(Path(__file__).with_name("recurrence_sentences.toml").read_text("utf-8"))
LANGUAGES = tuple(SENTENCES)


def in_words(language, **parts):
    event = weekly_meeting()
    return describe(recurrence(event, **parts), event, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_rule_of_a_form_reads_well(language):
    rules = SENTENCES[language]["rules"]
    assert {rule: in_words(language, rrule=rule) for rule in rules} == rules


@pytest.mark.parametrize("language", LANGUAGES)
def test_extra_dates_and_exceptions_are_named_or_counted(language):
    few = ["2027-01-01 10:00:00", "2027-02-02 12:00:00"]
    january = [f"2027-01-{day:02} 10:00:00" for day in range(1, 9)]
    march = [f"2027-03-{day:02} 10:00:00" for day in range(1, 9)]
    april = ["2027-04-07 10:00:00"]
    assert SENTENCES[language]["dates"] == {
        "rule with a few": in_words(language, rrule="FREQ=WEEKLY", rdate=few, exdate=april),
        "a few alone": in_words(language, rdate=few),
        "rule with many": in_words(language, rrule="FREQ=WEEKLY", rdate=january, exdate=march),
        "many alone": in_words(language, rdate=january),
    }


def test_until_is_a_day_on_the_clocks_of_the_event():
    until = "FREQ=WEEKLY;UNTIL=20271231T233000Z"
    assert in_words("en", rrule=until) == "every Wednesday until January 1, 2028"
    assert in_words("en-GB", rrule=until) == "every Wednesday until 1 January 2028"


def test_several_rules_are_joined_in_the_text():
    rules = ["FREQ=WEEKLY;BYDAY=WE;COUNT=5", "FREQ=MONTHLY;BYDAY=1SU"]
    words = in_words("en", rrule=rules)
    assert words == "every Wednesday, 5 times; every month on the first Sunday"


def test_other_notations_of_a_simple_rule_have_the_same_words():
    for rule in (
        "FREQ=WEEKLY;BYHOUR=10;BYMINUTE=0",
        "FREQ=DAILY;BYDAY=WE",
        "FREQ=MONTHLY;BYDAY=WE",
    ):
        assert in_words("en", rrule=rule) == "every Wednesday"
    assert in_words("en", rrule="FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR,SA,SU") == "every day"
    assert in_words("en", rrule="FREQ=YEARLY;BYMONTHDAY=2") == "every month on the 2nd"


def test_a_rule_with_several_times_a_day_is_special():
    words = in_words("de", rrule="FREQ=DAILY;BYHOUR=10,14")
    assert words == "jeden Tag in einem besonderen Rhythmus"


def test_a_region_has_the_words_of_its_language_and_others_have_english():
    assert in_words("de-CH", rrule="FREQ=WEEKLY") == "jeden Mittwoch"
    assert in_words("pt", rrule="FREQ=WEEKLY") == "every Wednesday"


def test_every_language_has_every_template():
    names = templates_for("en").texts
    for language in languages():
        texts = templates_for(language).texts
        assert set(texts) == set(names)
        assert set(texts["nth"]) == set(names["nth"])
        assert set(texts["special"]) == set(names["special"])
