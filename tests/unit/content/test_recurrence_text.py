"""Recurrences as readers of each language read them."""

import pytest
from unit.domain.recurrence.series import recurrence, weekly_meeting

from calendar_app.content.recurrence_text.describing import describe
from calendar_app.content.recurrence_text.templates import languages, templates_for

RULES = (
    "FREQ=DAILY",
    "FREQ=DAILY;INTERVAL=3;COUNT=10",
    "FREQ=WEEKLY",
    "FREQ=WEEKLY;BYDAY=WE;UNTIL=20271231T225959Z",
    "FREQ=WEEKLY;BYDAY=MO,SU;UNTIL=20280801",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=WE,SU;UNTIL=20280811",
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR",
    "FREQ=MONTHLY;BYMONTHDAY=1,15",
    "FREQ=MONTHLY;INTERVAL=3",
    "FREQ=MONTHLY;BYMONTHDAY=-1",
    "FREQ=MONTHLY;BYDAY=2TU",
    "FREQ=MONTHLY;BYDAY=-1SU,1SU",
    "FREQ=MONTHLY;BYDAY=FR;BYSETPOS=3;COUNT=1",
    "FREQ=MONTHLY;BYMONTHDAY=8,11,22,23",
    "FREQ=YEARLY",
    "FREQ=YEARLY;INTERVAL=2;BYMONTH=4;BYMONTHDAY=1",
    "FREQ=YEARLY;BYMONTH=4,5;BYDAY=2SU",
    "FREQ=YEARLY;BYMONTH=8;BYDAY=-1SA",
    "FREQ=WEEKLY;BYDAY=SA;BYMONTH=6,7,8",
    "FREQ=YEARLY;BYWEEKNO=20",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1",
)
SENTENCES = {
    "de": (
        "jeden Tag",
        "alle 3 Tage, 10-mal",
        "jeden Mittwoch",
        "jeden Mittwoch bis 31. Dezember 2027",
        "jeden Montag und Sonntag bis 1. August 2028",
        "alle 2 Wochen am Mittwoch und Sonntag bis 11. August 2028",
        "jeden Tag von Montag bis Freitag",
        "jeden Monat am 1. und 15.",
        "alle 3 Monate am 2.",
        "jeden Monat am letzten Tag",
        "jeden Monat am zweiten Dienstag",
        "jeden Monat am ersten und letzten Sonntag",
        "jeden Monat am dritten Freitag, einmal",
        "jeden Monat am 8., 11., 22. und 23.",
        "jedes Jahr am 2. Dezember",
        "alle 2 Jahre am 1. April",
        "jedes Jahr am zweiten Sonntag im April und Mai",
        "jedes Jahr am letzten Samstag im August",
        "jeden Samstag im Juni, Juli und August",
        "jedes Jahr nach einer besonderen Regel",
        "jeden Monat nach einer besonderen Regel",
    ),
    "fr": (
        "chaque jour",
        "tous les 3 jours, 10 fois",
        "chaque mercredi",
        "chaque mercredi jusqu’au 31 décembre 2027",
        "chaque lundi et dimanche jusqu’au 1er août 2028",
        "toutes les 2 semaines, le mercredi et le dimanche jusqu’au 11 août 2028",
        "du lundi au vendredi",
        "chaque mois, le 1er et le 15",
        "tous les 3 mois, le 2",
        "chaque mois, le dernier jour",
        "chaque mois, le deuxième mardi",
        "chaque mois, le premier et le dernier dimanche",
        "chaque mois, le troisième vendredi, une fois",
        "chaque mois, le 8, le 11, le 22 et le 23",
        "chaque année, le 2 décembre",
        "tous les 2 ans, le 1er avril",
        "chaque année, le deuxième dimanche d’avril et de mai",
        "chaque année, le dernier samedi d’août",
        "chaque samedi en juin, juillet et août",
        "chaque année selon une règle particulière",
        "chaque mois selon une règle particulière",
    ),
    "it": (
        "ogni giorno",
        "ogni 3 giorni, 10 volte",
        "ogni mercoledì",
        "ogni mercoledì fino al 31 dicembre 2027",
        "ogni lunedì e domenica fino al 1º agosto 2028",
        "ogni 2 settimane, il mercoledì e la domenica fino all’11 agosto 2028",
        "dal lunedì al venerdì",
        "ogni mese, il 1º e il 15",
        "ogni 3 mesi, il 2",
        "ogni mese, l’ultimo giorno",
        "ogni mese, il secondo martedì",
        "ogni mese, la prima e l’ultima domenica",
        "ogni mese, il terzo venerdì, una volta",
        "ogni mese, l’8, l’11, il 22 e il 23",
        "ogni anno, il 2 dicembre",
        "ogni 2 anni, il 1º aprile",
        "ogni anno, la seconda domenica di aprile e di maggio",
        "ogni anno, l’ultimo sabato di agosto",
        "ogni sabato in giugno, luglio e agosto",
        "ogni anno secondo una regola particolare",
        "ogni mese secondo una regola particolare",
    ),
    "rm": (
        "mintga di",
        "mintga 3 dis, 10 giadas",
        "mintga mesemna",
        "mintga mesemna fin ils 31 da december 2027",
        "mintga glindesdi e dumengia fin l’emprim d’avust 2028",
        "mintga 2 emnas, la mesemna e la dumengia fin ils 11 d’avust 2028",
        "mintga di da glindesdi a venderdi",
        "mintga mais, l’emprim ed ils 15",
        "mintga 3 mais, ils 2",
        "mintga mais, l’ultim di",
        "mintga mais, il segund mardi",
        "mintga mais, l’emprima e l’ultima dumengia",
        "mintga mais, il terz venderdi, ina giada",
        "mintga mais, ils 8, ils 11, ils 22 ed ils 23",
        "mintga onn, ils 2 da december",
        "mintga 2 onns, l’emprim d’avrigl",
        "mintga onn, la segunda dumengia d’avrigl e da matg",
        "mintga onn, l’ultima sonda d’avust",
        "mintga sonda da zercladur, da fanadur e d’avust",
        "mintga onn tenor ina regla speziala",
        "mintga mais tenor ina regla speziala",
    ),
    "en": (
        "every day",
        "every 3 days, 10 times",
        "every Wednesday",
        "every Wednesday until December 31, 2027",
        "every Monday and Sunday until August 1, 2028",
        "every 2 weeks on Wednesday and Sunday until August 11, 2028",
        "every day from Monday to Friday",
        "every month on the 1st and the 15th",
        "every 3 months on the 2nd",
        "every month on the last day",
        "every month on the second Tuesday",
        "every month on the first and the last Sunday",
        "every month on the third Friday, once",
        "every month on the 8th, the 11th, the 22nd, and the 23rd",
        "every year on December 2",
        "every 2 years on April 1",
        "every year on the second Sunday of April and May",
        "every year on the last Saturday of August",
        "every Saturday in June, July, and August",
        "every year by a special rule",
        "every month by a special rule",
    ),
}
# Extra dates and exceptions; dates alone; many of both; many dates alone.
DATES = {
    "de": (
        "jeden Mittwoch, auch am 1. Januar 2027 und 2. Februar 2027, nicht am 7. April 2027",
        "am 2. Dezember 2026, 1. Januar 2027 und 2. Februar 2027",
        "jeden Mittwoch, auch an 8 weiteren Tagen, mit 8 Ausnahmen",
        "an 9 Terminen",
    ),
    "fr": (
        "chaque mercredi, ainsi que le 1er janvier 2027 et le 2 février 2027, sauf le 7 avril 2027",
        "le 2 décembre 2026, le 1er janvier 2027 et le 2 février 2027",
        "chaque mercredi, ainsi qu’à 8 autres dates, avec 8 exceptions",
        "à 9 dates",
    ),
    "it": (
        "ogni mercoledì, anche il 1º gennaio 2027 e il 2 febbraio 2027, tranne il 7 aprile 2027",
        "il 2 dicembre 2026, il 1º gennaio 2027 e il 2 febbraio 2027",
        "ogni mercoledì, anche in altre 8 date, con 8 eccezioni",
        "in 9 date",
    ),
    "rm": (
        "mintga mesemna, er l’emprim da schaner 2027 ed ils 2 da favrer 2027, danor ils 7 d’avrigl 2027",
        "ils 2 da december 2026, l’emprim da schaner 2027 ed ils 2 da favrer 2027",
        "mintga mesemna, er a 8 autras datas, cun 8 excepziuns",
        "a 9 datas",
    ),
    "en": (
        "every Wednesday, also on January 1, 2027 and February 2, 2027, except on April 7, 2027",
        "on December 2, 2026, January 1, 2027, and February 2, 2027",
        "every Wednesday, and on 8 other dates, with 8 exceptions",
        "on 9 dates",
    ),
}
LANGUAGES = tuple(SENTENCES)


def in_words(language, **parts):
    event = weekly_meeting()
    return describe(recurrence(event, **parts), event, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_rule_of_a_form_reads_well(language):
    sentences = tuple(in_words(language, rrule=rule) for rule in RULES)
    assert sentences == SENTENCES[language]


@pytest.mark.parametrize("language", LANGUAGES)
def test_extra_dates_and_exceptions_are_named_or_counted(language):
    few = ["2027-01-01 10:00:00", "2027-02-02 12:00:00"]
    january = [f"2027-01-{day:02} 10:00:00" for day in range(1, 9)]
    march = [f"2027-03-{day:02} 10:00:00" for day in range(1, 9)]
    assert DATES[language] == (
        in_words(language, rrule="FREQ=WEEKLY", rdate=few, exdate=["2027-04-07 10:00:00"]),
        in_words(language, rdate=few),
        in_words(language, rrule="FREQ=WEEKLY", rdate=january, exdate=march),
        in_words(language, rdate=january),
    )


def test_until_is_a_day_on_the_clocks_of_the_event():
    until = "FREQ=WEEKLY;UNTIL=20271231T233000Z"
    assert in_words("en", rrule=until) == "every Wednesday until January 1, 2028"


def test_several_rules_stand_side_by_side():
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
    assert words == "jeden Tag nach einer besonderen Regel"


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
