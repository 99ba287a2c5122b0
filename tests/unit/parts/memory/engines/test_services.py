"""Services that translate: what they are sent, and what is made of each way to fail."""

import logging
from dataclasses import replace

import pytest
from machines import KEY, DeepLStub, LibreTranslateStub, serving

from calendar_app.calendar.translation import NoProposal, Text
from calendar_app.parts.memory.engines.services import spelled
from calendar_app.parts.memory.engines.translator import Translator, engine_of
from calendar_app.settings import Settings

SERVICES = {"libretranslate": LibreTranslateStub, "deepl": DeepLStub}
SLOW = ("slow", "dripping")
HTML = '<p>Mehr <a href="https://example.org/a?b=1&amp;c=2">im Netz</a> &amp; hier</p>'
TEXTS = {"title": Text("Rock & Pop <live>"), "description": Text(HTML, is_html=True)}


@pytest.fixture(params=SERVICES)
def name(request):
    return request.param


@pytest.fixture
def stub(name):
    with serving(SERVICES[name]) as running:
        yield running


@pytest.fixture
def translator(name, stub):
    settings = replace(
        Settings.load(environment={}),
        translator=name,
        translator_url=stub.address,
        translator_key=KEY,
    )
    return Translator(engine_of(settings), timeout=30)


def refused(translator, timeout=None):
    with pytest.raises(NoProposal) as refusal:
        translator.propose(TEXTS, "de", "en", timeout)
    return refusal.value


def test_texts_come_back_with_their_tags_and_links(translator, stub):
    stub.translate = lambda html: html.replace("Pop", "Folk").replace("Mehr", "More")
    assert translator.propose(TEXTS, "de", "en") == {
        "title": "Rock & Folk <live>",
        "description": HTML.replace("Mehr", "More"),
    }


def test_service_that_writes_entities_as_signs_changes_nothing(translator, stub):
    stub.translate = lambda html: html.replace("&amp;", "&")
    proposals = translator.propose(TEXTS | {"excerpt": Text("5 &lt; 6", is_html=True)}, "de", "en")
    assert proposals["title"] == "Rock & Pop <live>"


@pytest.mark.parametrize(
    ("fault", "outcome"),
    [
        ("slow", (True, False, True)),
        ("dripping", (True, False, True)),
        ("hang_up", (True, False, True)),
        ("429", (True, False, False)),
        ("529", (True, False, False)),
        ("503", (True, False, False)),
        ("456", (False, True, False)),
        ("403", (False, True, False)),
        ("400", (False, False, False)),
        ("413", (False, False, False)),
        ("redirect", (False, False, False)),
        ("junk", (False, False, True)),
        ("other_shape", (False, False, True)),
        ("large", (False, False, True)),
    ],
)
def test_each_failure_says_whether_to_try_again_and_whether_it_counts(
    translator, stub, fault, outcome
):
    stub.fault = fault
    refusal = refused(translator, timeout=1 if fault in SLOW else None)
    may_retry = refusal.retry_after is not None
    assert (may_retry, refusal.is_final, refusal.is_billed) == outcome
    assert len(stub.asked) == 1


def test_pause_that_a_service_asks_for_is_told(translator, stub):
    stub.fault = "patience"
    assert refused(translator).retry_after == 7


@pytest.mark.parametrize("fault", ["broken_html", "other_link"])
def test_html_that_the_service_broke_is_thrown_away_and_the_rest_kept(translator, stub, fault):
    stub.fault = fault
    assert translator.propose(TEXTS, "de", "en").keys() == {"title"}


def test_script_that_the_service_adds_is_thrown_away(translator, stub):
    stub.fault = "script"
    refused(translator)


def test_service_that_is_gone_can_be_tried_again(name):
    settings = replace(
        Settings.load(environment={}),
        translator=name,
        translator_url="http://127.0.0.1:9",
        translator_key=KEY,
    )
    refusal = refused(Translator(engine_of(settings), timeout=30))
    assert (refusal.retry_after is not None, refusal.is_billed) == (True, False)


def test_languages_are_known_once_the_service_was_asked(translator):
    assert translator.lacks(("de", "en", "rm")) == []
    translator.learn()
    assert translator.lacks(("de", "en", "rm")) == ["rm"]
    assert not translator.speaks("rm", "de")
    assert translator.speaks("de", "en-GB")


def test_language_that_the_service_lacks_is_not_sent(translator, stub):
    with pytest.raises(NoProposal):
        translator.propose(TEXTS, "de", "rm")
    assert stub.asked == []


def test_key_is_sent_to_the_service_and_nowhere_else(translator, stub, caplog, capsys):
    caplog.set_level(logging.DEBUG)
    translator.propose(TEXTS, "de", "en")
    stub.fault = "403"
    refusal = refused(translator)
    assert KEY in str(stub.asked) + str(stub.headers)
    printed = capsys.readouterr()
    assert KEY not in caplog.text + printed.out + printed.err + repr(refusal)


@pytest.mark.parametrize("name", ["deepl"])
def test_many_texts_go_in_requests_of_fifty_and_a_hundred_kilobytes(translator, stub):
    stub.translate = str
    short = {str(number): Text("Konzert") for number in range(60)}
    long = {f"long {number}": Text("Wort " * 10_000) for number in range(3)}
    assert translator.propose(short | long, "de", "en").keys() == short.keys() | long.keys()
    assert [len(body["text"]) for body in stub.asked] == [50, 12, 1]


@pytest.mark.parametrize("name", ["deepl"])
@pytest.mark.parametrize(
    ("tag", "code"), [("en", "EN-GB"), ("en-US", "EN-US"), ("pt-br", "PT-BR"), ("fr-CH", "FR")]
)
def test_deepl_gets_languages_as_it_spells_them(translator, stub, tag, code):
    translator.propose(TEXTS, "de-CH", tag)
    assert (stub.asked[0]["source_lang"], stub.asked[0]["target_lang"]) == ("DE", code)


@pytest.mark.parametrize(
    ("tag", "offered", "code"),
    [
        ("de", ["DE", "EN"], "DE"),
        ("pt-BR", ["pt", "pb"], "pb"),
        ("pt-BR", ["pt"], "pt"),
        ("pt", ["PT-BR", "PT-PT"], "PT-PT"),
        ("en-AU", ["EN-GB", "EN-US"], "EN-GB"),
        ("zh-TW", ["zh", "zt"], "zt"),
        ("no", ["nb"], "nb"),
        ("rm", ["de", "ro"], ""),
    ],
)
def test_language_is_spelled_as_the_service_does(tag, offered, code):
    assert spelled(tag, offered) == code
